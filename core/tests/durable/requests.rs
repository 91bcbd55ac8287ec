//! The requests about runs with a log, and the responses.

use std::time::Duration;

use ag_ui_native::bindings::durable::*;
use ag_ui_native::server::{Cors, RequestHead, WireFormat};
use ag_ui_native::types::{Event, RunAgentInput};
use ag_ui_native::{Limits, Profile, from_json, protobuf};

const CURSOR: &str = "BwcHBwcHBwcHBwcHBwcHBw-3";

fn read(
    method: &str,
    path: &str,
    query: &str,
    last_event_id: Option<&str>,
) -> Result<LogRequest, (u16, String)> {
    LogRequest::read(LogRequestHead { method, path, query, last_event_id })
        .map_err(|refusal| (refusal.status(), refusal.0.code().as_str().to_owned()))
}

#[test]
fn each_request_has_a_query_and_a_path() {
    let (thread_id, run_id, after) = ("t 1/ä".to_owned(), "r".to_owned(), CURSOR.parse().ok());
    let thread = Ok(LogRequest::Thread { thread_id: thread_id.clone() });
    assert_eq!(read("GET", "", "thread=t+1%2F%C3%A4", None), thread);
    assert_eq!(read("GET", "/threads/t%201%2F%C3%A4", "", None), thread);
    let cancel = Ok(LogRequest::Cancel { thread_id: thread_id.clone(), run_id: run_id.clone() });
    assert_eq!(read("POST", "", "thread=t%201/ä&cancel=r", None), cancel);
    assert_eq!(read("post", "/threads/t%201%2F%C3%A4/runs/r/cancel", "", None), cancel);
    let run = |after| Ok(LogRequest::Read { thread_id: thread_id.clone(), run_id: run_id.clone(), after });
    assert_eq!(read("GET", "", "thread=t%201/ä&run=r", None), run(None));
    assert_eq!(read("GET", "/", &format!("run=r&thread=t%201/ä&after={CURSOR}"), None), run(after));
    assert_eq!(read("GET", "/threads/t%201%2F%C3%A4/runs/r", "", Some(CURSOR)), run(after));
    assert_eq!(
        read("GET", "", "thread=t%201/ä&run=r&after=x", Some(CURSOR)),
        run(after),
        "the header counts"
    );
    assert_eq!(read("POST", "", "", None), Ok(LogRequest::Run { after: None }));
    assert_eq!(read("POST", "", "other=1", Some(CURSOR)), Ok(LogRequest::Run { after }));
    assert_eq!(read("POST", "", "", Some("")), Ok(LogRequest::Run { after: None }));
}

#[test]
fn addresses_that_mean_nothing_are_refused() {
    let refused = |status, code: &str| Err((status, code.to_owned()));
    for (path, query) in [
        ("/other", ""),
        ("/threads", ""),
        ("/threads/t/runs", ""),
        ("", "run=r"),
        ("", "cancel=r"),
        ("", "thread=t&run=r&cancel=r"),
        ("/threads/%FF", ""),
        ("/threads/t/runs/r/other", ""),
    ] {
        assert_eq!(read("GET", path, query, None), refused(404, "run_unknown"), "{path}?{query}");
    }
    for (method, query) in [
        ("GET", ""),
        ("POST", "thread=t"),
        ("POST", "thread=t&run=r"),
        ("GET", "thread=t&cancel=r"),
        ("DELETE", "thread=t"),
    ] {
        assert_eq!(read(method, "", query, None), refused(405, "method_not_allowed"), "{method} ?{query}");
    }
    assert_eq!(read("GET", "", "thread=t&run=r&after=3", None), refused(400, "cursor_invalid"));
    assert_eq!(read("POST", "", "", Some("3")), refused(400, "cursor_invalid"));
}

