//! A producer, input by input.

use std::time::Duration;

use ag_ui_native::bindings::durable::*;

use crate::store::{SECOND, frames, key};

const MILLISECOND: Duration = Duration::from_millis(1);

/// A producer and its clock.
struct Bench(Producer, Duration);

impl Bench {
    fn new() -> Self {
        Self(Producer::new(key("r"), 1, SECOND, ProducerOptions::default()), SECOND)
    }

    /// Returns a producer whose first frame is stored.
    fn begun() -> Self {
        let mut bench = Self::new();
        bench.write("first");
        let (ticket, append) = bench.append();
        assert_eq!((append.first, append.frames), (1, frames(&["first"])));
        bench.reply(ticket, Ok(Reply::Appended { next: 2 }));
        assert_eq!(bench.poll(), Some(ProducerCommand::Stored { through: 1 }));
        bench
    }

    fn write(&mut self, text: &str) -> Option<u64> {
        self.0.write(self.1, text.into())
    }

    fn finish(&mut self, text: &str) -> Option<u64> {
        self.0.finish(self.1, text.into(), None)
    }

    fn poll(&mut self) -> Option<ProducerCommand> {
        self.0.poll(self.1)
    }

    fn reply(&mut self, ticket: Ticket, reply: Result<Reply, EngineFailure>) {
        self.0.reply(self.1, ticket, reply);
    }

    fn append(&mut self) -> (Ticket, Append) {
        match self.poll() {
            Some(ProducerCommand::Send { ticket, operation: Operation::Append(append) }) => (ticket, append),
            other => panic!("{other:?}"),
        }
    }

