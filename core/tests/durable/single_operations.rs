//! One operation, repeated until it has a reply.

use std::time::Duration;

use ag_ui_native::Code;
use ag_ui_native::bindings::durable::*;

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn cancel() -> SingleOperation {
    SingleOperation::new(Operation::Cancel { key: LogKey::new("", "t", "r").unwrap() })
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
    assert_eq!(single.poll(at), Some(SingleCommand::Done(Ok(Reply::Done))));
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
