//! A client's stream over several connections: whole events, each once and in order.

use std::time::Duration;

use ag_ui_native::Limits;
use ag_ui_native::bindings::client::{
    Reconnect, ReconnectOptions, ResumableHead, ResumableStream, ResumeStep,
};
use ag_ui_native::bindings::durable::*;
use ag_ui_native::server::WireFormat;

use crate::simulation::Chance;
use crate::store::{SECOND, create, key};

/// Wed, 21 Oct 2015 07:28:00 GMT, in milliseconds since the Unix epoch.
const NOW: i64 = 1_445_412_480_000;
const BEGINNING: &str = "BwcHBwcHBwcHBwcHBwcHBw-0";

fn log(length: usize) -> MemoryStore {
    let mut store = MemoryStore::default();
    store.execute(SECOND, Operation::Create(create(key("r")).into()));
    let start = Frame::from(r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#);
    let events =
        (1..length).map(|number| Frame::from(format!(r#"{{"type":"CUSTOM","name":"é","value":{number}}}"#)));
    let frames = [start].into_iter().chain(events).collect();
    let append = Append { key: key("r"), epoch: 1, first: 1, frames, end: Some(RunEnd::default()) };
    store.execute(SECOND, Operation::Append(append));
    store
}

/// The response of a server to a request behind this place, or to one that joins: its headers and its body.
fn respond(
    store: &mut MemoryStore,
    wire_format: WireFormat,
    after: Option<Cursor>,
) -> (Vec<(&'static str, String)>, Vec<u8>) {
    let mut reader = match after {
        Some(after) => Reader::new(key("r"), Some(after), ReaderOptions::default()),
        None => Reader::join(key("r"), None, ReaderOptions::default()),
    };
    let (mut headers, mut body) = (vec![], vec![]);
    while let Some(command) = reader.poll(SECOND) {
        match command {
            ReaderCommand::Send { ticket, operation } => {
                let reply = store.execute(SECOND, operation).reply;
                reader.reply(SECOND, ticket, Ok(reply));
            }
            ReaderCommand::Opened { after, prefix } => {
                let (thread_id, run_id, path) = ("t", "r", "/agent");
                let response = LogResponse {
                    wire_format,
                    thread_id,
                    run_id,
                    after,
                    prefix,
                    heartbeat: Some(SECOND),
                    path,
                };
                headers = response.headers();
            }
            ReaderCommand::Frames { after, frames } => {
                body.extend(encode_frames(wire_format, after, &frames).unwrap());
            }
            ReaderCommand::Prefix(prefix) => body.extend(encode_prefix(wire_format, &prefix).unwrap()),
            ReaderCommand::End(_) => {}
        }
    }
    (headers, body)
}

fn head<'h>(wire_format: WireFormat, headers: &'h [(&'static str, String)]) -> ResumableHead<'h> {
    let header = |wanted| headers.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value.as_str());
    ResumableHead {
        cursor: header("ag-ui-cursor"),
        prefix: header("ag-ui-prefix"),
        heartbeat: header("ag-ui-heartbeat"),
        location: header("content-location"),
        content_type: wire_format.content_type(),
        retry_after: None,
    }
}

#[test]
fn a_run_that_is_cut_at_any_byte_comes_whole() {
    let mut chance = Chance(1);
    for wire_format in [WireFormat::Text, WireFormat::Binary] {
        for is_joined in [false, true] {
            let mut store = log(5);
            let from = (!is_joined).then(|| BEGINNING.parse().unwrap());
            let (headers, whole) = respond(&mut store, wire_format, from);
            for first_cut in 0..=whole.len() {
                let mut stream =
                    ResumableStream::new(&head(wire_format, &headers), Limits::default()).unwrap();
                assert_eq!(
                    (stream.location(), stream.silence()),
                    ("/agent?thread=t&run=r", Some(SECOND * 5 / 2))
                );
                let mut out = vec![];
                stream.feed(&whole[..first_cut], &mut out).unwrap();
                // The next connections are cut, too.
                while out != whole {
                    assert!(whole.starts_with(&out));
                    let after = stream.last_event_id().map(|id| id.parse().unwrap());
                    let (headers, body) = respond(&mut store, wire_format, after);
                    stream.resume(&head(wire_format, &headers)).unwrap();
                    let cut = chance.below(body.len() + 1);
                    for piece in body[..cut].chunks(1 + chance.below(60)) {
                        stream.feed(piece, &mut out).unwrap();
                    }
                }
            }
        }
    }
}

#[test]
fn duplicates_are_dropped_and_gaps_are_errors() {
    let id = "BwcHBwcHBwcHBwcHBwcHBw";
    let event = |number: u64| format!("id: {id}-{number}\ndata: {number}\n\n");
    let first = ResumableHead {
        cursor: Some(BEGINNING),
        location: Some("?run=r"),
        content_type: "text/event-stream",
        ..ResumableHead::default()
    };
    let mut stream = ResumableStream::new(&first, Limits::default()).unwrap();
    let mut out = vec![];
    stream.feed([event(1), event(2), event(1), event(2), event(3)].concat().as_bytes(), &mut out).unwrap();
    assert_eq!(String::from_utf8(out.clone()).unwrap(), [event(1), event(2), event(3)].concat());
    out.clear();
    let error = stream.feed([event(4), event(6)].concat().as_bytes(), &mut out).unwrap_err();
    assert_eq!(error.code().as_str(), "sequence_gap");
    assert_eq!(String::from_utf8(out.clone()).unwrap(), event(4), "what came before is not lost");
    for (name, cursor) in [("ahead", format!("{id}-9")), ("another log", "CAgICAgICAgICAgICAgICA-0".into())] {
        let head = ResumableHead { cursor: Some(&cursor), ..first };
        assert_eq!(stream.resume(&head).unwrap_err().code().as_str(), "sequence_gap", "{name}");
    }
    let joined = ResumableHead { prefix: Some("2;through=4"), ..first };
    assert_eq!(
        stream.resume(&joined).unwrap_err().code().as_str(),
        "sequence_gap",
        "a prefix would come twice"
    );
    for text in
        ["data: no id\n\n".into(), "id: 5\ndata: no cursor\n\n".into(), event(7).replace("Bw-", "Cw-")]
    {
        let mut stream = ResumableStream::new(&first, Limits::default()).unwrap();
        assert_eq!(
            stream.feed(text.as_bytes(), &mut out).unwrap_err().code().as_str(),
            "sequence_gap",
            "{text}"
        );
    }
}

#[test]
fn an_id_without_an_event_counts() {
    let id = "BwcHBwcHBwcHBwcHBwcHBw";
    let event = |number: u64| format!("id: {id}-{number}\ndata: {number}\n\n");
    let bare = |number: u64| format!("id: {id}-{number}\n\n");
    let head = ResumableHead {
        cursor: Some(BEGINNING),
        location: Some("?run=r"),
        content_type: "text/event-stream",
        ..ResumableHead::default()
    };
    let text = [event(1), bare(2), bare(3), bare(3), event(4), bare(5)].concat();
    for size in 1..text.len() {
        let mut stream = ResumableStream::new(&head, Limits::default()).unwrap();
        let mut out = vec![];
        for piece in text.as_bytes().chunks(size) {
            stream.feed(piece, &mut out).unwrap();
        }
        assert_eq!(String::from_utf8(out).unwrap(), [event(1), event(4)].concat());
        assert_eq!(stream.last_event_id(), Some(format!("{id}-5")));
    }
    for text in [bare(2), [bare(1), bare(3)].concat(), [bare(1), event(3)].concat()] {
        let mut stream = ResumableStream::new(&head, Limits::default()).unwrap();
        let error = stream.feed(text.as_bytes(), &mut vec![]).unwrap_err();
        assert_eq!(error.code().as_str(), "sequence_gap", "{text}");
    }
    // Within a prefix only the last event has an id.
    let mut stream =
        ResumableStream::new(&ResumableHead { prefix: Some("2;through=4"), ..head }, Limits::default())
            .unwrap();
    let mut out = vec![];
    let text = ["data: a\n\n".to_owned(), bare(2), event(4), event(5)].concat();
    stream.feed(text.as_bytes(), &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), ["data: a\n\n".to_owned(), event(4), event(5)].concat());
}

#[test]
fn a_server_that_does_not_say_how_to_resume_is_left_alone() {
    let whole = ResumableHead {
        cursor: Some(BEGINNING),
        location: Some("?run=r"),
        content_type: "text/event-stream",
        ..ResumableHead::default()
    };
    assert!(ResumableStream::new(&whole, Limits::default()).is_some());
    for head in [
        ResumableHead { cursor: None, ..whole },
        ResumableHead { cursor: Some("3"), ..whole },
        ResumableHead { location: None, ..whole },
        // The application's headers are for its own server.
        ResumableHead { location: Some("http://other.test/"), ..whole },
        ResumableHead { location: Some("//other.test/"), ..whole },
        ResumableHead { location: Some("/\\other.test/"), ..whole },
        ResumableHead { location: Some("/\t/other.test/"), ..whole },
        ResumableHead { location: Some(""), ..whole },
    ] {
        assert!(ResumableStream::new(&head, Limits::default()).is_none());
    }
    for heartbeat in ["0", "-1", "NaN", "1e300", "x", ""] {
        let head = ResumableHead { heartbeat: Some(heartbeat), ..whole };
        assert_eq!(ResumableStream::new(&head, Limits::default()).unwrap().silence(), None, "{heartbeat}");
    }
}

#[test]
fn pauses_grow_and_progress_refills_the_attempts() {
    let millis = |reconnect: &mut Reconnect| reconnect.next(None, 0.0).map(|pause| pause.as_millis());
    let mut reconnect = Reconnect::new(ReconnectOptions::default());
    let wanted = [0, 250, 500, 1000, 2000, 4000, 8000, 10_000];
    for pause in wanted {
        assert_eq!(millis(&mut reconnect), Some(pause));
    }
    assert_eq!(millis(&mut reconnect), None);
    reconnect.progress();
    assert_eq!(millis(&mut reconnect), Some(0));
    assert_eq!(reconnect.next(None, 1.0), Some(Duration::from_millis(125)), "jitter");
    assert_eq!(reconnect.next(Some(3 * SECOND), f64::NAN), Some(3 * SECOND), "the server asks for more");
}

#[test]
fn a_status_says_how_to_go_on() {
    let head = ResumableHead {
        cursor: Some(BEGINNING),
        location: Some("?run=r"),
        content_type: "text/event-stream",
        ..ResumableHead::default()
    };
    let mut stream = ResumableStream::new(&head, Limits::default()).unwrap();
    let mut answered = |status, retry_after, content_type| {
        let head = ResumableHead { content_type, retry_after, ..head };
        match stream.answered(status, &head, NOW) {
            ResumeStep::Read => "read".to_owned(),
            ResumeStep::Ended => "ended".to_owned(),
            ResumeStep::Retry(pause) => format!("retry {pause:?}"),
            ResumeStep::Refused(error) => error.code().as_str().to_owned(),
        }
    };
    let text = "text/event-stream";
    assert_eq!(answered(200, None, text), "read");
    assert_eq!(answered(200, None, WireFormat::Binary.content_type()), "sequence_gap", "another format");
    assert_eq!(answered(204, None, text), "ended");
    assert_eq!(answered(503, Some("2"), text), "retry Some(2s)");
    assert_eq!(answered(503, Some("Wed, 21 Oct 2015 07:28:05 GMT"), text), "retry Some(5s)");
    assert_eq!(answered(502, Some("soon"), text), "retry None");
    assert_eq!(answered(410, None, text), "sequence_gap");
    assert_eq!(answered(401, None, text), "connection_lost");
    let mut out = vec![];
    stream.feed(b"retry: 700\n\n", &mut out).unwrap();
    let ResumeStep::Retry(pause) = stream.answered(503, &head, NOW) else { panic!() };
    assert_eq!(pause, Some(Duration::from_millis(700)), "the pause that the stream asked for");
}

#[test]
fn a_request_for_the_rest_accepts_the_same_format() {
    for (content_type, accept) in [
        ("text/event-stream; charset=utf-8", "text/event-stream"),
        ("application/vnd.ag-ui.event+proto", "application/vnd.ag-ui.event+proto"),
    ] {
        let head = ResumableHead {
            cursor: Some(BEGINNING),
            location: Some("?run=r"),
            content_type,
            ..ResumableHead::default()
        };
        let headers = ResumableStream::new(&head, Limits::default()).unwrap().headers();
        let expected = [
            ("accept", accept),
            ("accept-encoding", "identity"),
            ("ag-ui-resume", "1"),
            ("last-event-id", BEGINNING),
        ];
        assert_eq!(headers, expected.map(|(name, value)| (name, value.to_owned())));
    }
}
