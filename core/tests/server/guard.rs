//! The events that a guard lets through are legal; it does not change legal events.

use crate::random_events;

use ag_ui_native::Event;
use ag_ui_native::Limits;
use ag_ui_native::server::{Ending, Guard, GuardMode};
use ag_ui_native::stream::{ChunkExpander, EventVerifier};
use ag_ui_native::types::RunAgentInput;
use proptest::prelude::*;
use random_events::{ANY, stream};

/// Returns the events that come out in the mode `Fix`; with `fail` the agent fails after its last event.
fn fix(given: &[Event], fail: bool) -> Vec<Event> {
    let input = RunAgentInput::new("thread", "run", vec![]);
    let mut guard = Guard::new(GuardMode::Fix, Limits::default()).for_input(&input);
    let mut out = Vec::new();
    for event in given {
        let guarded = guard.push(event.clone()).unwrap();
        assert!(guarded.passed.is_some() || guarded.issue.is_some(), "what is left out is reported");
        assert!(guarded.passed.iter().all(|passed| passed == event) && guarded.made.iter().all(is_remedy));
        out.extend(guarded.made.into_iter().chain(guarded.passed));
    }
    out.extend(if fail { guard.end_run(&Ending::agent_failed(None)) } else { guard.finish() }.unwrap());
    out
}

/// Verifies the events as a client does. A warning is a failure.
fn verify(events: &[Event]) -> Result<(), ag_ui_native::Error> {
    let (mut expander, mut verifier) =
        (ChunkExpander::new(Limits::default()), EventVerifier::new(Limits::default()));
    for event in events {
        for event in expander.push(event.clone())? {
            verifier.check(&event)?;
        }
    }
    assert_eq!(verifier.take_warnings(), []);
    verifier.finish()
}

fn ends(events: &[Event]) -> usize {
    events.iter().filter(|event| matches!(event, Event::RunFinished(_) | Event::RunError(_))).count()
}

/// A fault at one place of a stream.
#[derive(Clone, Debug)]
enum Fault {
    Lost,
    Twice,
    Swapped,
    Other(Vec<Event>),
    Cut,
}

fn fault() -> impl Strategy<Value = Fault> {
    prop_oneof![
        Just(Fault::Lost),
        Just(Fault::Twice),
        Just(Fault::Swapped),
        stream(ANY, 4).prop_map(Fault::Other),
        Just(Fault::Cut),
    ]
}

/// Returns the stream with a fault at `at`.
fn break_at(mut events: Vec<Event>, at: usize, fault: Fault) -> Vec<Event> {
    match fault {
        Fault::Lost => drop(events.remove(at)),
        Fault::Twice => events.insert(at, events[at].clone()),
        Fault::Swapped if at + 1 < events.len() => events.swap(at, at + 1),
        Fault::Swapped => {}
        Fault::Other(others) => drop(events.splice(at..at, others)),
        Fault::Cut => events.truncate(at),
    }
    events
}

/// Returns true if a guard may add the event: the start of the run, and ends.
fn is_remedy(event: &Event) -> bool {
    let tag = event.tag();
    tag == "RUN_STARTED" || tag.ends_with("_END") || tag.ends_with("_FINISHED") || tag.ends_with("_ERROR")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn nothing_before_a_fault_changes_and_what_follows_is_mended(
        given in stream(ANY, 100),
        at in any::<prop::sample::Index>(),
        fault in fault(),
    ) {
        let legal = fix(&given, false);
        let at = at.index(legal.len());
        let broken = break_at(legal.clone(), at, fault);
        let out = fix(&broken, false);
        prop_assert!(verify(&out).is_ok(), "{:?}\n{out:?}", verify(&out));
        // The first may have begun the run.
        prop_assert!(at == 0 || out[..at] == legal[..at]);
    }
}

proptest! {
    #[test]
    fn what_comes_out_is_legal_and_every_run_ends_once(given in stream(ANY, 30), fail in any::<bool>()) {
        let out = fix(&given, fail);
        prop_assert!(verify(&out).is_ok(), "{:?}\n{out:?}", verify(&out));
        let runs = out.iter().filter(|event| matches!(event, Event::RunStarted(_))).count();
        // RUN_ERROR may stand alone.
        let alone = usize::from(matches!(out.first(), Some(Event::RunError(_))));
        prop_assert_eq!(ends(&out), runs + alone);
    }

    #[test]
    fn what_is_legal_passes(given in stream(ANY, 30)) {
        let legal = fix(&given, false);
        prop_assert_eq!(fix(&legal, false), legal.clone());
        let mut guard = Guard::new(GuardMode::Error, Limits::default());
        for event in legal {
            let guarded = guard.push(event.clone()).unwrap();
            prop_assert_eq!((guarded.made, guarded.passed, guarded.issue), (vec![], Some(event), None));
        }
        guard.finish().unwrap();
    }

    #[test]
    fn a_report_changes_nothing(given in stream(ANY, 30)) {
        let mut guard = Guard::new(GuardMode::Report, Limits::default());
        for event in given {
            let guarded = guard.push(event.clone()).unwrap();
            prop_assert_eq!((guarded.made, guarded.passed), (vec![], Some(event)));
        }
    }
}