    fn renew(&mut self) -> Ticket {
        match self.poll() {
            Some(ProducerCommand::Send { ticket, operation: Operation::Renew { epoch: 1, .. } }) => ticket,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_first_frame_is_sent_at_once_and_others_in_groups() {
    let mut bench = Bench::begun();
    assert_eq!(bench.write("a"), Some(2));
    bench.1 += MILLISECOND;
    assert_eq!((bench.write("b"), bench.poll()), (Some(3), None));
    assert_eq!(bench.0.deadline(), Some(bench.1 + 4 * MILLISECOND));
    bench.1 += 4 * MILLISECOND;
    let (ticket, append) = bench.append();
    assert_eq!((append.first, append.frames, append.end), (2, frames(&["a", "b"]), None));
    bench.write("c");
    bench.1 += 9 * MILLISECOND;
    assert_eq!(bench.poll(), None, "one append at a time");
    bench.reply(ticket, Ok(Reply::Appended { next: 4 }));
    assert_eq!(bench.poll(), Some(ProducerCommand::Stored { through: 3 }));
    assert_eq!(bench.append().1.frames, frames(&["c"]));
}

#[test]
fn a_full_batch_and_a_flushed_frame_do_not_wait() {
    let mut bench = Bench::begun();
    let texts: Vec<_> = (0..33).map(|number| number.to_string()).collect();
    for text in &texts[..31] {
        bench.write(text);
    }
    assert_eq!(bench.poll(), None);
    for text in &texts[31..] {
        bench.write(text);
    }
    let (ticket, append) = bench.append();
    assert_eq!(append.frames.len(), 32);
    bench.reply(ticket, Ok(Reply::Appended { next: 34 }));
    bench.poll();
    assert_eq!(bench.poll(), None, "the last frame waits for others");
    bench.0.flush(bench.1);
    assert_eq!(bench.append().1.frames, frames(&["32"]));
}

#[test]
fn a_frame_behind_one_that_was_awaited_does_not_wait() {
    let mut bench = Bench::new();
    bench.write("the start of the run");
    bench.0.flush(bench.1);
    let (ticket, _) = bench.append();
    bench.reply(ticket, Ok(Reply::Appended { next: 2 }));
    bench.poll();
    bench.write("the first token");
    let (ticket, append) = bench.append();
    assert_eq!(append.frames, frames(&["the first token"]));
    bench.reply(ticket, Ok(Reply::Appended { next: 3 }));
    bench.poll();
    bench.write("the second token");
    assert_eq!(bench.poll(), None);
    assert_eq!(bench.0.deadline(), Some(bench.1 + 5 * MILLISECOND));
}

#[test]
fn the_end_is_in_the_last_append_alone() {
    let mut bench = Bench::begun();
    for _ in 0..32 {
        bench.write("a");
    }
    assert_eq!(bench.finish("z"), Some(34));
    assert_eq!((bench.write("late"), bench.finish("late")), (None, None));
    let (ticket, append) = bench.append();
    assert_eq!((append.frames.len(), append.end), (32, None));
    bench.reply(ticket, Ok(Reply::Appended { next: 34 }));
    bench.poll();
    let (ticket, append) = bench.append();
    assert_eq!((append.frames, append.end), (frames(&["z"]), Some(RunEnd::default())));
    bench.reply(ticket, Ok(Reply::Appended { next: 35 }));
    assert_eq!(bench.poll(), Some(ProducerCommand::Stored { through: 34 }));
    assert_eq!(bench.poll(), Some(ProducerCommand::Closed));
    assert_eq!((bench.poll(), bench.0.deadline()), (None, None));
}

#[test]
fn what_gets_no_reply_is_repeated() {
    let mut bench = Bench::begun();
    bench.finish("z");
    let (lost, first) = bench.append();
    bench.1 += 5 * SECOND;
    assert_eq!((bench.poll(), bench.0.deadline()), (None, Some(bench.1 + 50 * MILLISECOND)));
    bench.1 += 50 * MILLISECOND;
    let (ticket, again) = bench.append();
    assert_eq!(again, first);
    bench.reply(lost, Ok(Reply::Fenced));
    assert_eq!(bench.poll(), None, "a late reply is that of an earlier operation");
    bench.reply(ticket, Err(EngineFailure));
    assert_eq!(bench.poll(), None);
    bench.1 += 100 * MILLISECOND;
    let (ticket, _) = bench.append();
    bench.reply(ticket, Ok(Reply::Appended { next: 3 }));
    assert_eq!(bench.poll(), Some(ProducerCommand::Stored { through: 2 }));
}

#[test]
fn the_lease_is_renewed_after_a_third() {
    let mut bench = Bench::begun();
    assert_eq!(bench.0.deadline(), Some(11 * SECOND));
    bench.1 = 11 * SECOND;
    let ticket = bench.renew();
    bench.reply(ticket, Ok(Reply::Renewed { is_cancelled: false, is_attended: true }));
    assert_eq!((bench.poll(), bench.0.deadline()), (None, Some(21 * SECOND)));
    bench.1 = 21 * SECOND;
    let ticket = bench.renew();
    bench.reply(ticket, Ok(Reply::Renewed { is_cancelled: true, is_attended: true }));
    assert_eq!(bench.poll(), Some(ProducerCommand::Stop(StopReason::Cancelled)));
    bench.1 = 31 * SECOND;
    let ticket = bench.renew();
    bench.reply(ticket, Ok(Reply::Renewed { is_cancelled: true, is_attended: true }));
    assert_eq!(bench.poll(), None, "it is told once");
    assert_eq!(bench.finish("cancelled"), Some(2), "the run has an end");
}

/// A host whose event loop was blocked for two leases, and that has renewed the lease in another thread meanwhile.
#[test]
fn a_lease_that_is_renewed_elsewhere_is_kept() {
    for is_kept in [true, false] {
        let mut bench = Bench::begun();
        let mut renewal = bench.0.renewal();
        bench.1 += 5 * MILLISECOND;
        bench.write("a");
        let (_, append) = bench.append();
        for _ in 0..5 {
            bench.1 = renewal.deadline().unwrap();
            let (ticket, operation) = renewal.poll(bench.1).unwrap();
            assert!(matches!(operation, Operation::Renew { epoch: 1, .. }));
            assert_eq!(renewal.poll(bench.1), None, "one renewal at a time");
            let renewed = Reply::Renewed { is_cancelled: true, is_attended: true };
            renewal.reply(bench.1, ticket, if is_kept { Ok(renewed) } else { Err(EngineFailure) });
        }
        assert_eq!(bench.1 == 51 * SECOND, is_kept, "without a reply it is soon repeated");
        bench.1 = 62 * SECOND;
        bench.renew();
        if !is_kept {
            assert_eq!(bench.poll(), Some(ProducerCommand::Stop(StopReason::LogFailed)));
            continue;
        }
        assert_eq!(bench.poll(), None);
        bench.1 += 50 * MILLISECOND;
        assert_eq!(bench.append().1, append, "the reply has not come");
    }
}

#[test]
fn a_renewal_ends_with_its_lease_and_is_repeated_without_a_reply() {
    for reply in [Reply::Fenced, Reply::Closed, Reply::Unknown] {
        let mut renewal = Bench::begun().0.renewal();
        assert_eq!((renewal.poll(10 * SECOND), renewal.deadline()), (None, Some(11 * SECOND)));
        let (first, _) = renewal.poll(11 * SECOND).unwrap();
        // The patience of a machine is over, and the reply comes too late.
        let repeated_at = renewal.deadline().unwrap();
        assert_eq!(renewal.poll(repeated_at), None);
        let (second, _) = renewal.poll(renewal.deadline().unwrap()).unwrap();
        renewal.reply(repeated_at, first, Ok(reply.clone()));
        assert!(renewal.deadline().is_some());
        renewal.reply(repeated_at, second, Ok(reply));
        assert_eq!((renewal.deadline(), renewal.poll(3600 * SECOND)), (None, None));
    }
}

#[test]
fn refusals_stop_the_agent() {
    for (reply, reason) in [
        (Reply::Fenced, StopReason::Fenced),
        (Reply::Closed, StopReason::Fenced),
        (Reply::Unknown, StopReason::LogFailed),
        (Reply::Gap { next: 1 }, StopReason::LogFailed),
    ] {
        let mut bench = Bench::begun();
        bench.finish("z");
        let (ticket, _) = bench.append();
        bench.reply(ticket, Ok(reply.clone()));
        assert_eq!(bench.poll(), Some(ProducerCommand::Stop(reason)), "{reply:?}");
        assert_eq!((bench.poll(), bench.0.deadline(), bench.write("late")), (None, None, None));
    }
}

#[test]
fn a_log_that_is_full_ends_the_run() {
    let mut bench = Bench::begun();
    bench.finish("too big");
    let (ticket, _) = bench.append();
    bench.reply(ticket, Ok(Reply::TooBig));
    assert_eq!(bench.poll(), Some(ProducerCommand::Stop(StopReason::TooBig)));
    let (ticket, append) = bench.append();
    assert!(append.end.is_some() && append.first == 2 && append.frames.len() == 1);
    assert!(append.frames[0].as_str().contains("limit_exceeded"));
    bench.reply(ticket, Ok(Reply::Appended { next: 3 }));
    bench.poll();
    assert_eq!(bench.poll(), Some(ProducerCommand::Closed));
}

#[test]
fn a_silent_engine_fails_the_run_at_the_end_of_the_lease() {
    let mut bench = Bench::begun();
    bench.write("a");
    let mut sent = 0;
    loop {
        match bench.poll() {
            Some(ProducerCommand::Send { ticket, .. }) => {
                sent += 1;
                bench.reply(ticket, Err(EngineFailure));
            }
            Some(command) => break assert_eq!(command, ProducerCommand::Stop(StopReason::LogFailed)),
            None => bench.1 = bench.0.deadline().unwrap(),
        }
    }
    assert!(bench.1 >= 31 * SECOND && bench.1 <= 33 * SECOND, "{:?}", bench.1);
    assert!((30..90).contains(&sent), "{sent} attempts");
}

#[test]
fn waiting_bytes_leave_no_room() {
    let options = ProducerOptions { max_waiting: 4, ..ProducerOptions::default() };
    let mut producer = Producer::new(key("r"), 1, SECOND, options);
    producer.write(SECOND, "abc".into());
    assert!(producer.has_room());
    producer.write(SECOND, "d".into());
    assert!(!producer.has_room());
    let Some(ProducerCommand::Send { ticket, .. }) = producer.poll(SECOND) else { panic!() };
    producer.reply(SECOND, ticket, Ok(Reply::Appended { next: 3 }));
    assert!(producer.has_room());
}

#[test]
fn a_hint_of_a_cancel_is_confirmed_at_once() {
    let mut bench = Bench::begun();
    bench.0.hint(Hint::Appended { next: 2 });
    assert_eq!(bench.poll(), None);
    bench.0.hint(Hint::Cancelled);
    let ticket = bench.renew();
    bench.0.hint(Hint::Cancelled);
    bench.reply(ticket, Ok(Reply::Renewed { is_cancelled: false, is_attended: true }));
    let ticket = bench.renew();
    bench.reply(ticket, Ok(Reply::Renewed { is_cancelled: true, is_attended: true }));
    assert_eq!(bench.poll(), Some(ProducerCommand::Stop(StopReason::Cancelled)));
    bench.0.hint(Hint::Cancelled);
    assert_eq!(bench.poll(), None, "it is told once");
}

#[test]
fn a_run_without_readers_is_stopped_within_its_grace_time() {
    let options = ProducerOptions { grace: Some(3 * SECOND), ..ProducerOptions::default() };
    let mut bench = Bench(Producer::new(key("r"), 1, SECOND, options), SECOND);
    assert_eq!(bench.0.deadline(), Some(2 * SECOND));
    bench.1 = 2 * SECOND;
    let ticket = bench.renew();
    bench.reply(ticket, Ok(Reply::Renewed { is_cancelled: false, is_attended: false }));
    assert_eq!(bench.poll(), Some(ProducerCommand::Stop(StopReason::Unattended)));
    assert_eq!(bench.finish("cancelled"), Some(1), "the run has an end");
}

#[test]
fn a_frame_behind_a_pause_does_not_wait() {
    let mut bench = Bench::begun();
    bench.1 += 5 * MILLISECOND;
    bench.write("a");
    let (ticket, append) = bench.append();
    assert_eq!(append.frames, frames(&["a"]));
    bench.reply(ticket, Ok(Reply::Appended { next: 3 }));
    bench.poll();
    bench.1 += MILLISECOND;
    bench.write("b");
    assert_eq!((bench.poll(), bench.0.deadline()), (None, Some(bench.1 + 4 * MILLISECOND)));
}
