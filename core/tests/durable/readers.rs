//! A reader, input by input.

use std::time::Duration;

use ag_ui_native::bindings::durable::*;

use crate::store::{SECOND, frames, key};

const INCARNATION: [u8; 16] = [7; 16];

/// A reader and its clock.
struct Bench(Reader, Duration);

impl Bench {
    fn new(after: Option<Cursor>) -> Self {
        Self(Reader::new(key("r"), after, ReaderOptions::default()), SECOND)
    }

    /// The next command behind the one that opens the response.
    fn poll(&mut self) -> Option<ReaderCommand> {
        match self.0.poll(self.1) {
            Some(ReaderCommand::Opened { .. }) => self.0.poll(self.1),
            command => command,
        }
    }

    fn sent(&mut self) -> (Ticket, Option<Cursor>) {
        match self.poll() {
            Some(ReaderCommand::Send { ticket, operation: Operation::Read(read) }) => (ticket, read.after),
            other => panic!("{other:?}"),
        }
    }

    fn reply(&mut self, ticket: Ticket, first: u64, texts: &[&str], next: u64, is_closed: bool) {
        let incarnation = Incarnation::from_bytes(INCARNATION);
        let page = Page { incarnation, first, frames: frames(texts), next, is_closed };
        self.0.reply(self.1, ticket, Ok(Reply::Page(page)));
    }
}

fn cursor(number: u64) -> Cursor {
    Cursor { incarnation: Incarnation::from_bytes(INCARNATION), number }
}

#[test]
fn stored_frames_come_first_and_then_each_as_it_is_stored() {
    let mut bench = Bench::new(None);
    let (ticket, after) = bench.sent();
    assert_eq!(after, None);
    bench.reply(ticket, 1, &["a", "b"], 4, false);
    assert_eq!(bench.poll(), Some(ReaderCommand::Frames { after: cursor(0), frames: frames(&["a", "b"]) }));
    let (ticket, after) = bench.sent();
    assert_eq!(after, Some(cursor(2)), "there are more");
    bench.reply(ticket, 3, &["c"], 4, false);
    assert_eq!(bench.poll(), Some(ReaderCommand::Frames { after: cursor(2), frames: frames(&["c"]) }));
    assert_eq!((bench.poll(), bench.0.cursor()), (None, Some(cursor(3))));
    bench.0.hint(Hint::Appended { next: 4 });
    assert_eq!(bench.poll(), None, "an old hint");
    bench.0.hint(Hint::Appended { next: 5 });
    let (ticket, _) = bench.sent();
    bench.reply(ticket, 4, &["z"], 5, true);
    assert_eq!(bench.poll(), Some(ReaderCommand::Frames { after: cursor(3), frames: frames(&["z"]) }));
    assert_eq!(bench.poll(), Some(ReaderCommand::End(ReaderEnd::Closed)));
    assert_eq!((bench.poll(), bench.0.deadline()), (None, None));
}

#[test]
fn a_lost_hint_costs_a_second() {
    let mut bench = Bench::new(Some(cursor(3)));
    let (ticket, after) = bench.sent();
    assert_eq!(after, Some(cursor(3)));
    bench.reply(ticket, 4, &[], 4, false);
    assert_eq!((bench.poll(), bench.0.deadline()), (None, Some(bench.1 + SECOND)));
    bench.1 += SECOND;
    let (ticket, _) = bench.sent();
    bench.reply(ticket, 4, &[], 4, true);
    assert_eq!(bench.poll(), Some(ReaderCommand::End(ReaderEnd::Closed)), "nothing is behind the end");
}

#[test]
fn a_read_without_a_reply_is_repeated() {
    let mut bench = Bench::new(None);
    let (ticket, _) = bench.sent();
    bench.reply(ticket, 1, &[], 1, false);
    assert_eq!(bench.poll(), None);
    bench.0.hint(Hint::Appended { next: 2 });
    let (lost, _) = bench.sent();
    bench.1 += 5 * SECOND;
    assert_eq!(bench.poll(), None);
    bench.1 += Duration::from_millis(50);
    let (ticket, after) = bench.sent();
    bench.reply(lost, 1, &["a"], 2, false);
    assert_eq!((bench.poll(), after), (None, Some(cursor(0))), "a late reply is that of an earlier read");
    bench.reply(ticket, 1, &["a"], 2, false);
    assert!(matches!(bench.poll(), Some(ReaderCommand::Frames { .. })));
}