#[test]
fn what_a_client_asks_for_is_looked_up_in_its_scope() {
    let request = read("GET", "", "thread=t&run=r", None).unwrap();
    assert_eq!(request.log("a").unwrap().unwrap(), LogKey::new("a", "t", "r").unwrap());
    assert_eq!(request.action().as_str(), "read");
    let long = format!("thread={}", "t".repeat(257));
    let request = read("GET", "", &long, None).unwrap();
    assert_eq!(request.single("a").unwrap().unwrap_err().code().as_str(), "limit_exceeded");
}

#[test]
fn refusals_have_their_status() {
    let status = |end| {
        LogRefusal::of_reader(end).map(|refusal| (refusal.response(vec![]).status, refusal.code().as_str()))
    };
    assert_eq!(status(ReaderEnd::Closed), None);
    assert_eq!(status(ReaderEnd::Unknown), Some((404, "run_unknown")));
    assert_eq!(status(ReaderEnd::Trimmed), Some((410, "log_trimmed")));
    assert_eq!(status(ReaderEnd::Replaced), Some((410, "log_replaced")));
    assert_eq!(status(ReaderEnd::Ahead), Some((409, "cursor_ahead")));
    assert_eq!(status(ReaderEnd::Unavailable), Some((503, "log_unavailable")));
    assert_eq!(status(ReaderEnd::Damaged), Some((500, "internal")));
}

#[test]
fn a_response_says_where_it_begins() {
    let response = LogResponse {
        wire_format: WireFormat::Text,
        thread_id: "t 1",
        run_id: "ä\n",
        after: CURSOR.parse().unwrap(),
        prefix: Some(PrefixHead { frames: 2, through: 7 }),
        heartbeat: Some(Duration::from_millis(1500)),
        path: "?tenant=1",
    };
    let wanted = [
        ("ag-ui-run", "%C3%A4%0A"),
        ("ag-ui-cursor", CURSOR),
        ("content-location", "?tenant=1&thread=t%201&run=%C3%A4%0A"),
        ("ag-ui-prefix", "2;through=7"),
        ("ag-ui-heartbeat", "1.5"),
    ];
    assert_eq!(response.headers(), wanted.map(|(name, value)| (name, value.to_owned())));
}

