//! The ends that a producer gives a run: at its longest duration, and when its process shuts down.

use std::time::Duration;

use ag_ui_native::bindings::durable::*;

use crate::store::{SECOND, key};

const OPTIONS: fn() -> ProducerOptions = ProducerOptions::default;

/// Polls until the next command that is no renewal; renewals succeed. Returns the time, too.
fn next(producer: &mut Producer, mut now: Duration) -> (Duration, ProducerCommand) {
    loop {
        match producer.poll(now) {
            Some(ProducerCommand::Send { ticket, operation: Operation::Renew { .. } }) => {
                producer.reply(now, ticket, Ok(Reply::Renewed { is_cancelled: false, is_attended: true }));
            }
            Some(command) => return (now, command),
            None => now = producer.deadline().expect("the run is over"),
        }
    }
}

/// The end that the producer stores: its bytes and its number.
fn end(producer: &mut Producer, now: Duration) -> (Ticket, u64, String) {
    match next(producer, now) {
        (_, ProducerCommand::Send { ticket, operation: Operation::Append(append) }) => {
            assert!(append.end.is_some());
            let last = append.frames.last().unwrap().as_str().to_owned();
            (ticket, append.first + append.frames.len() as u64 - 1, last)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_run_that_lasts_too_long_is_ended_behind_what_was_written() {
    let options = ProducerOptions { max_age: Some(60 * SECOND), ..OPTIONS() };
    let mut producer = Producer::new(key("r"), 1, SECOND, options);
    let (at, command) = next(&mut producer, SECOND);
    assert_eq!((at, command), (61 * SECOND, ProducerCommand::Stop(StopReason::TooOld)));
    assert_eq!(producer.write(at, "late".into()), None, "the agent writes no more");
    let (ticket, number, last) = end(&mut producer, at);
    assert!(number == 1 && last.contains("limit_exceeded") && last.contains("log_age"), "{last}");
    producer.reply(at, ticket, Ok(Reply::Appended { next: 2 }));
    producer.poll(at);
    assert_eq!(producer.poll(at), Some(ProducerCommand::Closed));
}

#[test]
fn a_process_that_shuts_down_leaves_its_runs_time() {
    let mut producer = Producer::new(key("r"), 1, SECOND, OPTIONS());
    producer.drain(2 * SECOND);
    producer.drain(3 * SECOND);
    producer.write(3 * SECOND, "a".into());
    let (at, command) = next(&mut producer, 3 * SECOND);
    let ProducerCommand::Send { ticket, .. } = command else { panic!("{command:?}") };
    producer.reply(at, ticket, Ok(Reply::Appended { next: 2 }));
    assert_eq!(next(&mut producer, at), (at, ProducerCommand::Stored { through: 1 }));
    let (at, command) = next(&mut producer, at);
    assert_eq!((at, command), (12 * SECOND, ProducerCommand::Stop(StopReason::Drained)));
    let (_, number, last) = end(&mut producer, at);
    assert!(number == 2 && last.contains("producer_lost"), "{last}");
}

#[test]
fn a_run_that_ends_in_time_is_left_alone() {
    let mut producer = Producer::new(key("r"), 1, SECOND, OPTIONS());
    producer.drain(SECOND);
    producer.finish(10 * SECOND, "the end".into(), None);
    let (ticket, number, last) = end(&mut producer, 10 * SECOND);
    assert_eq!((number, last.as_str()), (1, "the end"));
    producer.reply(12 * SECOND, ticket, Ok(Reply::Appended { next: 2 }));
    assert_eq!(producer.poll(12 * SECOND), Some(ProducerCommand::Stored { through: 1 }));
    assert_eq!(producer.poll(12 * SECOND), Some(ProducerCommand::Closed));
}

#[test]
fn a_silent_engine_does_not_hold_up_a_shutdown() {
    let options = ProducerOptions { lease: 600 * SECOND, ..OPTIONS() };
    let mut producer = Producer::new(key("r"), 1, SECOND, options);
    producer.drain(SECOND);
    let mut now = SECOND;
    let given_up = loop {
        match next(&mut producer, now) {
            (at, ProducerCommand::Stop(StopReason::LogFailed)) => break at,
            (at, _) => now = at,
        }
    };
    assert_eq!(given_up, 16 * SECOND, "10 seconds for the agent, 5 for the engine");
    assert!(producer.is_over());
}