#[test]
fn the_response_begins_with_the_first_reply() {
    let mut bench = Bench::new(Some(cursor(3)));
    let (ticket, _) = bench.sent();
    bench.reply(ticket, 4, &[], 4, false);
    let opened = ReaderCommand::Opened { after: cursor(3), prefix: None };
    assert_eq!((bench.0.poll(bench.1), bench.0.poll(bench.1)), (Some(opened), None));

    let mut bench = Bench::new(Some(cursor(3)));
    let (ticket, _) = bench.sent();
    bench.reply(ticket, 4, &[], 4, true);
    let end = ReaderCommand::End(ReaderEnd::Closed);
    assert_eq!(bench.0.poll(bench.1), Some(end), "nothing is behind the end, and nothing was opened");
}

#[test]
fn an_engine_that_does_not_reply_is_unavailable() {
    for is_silent in [false, true] {
        let mut bench = Bench::new(None);
        let end = loop {
            match bench.0.poll(bench.1) {
                Some(ReaderCommand::Send { ticket, .. }) if !is_silent => {
                    bench.0.reply(bench.1, ticket, Err(EngineFailure));
                }
                Some(ReaderCommand::Send { .. }) => {}
                Some(command) => break command,
                None => bench.1 = bench.0.deadline().unwrap(),
            }
        };
        assert_eq!(end, ReaderCommand::End(ReaderEnd::Unavailable));
        assert!(bench.1 < 8 * SECOND, "{:?}", bench.1);
    }
}

#[test]
fn an_engine_that_falls_silent_ends_the_response_behind_its_outage() {
    for is_silent in [false, true] {
        let mut bench = Bench::new(None);
        let (ticket, _) = bench.sent();
        bench.reply(ticket, 1, &["a"], 2, false);
        assert!(matches!(bench.poll(), Some(ReaderCommand::Frames { .. })));
        let (begun, mut sent) = (bench.1, 0);
        let end = loop {
            match bench.0.poll(bench.1) {
                Some(ReaderCommand::Send { ticket, .. }) => {
                    sent += 1;
                    if !is_silent {
                        bench.0.reply(bench.1, ticket, Err(EngineFailure));
                    }
                }
                Some(command) => break command,
                None => bench.1 = bench.0.deadline().unwrap(),
            }
        };
        assert_eq!(end, ReaderCommand::End(ReaderEnd::Unavailable));
        let over = begun + 30 * SECOND..=begun + 36 * SECOND;
        assert!(over.contains(&bench.1), "{:?}", bench.1);
        assert!(sent >= 5, "{sent}");
    }
}

#[test]
fn a_reply_within_the_outage_lets_the_response_go_on() {
    let mut bench = Bench::new(None);
    let (ticket, _) = bench.sent();
    bench.reply(ticket, 1, &[], 1, false);
    for next in 2..5 {
        // It is down for 29 seconds, again and again.
        let up_at = bench.1 + 29 * SECOND;
        let ticket = loop {
            match bench.poll() {
                Some(ReaderCommand::Send { ticket, .. }) if bench.1 >= up_at => break ticket,
                Some(ReaderCommand::Send { ticket, .. }) => {
                    bench.0.reply(bench.1, ticket, Err(EngineFailure));
                }
                Some(command) => panic!("{command:?}"),
                None => bench.1 = bench.0.deadline().unwrap(),
            }
        };
        bench.reply(ticket, next - 1, &["a"], next, false);
        assert!(matches!(bench.poll(), Some(ReaderCommand::Frames { .. })));
    }
}

