//! The notices about runs, machine by machine.

use ag_ui_native::bindings::durable::*;

use crate::store::{SECOND, key};

fn subject() -> LogSubject {
    LogSubject::run("ada", "t", "r")
}

fn told(notice: &LogNotice) -> (&'static str, Option<u64>, Option<&'static str>) {
    assert_eq!(notice.subject, subject());
    (notice.name.as_str(), notice.number, notice.reason)
}

fn recorder(options: ProducerOptions) -> Recorder {
    let input = serde_json::from_str(r#"{"threadId":"t","runId":"r","messages":[],"tools":[],"context":[]}"#);
    let producer = Producer::new(key("r"), 1, SECOND, options);
    Recorder::new(producer, &input.unwrap(), ag_ui_native::Limits::default()).about(Some(subject()))
}

/// Drives a recorder to its end, with this reply to appends. Returns its notices.
fn record(mut recorder: Recorder, reply: &Reply) -> Vec<(&'static str, Option<u64>, Option<&'static str>)> {
    let (mut now, mut notices) = (SECOND, vec![]);
    loop {
        let command = recorder.poll(now);
        notices.extend(std::iter::from_fn(|| recorder.take_notice()).map(|notice| told(&notice)));
        match command {
            Some(ProducerCommand::Send { ticket, operation: Operation::Append(append) }) => {
                let next = append.first + append.frames.len() as u64;
                let reply = if *reply == Reply::Done { Reply::Appended { next } } else { reply.clone() };
                recorder.reply(now, ticket, Ok(reply));
            }
            Some(ProducerCommand::Send { ticket, .. }) => {
                recorder.reply(now, ticket, Ok(Reply::Renewed { is_cancelled: false, is_attended: false }));
            }
            Some(_) => {}
            None => match recorder.deadline() {
                Some(deadline) => now = deadline,
                None => return notices,
            },
        }
    }
}

#[test]
fn a_recorder_tells_how_its_run_has_ended() {
    let written = |options| {
        let mut recorder = recorder(options);
        recorder.write(SECOND, b"data: {\"type\":\"RUN_ERROR\",\"message\":\"m\"}\n\n").unwrap();
        recorder
    };
    let defaults = ProducerOptions::default;
    assert_eq!(record(written(defaults()), &Reply::Done), [("ended", Some(1), None)]);
    assert_eq!(record(written(defaults()), &Reply::Fenced), [("fenced", None, None)]);
    assert_eq!(record(written(defaults()), &Reply::Unknown), [("unavailable", None, None)]);
    let aged = ProducerOptions { max_age: Some(SECOND), ..defaults() };
    assert_eq!(record(recorder(aged), &Reply::Done), [("ended", Some(1), Some("too_old"))]);
    let mut drained = recorder(ProducerOptions { drain: SECOND, ..defaults() });
    drained.drain(SECOND);
    assert_eq!(record(drained, &Reply::Done), [("lost", None, None), ("ended", Some(1), None)]);
    let left = ProducerOptions { grace: Some(SECOND), max_age: Some(9 * SECOND), ..defaults() };
    let told = record(recorder(left), &Reply::Done);
    assert_eq!(told, [("cancelled", None, Some("unattended")), ("ended", Some(1), Some("too_old"))]);
}

#[test]
fn a_reader_tells_that_it_has_joined_and_what_it_has_met() {
    let incarnation = Incarnation::from_bytes([1; 16]);
    let cursor = Cursor { incarnation, number: 1 };
    let page = |frames: &[&str], next| {
        let frames = frames.iter().map(|frame| Frame::from(*frame)).collect();
        Reply::Page(Page { incarnation, first: 2, frames, next, is_closed: next == 3 })
    };
    let lost = r#"{"type":"RUN_ERROR","message":"m","code":"producer_lost"}"#;
    let failed = r#"{"type":"RUN_ERROR","message":"producer_lost"}"#;
    let read = |joins, replies: &[Reply]| {
        let mut reader = Reader::new(key("r"), Some(cursor), ReaderOptions::default());
        reader = reader.about(Some(subject()), joins);
        let (mut replies, mut now) = (replies.iter(), SECOND);
        while let Some(deadline) = reader.deadline() {
            now = now.max(deadline);
            while let Some(command) = reader.poll(now) {
                if let ReaderCommand::Send { ticket, .. } = command {
                    reader.reply(now, ticket, Ok(replies.next().unwrap().clone()));
                }
            }
        }
        std::iter::from_fn(|| reader.take_notice()).map(|notice| told(&notice)).collect::<Vec<_>>()
    };
    let joined = ("joined", Some(1), None);
    assert_eq!(read(true, &[page(&[lost], 3)]), [joined, ("lost", None, None)]);
    assert_eq!(read(true, &[page(&[failed], 3)]), [joined]);
    assert_eq!(read(false, &[page(&[failed], 3)]), []);
    assert_eq!(read(true, &[page(&[failed], 4), Reply::Trimmed]), [joined, ("lag", Some(2), None)]);
    assert_eq!(read(true, &[Reply::Unknown]), [], "that is a refusal");
}

#[test]
fn a_refusal_has_its_code_and_no_contents() {
    let notice = LogNotice::refused("thread_busy", LogSubject::default());
    let fields: Vec<_> = notice.fields().into_iter().map(|(name, camel, _)| (name, camel)).collect();
    assert_eq!((notice.name.as_str(), fields.as_slice()), ("refused", [("code", "code")].as_slice()));
    assert_eq!(LogNotice::refused("log_unavailable", subject()).name.as_str(), "unavailable");
}

#[test]
fn the_page_has_every_notice() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/durable/notices.md");
    let page = std::fs::read_to_string(page).unwrap();
    for (name, about) in LogNoticeName::ALL {
        let row = format!("| `{name}` |{about} |");
        assert!(page.contains(&row), "docs/durable/notices.md lacks the row\n{row}");
    }
}
