//! A run's writer with random steps: the table of `docs/architecture.md`, and 20,000 schedules by seed (`make simulate`
//! tries more).

use crate::simulation;

use std::time::Duration;

use ag_ui_native::bindings::server::{Entity, Heartbeat, RunWriter};
use ag_ui_native::server::{Cause, Ending, WireFormat};
use ag_ui_native::stream::{EventDecoder, EventVerifier};
use ag_ui_native::types::*;
use ag_ui_native::{Event, Limits, Profile};

/// A step of a schedule.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Write,
    Open,
    Close,
    FailSubagent,
    Finish,
    Fail,
    FinishWithoutState,
    CancelWithoutState,
    FinishedEvent,
    ErrorEvent,
    Decide(Why),
    Lose,
    CheckRoom,
    Conclude(Why),
    ConcludeWithoutState(Why),
    Beat,
    Take,
}

/// The cause of the end.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Why {
    Returned,
    Raised,
    CalledOff,
    TimedOut,
    Stopped,
}

use Step::*;
use Why::*;

const STEPS: [Step; 25] = [
    Write,
    Open,
    Close,
    FailSubagent,
    Finish,
    Fail,
    FinishWithoutState,
    CancelWithoutState,
    FinishedEvent,
    ErrorEvent,
    Decide(TimedOut),
    Decide(Stopped),
    Lose,
    CheckRoom,
    Conclude(Returned),
    Conclude(Raised),
    Conclude(CalledOff),
    Conclude(TimedOut),
    Conclude(Stopped),
    ConcludeWithoutState(Returned),
    ConcludeWithoutState(Raised),
    ConcludeWithoutState(Stopped),
    Beat,
    Take,
    Take,
];

impl Why {
    fn cause(self) -> Cause {
        match self {
            Returned => Cause::Returned(Some("returned".into())),
            Raised => Cause::Raised(Some("raised".into())),
            CalledOff => Cause::CalledOff,
            TimedOut => Cause::TimedOut,
            Stopped => Cause::Stopped,
        }
    }

    /// Returns the outcome of a run that ends with this cause; `is_sent` is true if its state could be sent.
    fn end(self, is_sent: bool) -> &'static str {
        match self {
            Returned if is_sent => "success",
            Returned | Raised => "agent_failed",
            CalledOff | Stopped => "cancelled",
            TimedOut => "run_timeout",
        }
    }
}

/// A run, and the expected state of its writer.
struct Run {
    writer: RunWriter,
    open: Vec<Entity>,
    count: usize,
    sent: Vec<u8>,
    /// The end of the run, by the first cause.
    decided: Option<&'static str>,
    ended: Option<&'static str>,
    is_lost: bool,
    /// The client has but so long.
    is_limited: bool,
}

impl Run {
    fn new(wire_format: WireFormat) -> Self {
        let mut writer = RunWriter::new(wire_format, Limits::default());
        writer.start(&RunAgentInput::new("t", "r", vec![]), false).unwrap();
        Self {
            writer,
            open: vec![],
            count: 0,
            sent: vec![],
            decided: None,
            ended: None,
            is_lost: false,
            is_limited: false,
        }
    }

    fn decide(&mut self, end: &'static str, is_limited: bool) {
        if self.ended.is_none() && self.decided.is_none() {
            (self.decided, self.is_limited) = (Some(end), is_limited);
        }
    }

    /// Ends the run unless it has ended: as decided before, or with this end.
    fn end(&mut self, end: &'static str) {
        self.ended.get_or_insert(self.decided.unwrap_or(end));
    }

    fn own(&mut self, has_ended: bool, end: &'static str) {
        if has_ended {
            self.end(end);
        }
    }

    fn conclude(&mut self, why: Why, is_sent: bool) {
        if self.ended.is_none() {
            self.decide(why.end(is_sent), matches!(why, TimedOut | Stopped));
        }
        self.end(why.end(is_sent));
        let state = if is_sent { Ok(()) } else { Err("the state") };
        self.writer.conclude(why.cause(), state);
    }

