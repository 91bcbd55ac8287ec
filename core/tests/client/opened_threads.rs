//! Threads that are opened.

use ag_ui_native::bindings::client::{OpenedThread, OutcomeKind, Runs};
use ag_ui_native::{Code, Error, Limits, Profile, Value};

fn read(json: &str) -> Result<OpenedThread, Error> {
    OpenedThread::read(json, "t", Profile::Tolerant, Limits::default())
}

#[test]
fn a_thread_without_an_active_run_has_the_outcome_of_its_interrupts() {
    for (waits, outcome) in [(true, OutcomeKind::Interrupt), (false, OutcomeKind::Success)] {
        let mut runs = Runs::new(1);
        runs.opened(Some("last"), waits);
        assert!(runs.is_whole());
        assert_eq!((runs.all()[0].run_id.as_str(), runs.all()[0].outcome), ("last", outcome));
    }
}

#[test]
fn the_data_of_a_thread_is_read() {
    let thread = read(
        r#"{"threadId":"t","version":2,"activeRunId":"a","lastRunId":"l","messages":[{"id":"m","role":"user","content":"x"}],
        "state":{"n":1e400},"interrupts":[{"id":"i","reason":"r"}]}"#,
    )
    .unwrap();
    assert_eq!((thread.messages.unwrap().len(), thread.interrupts[0].id.as_str()), (1, "i"));
    assert_eq!((thread.active_run_id.as_deref(), thread.last_run_id.as_deref()), (Some("a"), Some("l")));
    assert!(matches!(thread.state, Some(Value::Object(_))));
    assert_eq!(read(r#"{"threadId":"t","version":0}"#).unwrap(), OpenedThread::default());
}

#[test]
fn an_answer_that_is_no_thread_is_refused() {
    for json in ["<html>", "[]", r#"{"threadId":"other"}"#, r#"{"threadId":1}"#, "{}"] {
        assert_eq!(read(json).unwrap_err().code(), Code::WrongContentType, "{json}");
    }
    assert!(read(r#"{"threadId":"t","messages":1}"#).is_err());
}