#[test]
fn refusals_end_it() {
    for (reply, end) in [
        (Reply::Unknown, ReaderEnd::Unknown),
        (Reply::Trimmed, ReaderEnd::Trimmed),
        (Reply::Replaced, ReaderEnd::Replaced),
        (Reply::Ahead, ReaderEnd::Ahead),
    ] {
        let mut bench = Bench::new(Some(cursor(1)));
        let (ticket, _) = bench.sent();
        bench.0.reply(bench.1, ticket, Ok(reply));
        assert_eq!(bench.poll(), Some(ReaderCommand::End(end)));
        assert_eq!((bench.poll(), bench.0.deadline()), (None, None));
    }
}

#[test]
fn a_page_from_another_place_is_read_again() {
    for first in [0, 2, u64::MAX] {
        let mut bench = Bench::new(None);
        let (ticket, _) = bench.sent();
        bench.reply(ticket, first, &["b"], 3, false);
        assert_eq!((bench.poll(), bench.0.cursor()), (None, None));
        bench.1 += Duration::from_millis(50);
        let (ticket, _) = bench.sent();
        bench.reply(ticket, 1, &["a"], 2, true);
        assert!(matches!(bench.poll(), Some(ReaderCommand::Frames { .. })));
    }
}

#[test]
fn a_reader_prolongs_the_grace_time() {
    let options = ReaderOptions { grace: Some(3 * SECOND), look: 9 * SECOND, ..ReaderOptions::default() };
    let mut bench = Bench(Reader::new(key("r"), None, options), SECOND);
    let attend = |bench: &mut Bench| match bench.poll() {
        Some(ReaderCommand::Send { ticket, operation: Operation::Attend { key: read } }) => {
            assert_eq!(read, key("r"));
            ticket
        }
        other => panic!("{other:?}"),
    };
    let ticket = attend(&mut bench);
    bench.0.reply(bench.1, ticket, Err(EngineFailure));
    let (read, _) = bench.sent();
    bench.reply(read, 1, &[], 1, false);
    assert_eq!((bench.poll(), bench.0.deadline()), (None, Some(bench.1 + Duration::from_millis(50))));
    bench.1 += Duration::from_millis(50);
    let ticket = attend(&mut bench);
    bench.0.reply(bench.1, ticket, Ok(Reply::Done));
    assert_eq!((bench.poll(), bench.0.deadline()), (None, Some(bench.1 + SECOND)));
    bench.1 += SECOND;
    attend(&mut bench);
}

#[test]
fn a_process_that_shuts_down_ends_its_readers_a_second_behind_its_runs() {
    let mut bench = Bench::new(Some(cursor(1)));
    bench.0.drain(SECOND);
    bench.0.drain(5 * SECOND);
    let mut looks = 0;
    let end = loop {
        match bench.0.poll(bench.1) {
            Some(ReaderCommand::Send { ticket, .. }) => {
                looks += 1;
                bench.reply(ticket, 2, &[], 2, false);
            }
            Some(ReaderCommand::Opened { .. }) => {}
            Some(command) => break command,
            None => bench.1 = bench.0.deadline().unwrap(),
        }
    };
    assert_eq!((end, bench.1), (ReaderCommand::End(ReaderEnd::Drained), 12 * SECOND));
    assert!(looks > 5, "until then it looks for frames: {looks}");
    assert_eq!((bench.poll(), bench.0.deadline()), (None, None));
    assert_eq!(LogRefusal::of_reader(ReaderEnd::Drained).unwrap().code().as_str(), "server_draining");
}

/// As long as pages come, each within the patience with the engine.
#[test]
fn a_long_log_may_take_its_time_until_it_is_joined() {
    let mut bench = Bench(Reader::join(key("r"), None, ReaderOptions::default()), SECOND);
    let start = r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#;
    let delta = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"x"}"#;
    for number in 1..=10 {
        let (ticket, _) = bench.sent();
        bench.1 += 3 * SECOND;
        bench.reply(ticket, number, &[if number == 1 { start } else { delta }], 11, false);
    }
    let opened = bench.0.poll(bench.1);
    assert!(matches!(opened, Some(ReaderCommand::Opened { prefix: Some(_), .. })), "{opened:?}");
}
