//! The next step of a call while tools answer, and the deadlines of its callbacks, for random input of a host at any
//! time.

use crate::simulation;

use std::time::Duration;

use ag_ui_native::bindings::client::{Cause, NextStep, OutcomeKind, Runs};
use proptest::prelude::*;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

#[derive(Clone, Debug)]
enum Input {
    Started(Option<&'static str>),
    Ended(OutcomeKind, Vec<&'static str>),
    /// The calls that a host names, and how many of the four names have a function.
    Calls(Vec<&'static str>, usize),
    Answered(&'static str),
    NextStep(bool),
    Ask,
    End(Cause<'static>),
    Late,
    Deadline(Duration, bool),
}

/// Ids of calls: known ones, the same one twice, and unknown ones.
fn ids() -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(id(), 0..6)
}

fn id() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["a", "b", "c", "d", "unknown", ""])
}

/// Moments of a clock that goes back, stands still, or is at its end.
fn moment() -> impl Strategy<Value = Duration> {
    prop_oneof![
        any::<u32>().prop_map(|nanos| Duration::from_nanos(nanos.into())),
        (0..10_u64).prop_map(Duration::from_secs),
        prop::sample::select(vec![Duration::ZERO, Duration::MAX, Duration::from_secs(u64::MAX)]),
    ]
}

fn input() -> impl Strategy<Value = Input> {
    let kinds =
        prop_oneof![3 => Just(OutcomeKind::Success), 1 => prop::sample::select(OutcomeKind::ALL.to_vec())];
    let error =
        prop::sample::select(vec![None, Some("run_aborted"), Some("timed_out"), Some("of_the_application")]);
    let cause = (error, any::<bool>(), any::<bool>(), any::<bool>());
    let cause = cause.prop_map(|(error, is_aborted, is_detached, has_changes)| Cause {
        error,
        is_aborted,
        is_detached,
        has_changes,
    });
    prop_oneof![
        1 => prop::option::of(id()).prop_map(Input::Started),
        4 => (kinds, ids()).prop_map(|(kind, waits)| Input::Ended(kind, waits)),
        4 => (ids(), 0..5_usize).prop_map(|(named, known)| Input::Calls(named, known)),
        5 => id().prop_map(Input::Answered),
        8 => prop::bool::weighted(0.1).prop_map(Input::NextStep),
        2 => Just(Input::Ask),
        1 => cause.prop_map(Input::End),
        1 => Just(Input::Late),
        2 => (moment(), any::<bool>()).prop_map(|(now, of_end)| Input::Deadline(now, of_end)),
    ]
}

proptest! {
    #![proptest_config(simulation::drawn())]

    /// A step answers a waiting call, each once and in order; the agent is requested again when no call waits; a call
    /// that was cut does not go on; the callbacks for its end share one deadline, and a late one is reported once.
    #[test]
    fn schedules(inputs in prop::collection::vec(input(), 0..60), max_runs in 0..4_usize) {
        let mut runs = Runs::new(max_runs);
        runs.ask("run");
        // The calls that are still to be answered here, in order; the deadline of the end.
        let (mut here, mut told_until, mut is_reported) = (Vec::new(), None, false);
        let mut asks_again = false;
        for input in inputs {
            let before = runs.pending();
            match input {
                Input::Started(id) => runs.started(id),
                Input::Ended(kind, waits) => {
                    runs.ended(kind, &[], &waits.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>());
                }
                Input::Calls(named, known) => {
                    let named = named.into_iter().map(|id| (id, id));
                    here = runs.calls(named, |name| NAMES[..known].contains(&name)).into_iter().map(str::to_owned).collect();
                    prop_assert!(here.iter().all(|id| before.contains(id)));
                }
                Input::Answered(id) => {
                    let known = format!("{runs:?}");
                    runs.answered(id);
                    if before.iter().all(|waits| waits != id) {
                        prop_assert_eq!(known, format!("{runs:?}"), "nothing waits for {}", id);
                    }
                    prop_assert!(runs.pending().iter().all(|waits| waits != id));
                }
                Input::NextStep(is_stopped) => {
                    asks_again = false;
                    match runs.next_step(is_stopped) {
                        Ok(NextStep::Answer(id)) => {
                            prop_assert!(!is_stopped && runs.cut().is_none() && before.contains(&id), "{} waits no more", id);
                            let place = here.iter().position(|known| *known == id);
                            prop_assert!(place.is_some(), "{} is answered twice, or elsewhere", id);
                            here.drain(..=place.unwrap());
                        }
                        Ok(NextStep::Ask) => {
                            prop_assert!(before.is_empty() && runs.requested() < max_runs);
                            prop_assert!(!is_stopped && runs.cut().is_none());
                            asks_again = true;
                        }
                        Ok(NextStep::Stop) => prop_assert!(is_stopped || runs.cut().is_some()),
                        Ok(NextStep::Finish) => {}
                        Err(error) => {
                            prop_assert_eq!(error.limit, Some("max_runs"));
                            prop_assert!(runs.requested() >= max_runs && before.is_empty());
                        }
                    }
                }
                Input::Ask if asks_again => {
                    runs.ask("run");
                    (asks_again, here) = (false, Vec::new());
                    prop_assert_eq!(runs.next_step(false).unwrap(), NextStep::Finish, "nothing has come");
                }
                Input::Ask => {}
                Input::End(cause) => {
                    runs.end(cause);
                }
                Input::Late => {
                    prop_assert_eq!(runs.late().is_some(), !is_reported);
                    is_reported = true;
                }
                Input::Deadline(now, of_end) => {
                    let until = runs.callback_deadline(now, of_end);
                    if of_end {
                        prop_assert_eq!(*told_until.get_or_insert(until), until, "one moment for all");
                    } else {
                        prop_assert!(until >= now && (until > now || now == Duration::MAX));
                    }
                }
            }
        }
        // A host that continues reaches the end.
        for _ in 0..10 {
            match runs.next_step(false) {
                Ok(NextStep::Answer(id)) => runs.answered(&id),
                Ok(NextStep::Ask) => runs.ask("run"),
                Ok(NextStep::Finish | NextStep::Stop) | Err(_) => return Ok(()),
            }
        }
        prop_assert!(false, "no end");
    }
}

#[test]
fn a_new_call_forgets_the_deadlines_of_the_one_before() {
    let mut runs = Runs::new(1);
    let first = runs.callback_deadline(Duration::ZERO, true);
    assert!(runs.late().is_some() && runs.late().is_none());
    assert_eq!(runs.callback_deadline(Duration::from_secs(9), true), first);
    let mut next = runs.next(1);
    assert!(next.callback_deadline(Duration::from_secs(9), true) > first && next.late().is_some());
}

/// Two calls that wait, of which a tool answers the first.
fn answering() -> Runs {
    let mut runs = Runs::new(9);
    runs.ask("run");
    runs.ended(OutcomeKind::Success, &[], &["a".to_owned(), "b".to_owned()]);
    assert_eq!(runs.calls([("a", "look"), ("b", "look")], |_| true), ["a", "b"]);
    assert_eq!(runs.next_step(false).unwrap(), NextStep::Answer("a".to_owned()));
    runs
}

#[test]
fn a_call_that_something_else_has_answered_is_not_answered_again() {
    let mut runs = answering();
    runs.answered("b");
    runs.answered("a");
    assert_eq!(runs.next_step(false).unwrap(), NextStep::Ask);
}

#[test]
fn a_call_that_is_cut_answers_nothing_more() {
    let mut runs = answering();
    runs.end(Cause { error: Some("timed_out"), ..Cause::default() });
    assert_eq!(runs.next_step(false).unwrap(), NextStep::Stop);
}

#[test]
fn what_a_run_before_has_left_is_not_answered_in_the_next_one() {
    let mut runs = answering();
    runs.started(Some("another"));
    assert_eq!(runs.next_step(false).unwrap(), NextStep::Finish);
}