#[test]
fn frames_have_their_places() {
    let frames = [r#"{"type":"CUSTOM","name":"a","value":1}"#, r#"{"type":"CUSTOM","name":"b","value":1}"#]
        .map(Frame::from);
    let after = CURSOR.parse().unwrap();
    let text = encode_frames(WireFormat::Text, after, &frames).unwrap();
    let id = "id: BwcHBwcHBwcHBwcHBwcHBw";
    let wanted = format!("{id}-4\ndata: {}\n\n{id}-5\ndata: {}\n\n", frames[0].as_str(), frames[1].as_str());
    assert_eq!(String::from_utf8(text).unwrap(), wanted);
    let binary = encode_frames(WireFormat::Binary, after, &frames).unwrap();
    assert_eq!(binary, frames.map(|frame| protobuf_frame(&frame)).concat());
}

fn protobuf_frame(frame: &Frame) -> Vec<u8> {
    let (event, _) = from_json::<Event>(frame.as_str().as_bytes(), Profile::Strict).unwrap();
    protobuf::to_frame(&event).unwrap()
}

#[test]
fn inputs_that_mean_the_same_have_one_digest() {
    let digest = |json: &str| {
        let (input, _) = from_json::<RunAgentInput>(json.as_bytes(), Profile::Strict).unwrap();
        InputDigest::of(&input)
    };
    let one = r#"{"threadId":"t","runId":"r","messages":[],"state":{"a":[{"x":1,"y":2}],"b":1.0}}"#;
    let same =
        r#"{"runId": "r", "state": {"b": 1, "a": [{"y": 2, "x": 1}]}, "messages": [], "threadId": "t"}"#;
    let other = r#"{"threadId":"t","runId":"r","messages":[],"state":{"a":[{"x":1,"y":3}],"b":1.0}}"#;
    assert_eq!(digest(one), digest(same));
    assert_ne!(digest(one), digest(other));
}

#[test]
fn a_run_without_readers_goes_on_as_the_options_say() {
    let grace = |on_disconnect, resumes| {
        LogOptions { on_disconnect, ..LogOptions::default() }
            .policy(resumes)
            .grace
            .map(|grace| grace.as_secs())
    };
    assert_eq!([grace(OnDisconnect::Resume, true), grace(OnDisconnect::Resume, false)], [None, Some(30)]);
    assert_eq!([grace(OnDisconnect::Continue, true), grace(OnDisconnect::Continue, false)], [None, None]);
    assert_eq!([grace(OnDisconnect::Cancel, true), grace(OnDisconnect::Cancel, false)], [Some(30), Some(30)]);
    assert!(resumes(Some("1")) && !resumes(Some("0")) && !resumes(None));
}

/// The address of the agent, relative to that of the request, and the request, or the status of a refusal.
fn accept(method: &str, path: &str, query: &str) -> Result<(String, LogRequest), u16> {
    let request = RequestHead { method, content_type: Some("application/json"), ..RequestHead::default() };
    let head = LogHead { request, path, query, last_event_id: None };
    head.accept(None, false, &Limits::default())
        .map(|accepted| (accepted.address, accepted.request))
        .map_err(|response| response.status)
}

#[test]
fn the_head_of_a_request_is_accepted_wherever_the_agent_is_mounted() {
    let (thread_id, run_id) = ("t 1".to_owned(), "r".to_owned());
    let thread = LogRequest::Thread { thread_id: thread_id.clone() };
    let read = LogRequest::Read { thread_id: thread_id.clone(), run_id: run_id.clone(), after: None };
    let cancel = LogRequest::Cancel { thread_id, run_id };
    for address in ["", "/agent", "/threads/x/agent"] {
        let path = |below: &str| format!("{address}{below}");
        let found = |request: &LogRequest| Ok((address.to_owned(), request.clone()));
        // A proxy may pass the request on under another path, so that of the agent itself is not named.
        assert_eq!(accept("GET", address, "thread=t+1"), Ok((String::new(), thread.clone())));
        assert_eq!(accept("GET", &path("/threads/t%201"), ""), found(&thread));
        assert_eq!(accept("GET", &path("/threads/t%201/runs/r"), ""), found(&read));
        assert_eq!(accept("POST", &path("/threads/t%201/runs/r/cancel"), ""), found(&cancel));
        assert_eq!(accept("POST", address, ""), Ok((String::new(), LogRequest::Run { after: None })));
        assert_eq!(accept("GET", address, ""), Err(405));
    }
    let with_own = |query: &str| accept("GET", "/agent", query).map(|(address, _)| address);
    assert_eq!(with_own("tenant=1&thread=t&run=r&a&&%61fter=&x=%20"), Ok("?tenant=1&a&x=%20".to_owned()));
    assert_eq!(accept("POST", "/threads/t", ""), Ok((String::new(), LogRequest::Run { after: None })));
}

#[test]
fn pages_of_other_origins_read_and_cancel_runs() {
    let cors = Cors::Origins(vec!["https://a.example".into()]);
    let accept = |method, origin, requested_method, content_type| {
        let request = RequestHead {
            method,
            origin: Some(origin),
            requested_method,
            content_type,
            ..RequestHead::default()
        };
        let head = LogHead { request, query: "thread=t&cancel=r", ..LogHead::default() };
        head.accept(Some(&cors), false, &Limits::default())
    };
    let preflight = accept("OPTIONS", "https://a.example", Some("GET"), None).unwrap_err();
    assert_eq!(preflight.status, 204);
    assert!(preflight.headers.contains(&("access-control-allow-methods", "GET, POST".into())));
    let json = Some("application/json");
    let accepted = accept("POST", "https://a.example", None, json).unwrap();
    assert!(accepted.cors.contains(&("access-control-expose-headers", EXPOSED_HEADERS.into())));
    let other = accept("POST", "https://b.example", None, json).unwrap();
    assert_eq!(other.cors, [("vary", "Origin".into())]);
    assert_eq!(accept("POST", "https://a.example", None, Some("text/plain")).unwrap_err().status, 415);
}