    fn take(&mut self, step: Step) {
        let sent = || Ok::<(), &str>(());
        let unsent = || Err::<(), &str>("the state");
        self.count += 1;
        let id = format!("e{}", self.count);
        let tag = None;
        let was_running = self.writer.is_running();
        match step {
            Write => match self.open.last() {
                Some(&open) => drop(self.writer.write(open, "text")),
                None => drop(self.writer.send(CustomEvent::new("c", 1).into(), tag)),
            },
            Open => {
                let event: Event = match self.count % 3 {
                    0 => SubagentStartedEvent::new(&id, "s").into(),
                    1 => ToolCallStartEvent::new(&id, "t").into(),
                    _ => TextMessageStartEvent::new(&id).with_role(TextMessageRole::Assistant).into(),
                };
                self.open.extend(self.writer.open(event, tag));
            }
            Close => drop(self.open.pop().map(|open| self.writer.end(open))),
            FailSubagent => drop(self.open.pop().map(|open| self.writer.end_by(open, Raised.cause()))),
            Finish => {
                let ended = self.writer.end_behind(sent(), Ending::Success(None)).is_ok();
                self.own(ended, "success");
            }
            Fail => {
                let ending = Ending::Error { message: "own".into(), code: Some("own".into()) };
                let ended = self.writer.end_behind(unsent(), ending).is_ok();
                self.own(ended, "own");
            }
            FinishWithoutState => {
                let ended = self.writer.end_behind(unsent(), Ending::Success(None)).is_ok();
                assert!(!ended || self.decided.is_some());
                self.own(ended, "success");
            }
            CancelWithoutState => {
                let ended = self.writer.end_behind(unsent(), Ending::Cancelled).is_ok();
                self.own(ended, "cancelled");
            }
            FinishedEvent => {
                let ended = self.writer.send_behind(sent(), RunFinishedEvent::new("t", "r").into()).is_ok();
                self.own(ended, "success");
            }
            ErrorEvent => {
                let event = RunErrorEvent::new("own").with_code("own").into();
                let ended = self.writer.send(event, tag).is_ok();
                self.own(ended, "own");
            }
            Decide(why) => {
                self.writer.decide(why.cause());
                self.is_limited |= why == Stopped && self.ended.is_some();
                self.decide(why.end(true), true);
            }
            Lose => {
                self.writer.drop_frames();
                self.is_lost = true;
                self.decide("cancelled", false);
            }
            CheckRoom => {
                let has_room = self.writer.check_room(self.count * 40).is_ok();
                self.own(!has_room, "client_too_slow");
            }
            Conclude(why) => self.conclude(why, true),
            ConcludeWithoutState(why) => self.conclude(why, false),
            Beat => {
                let pause = Duration::from_secs(1);
                let heartbeat = Heartbeat::of_comments(self.writer.wire_format(), pause, Duration::ZERO);
                self.writer.keep_alive(heartbeat);
                self.writer.check_silence(pause, false);
            }
            Take => self.sent.extend(self.writer.take()),
        }
        assert_eq!(self.writer.is_running(), self.ended.is_none(), "{step:?}");
        assert_eq!(self.writer.grace().is_some(), self.is_limited, "{step:?}");
        if !was_running && step != Take {
            assert!(
                self.writer.waiting().is_empty() || self.has_terminal_last(),
                "{step:?}: bytes behind the end"
            );
        }
        assert!(!self.is_lost || self.writer.waiting().is_empty(), "{step:?}: no client takes bytes");
    }

    fn events(&self) -> Vec<Event> {
        let mut bytes = self.sent.clone();
        bytes.extend_from_slice(self.writer.waiting());
        let content_type = self.writer.wire_format().content_type();
        let mut decoder = EventDecoder::for_content_type(content_type).unwrap().with_profile(Profile::Strict);
        decoder.feed(&bytes).chain(decoder.close()).map(Result::unwrap).collect()
    }

    fn has_terminal_last(&self) -> bool {
        let end = self.writer.waiting();
        // A frame of the text transport; binary ones are judged when all is over.
        self.writer.wire_format() == WireFormat::Binary
            || end.rsplit(|&byte| byte == b'\n').nth(2).is_some_and(is_end)
    }

    /// Checks the run after the schedule: it has exactly one end, that of the first cause, and nothing after it.
    fn check(mut self, schedule: &[Step]) {
        self.conclude(Returned, true);
        self.take(Take);
        let events = self.events();
        let ends: Vec<_> = events.iter().filter_map(end_of).collect();
        if self.is_lost {
            assert!(ends.len() <= 1, "{schedule:?}: {ends:?}");
        } else {
            assert_eq!(ends, [self.ended.unwrap()], "{schedule:?}");
            let mut verifier = EventVerifier::new(Limits::default());
            for event in &events {
                verifier.check(event).unwrap();
            }
            verifier.finish().unwrap();
        }
        assert!(ends.is_empty() || end_of(events.last().unwrap()).is_some(), "{schedule:?}");
        for step in STEPS {
            self.take(step);
        }
        assert_eq!(self.events().len(), events.len(), "{schedule:?}: events behind the end");
    }
}

fn is_end(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    text.contains(r#""type":"RUN_FINISHED""#) || text.contains(r#""type":"RUN_ERROR""#)
}

fn end_of(event: &Event) -> Option<&'static str> {
    match event {
        Event::RunError(event) => Some(match event.code.as_deref() {
            Some("run_timeout") => "run_timeout",
            Some("client_too_slow") => "client_too_slow",
            Some("agent_failed") => "agent_failed",
            _ => "own",
        }),
        Event::RunFinished(event) if matches!(event.outcome, Some(RunFinishedOutcome::Cancelled(_))) => {
            Some("cancelled")
        }
        Event::RunFinished(_) => Some("success"),
        _ => None,
    }
}

/// Steps that bring a run to each state of the table.
const STATES: [&[Step]; 8] = [
    &[],
    &[Open, Write],
    &[Open, Decide(TimedOut)],
    &[Open, Decide(Stopped)],
    &[Open, Lose],
    &[Finish],
    &[Open, Write, Conclude(TimedOut)],
    &[ErrorEvent, Take],
];

#[test]
fn every_command_in_every_state() {
    for wire_format in [WireFormat::Text, WireFormat::Binary] {
        for state in STATES {
            for step in STEPS {
                for next in STEPS {
                    let schedule: Vec<_> = state.iter().copied().chain([step, next]).collect();
                    run(wire_format, &schedule);
                }
            }
        }
    }
}

#[test]
fn schedules_by_seed() {
    simulation::by_seed(|chance| {
        let wire_format = if chance.is(4) { WireFormat::Binary } else { WireFormat::Text };
        let length = chance.below(16);
        let schedule: Vec<_> = (0..length).map(|_| chance.one(&STEPS)).collect();
        run(wire_format, &schedule);
    });
}

fn run(wire_format: WireFormat, schedule: &[Step]) {
    let mut run = Run::new(wire_format);
    for &step in schedule {
        run.take(step);
    }
    run.check(schedule);
}
