//! One operation, repeated until it has a reply.

use std::time::Duration;

use ag_ui_native::Code;
use ag_ui_native::bindings::durable::*;
use ag_ui_native::server::PlainResponse;

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn cancel() -> SingleOperation {
    SingleOperation::cancel(LogKey::new("", "t", "r").unwrap())
}

fn sent(single: &mut SingleOperation, now: Duration) -> Ticket {
    match single.poll(now) {
        Some(SingleCommand::Send { ticket, .. }) => ticket,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_failed_attempt_is_repeated() {
    let mut single = cancel();
    let ticket = sent(&mut single, seconds(1));
    assert_eq!(single.poll(seconds(1)), None);
    single.reply(seconds(1), ticket, Err(EngineFailure));
    assert_eq!(single.poll(seconds(1)), None);
    let at = single.deadline().unwrap();
    assert!(at > seconds(1) && at < seconds(2));
    let ticket = sent(&mut single, at);
    single.reply(at, ticket, Ok(Reply::Done));
    let Some(SingleCommand::Done(Ok(response))) = single.poll(at) else { panic!("no response") };
    assert_eq!((response.status, response.body.as_str()), (202, ""));
    assert_eq!((single.poll(at), single.deadline()), (None, None));
}

#[test]
fn an_engine_without_replies_is_unavailable() {
    for replies in [true, false] {
        let mut single = cancel();
        let mut now = seconds(1);
        let refusal = loop {
            match single.poll(now) {
                Some(SingleCommand::Done(done)) => break done.unwrap_err(),
                Some(SingleCommand::Send { ticket, .. }) if replies => {
                    single.reply(now, ticket, Err(EngineFailure));
                }
                Some(SingleCommand::Send { .. }) => {}
                None => now = single.deadline().unwrap(),
            }
        };
        assert_eq!((refusal.code(), now), (Code::LogUnavailable, seconds(6)));
    }
}

/// The end of an operation that gets this reply.
fn end(mut single: SingleOperation, reply: Reply) -> Result<PlainResponse, LogRefusal> {
    let ticket = sent(&mut single, seconds(1));
    single.reply(seconds(1), ticket, Ok(reply));
    match single.poll(seconds(1)) {
        Some(SingleCommand::Done(done)) => done,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_run_that_is_not_there_is_unknown() {
    assert_eq!(end(cancel(), Reply::Unknown).unwrap_err().code(), Code::RunUnknown);
}

#[test]
fn a_reply_of_another_kind_is_no_reply() {
    assert_eq!(end(cancel(), Reply::Fenced).unwrap_err().code(), Code::LogUnavailable);
}

#[test]
fn a_thread_is_described_by_its_snapshot() {
    let read = || SingleOperation::read_thread(ThreadKey::new("", "t").unwrap(), "t".into());
    let snapshot = r#"{"messages":[],"state":{"a":1},"interrupts":[]}"#;
    let info = ThreadInfo {
        active_run: Some("q".into()),
        last_run: Some("r".into()),
        version: 2,
        snapshot: Some(snapshot.into()),
    };
    let known = end(read(), Reply::Thread(info)).unwrap();
    assert_eq!(
        known.body,
        r#"{"threadId":"t","version":2,"activeRunId":"q","lastRunId":"r","messages":[],"state":{"a":1},"interrupts":[]}"#
    );
    assert!(known.headers.contains(&("content-length", known.body.len().to_string())));
    let empty = end(read(), Reply::Thread(ThreadInfo::default())).unwrap();
    assert_eq!((empty.status, empty.body.as_str()), (200, r#"{"threadId":"t","version":0}"#));
}
