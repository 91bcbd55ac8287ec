//! The machine of a client's call: every transition, and random schedules.

use crate::simulation;

use ag_ui_native::Code;
use ag_ui_native::bindings::client::{OutcomeKind, RunSum, Runs};
use ag_ui_native::types::{TokenUsage, Tool};
use proptest::prelude::*;

fn tokens(count: u64) -> TokenUsage {
    let mut entry = TokenUsage::default();
    entry.model = Some("m".to_owned());
    entry.input_tokens = Some(count);
    entry
}

fn ids(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|id| (*id).to_owned()).collect()
}

fn outcomes(runs: &Runs) -> Vec<&'static str> {
    runs.all().iter().map(|run| run.outcome.as_str()).collect()
}

/// Returns the machine of a call whose run has ended with tool calls that wait.
fn ended(max_runs: usize, pending: &[&str]) -> Runs {
    let mut runs = Runs::new(max_runs);
    runs.declares(&[Tool::new("declared", "")]);
    runs.ask("first");
    runs.ended(OutcomeKind::Success, &[tokens(1)], &ids(pending));
    runs
}

#[test]
fn nothing_has_come() {
    let mut runs = Runs::new(10);
    assert!(!runs.starts_next_run().unwrap() && !runs.is_whole() && runs.pending().is_empty());
    // No run has been requested.
    runs.ended(OutcomeKind::Success, &[tokens(1)], &[]);
    assert!(runs.all().is_empty() && runs.usage().is_empty());
    runs.ask("first");
    runs.started(Some("first"));
    assert!(!runs.is_whole() && runs.stop(true));
    // The first outcome counts.
    runs.ended(OutcomeKind::Success, &[tokens(1)], &[]);
    assert!(runs.stop(false) && runs.usage().is_empty());
    assert_eq!(outcomes(&runs), ["aborted"]);
}

#[test]
fn behind_the_end_nothing_is_cut_but_it_may_fail() {
    let mut runs = ended(10, &[]);
    assert!(runs.is_whole() && !runs.stop(true));
    assert_eq!(outcomes(&runs), ["success"]);
    assert!(!runs.starts_next_run().unwrap());
    assert!(runs.stop(false));
    assert_eq!(outcomes(&runs), ["failed"]);
    assert_eq!(runs.usage(), [tokens(1)]);
}

#[test]
fn calls_with_functions_are_answered() {
    let mut runs = ended(10, &["a", "b", "c"]);
    let named = [("a", "look"), ("b", "other"), ("c", "declared"), ("d", "look")];
    assert_eq!(runs.calls(named, |name| name != "other"), ["a"]);
    assert!(!runs.is_whole(), "tools are at work");
    runs.answered("a");
    assert_eq!(runs.pending(), ids(&["b", "c"]));
    assert!(!runs.starts_next_run().unwrap(), "others wait");
    assert!(runs.stop(true));
    assert_eq!(outcomes(&runs), ["aborted"]);
    // The calls of a run that has not succeeded are not carried out.
    for outcome in OutcomeKind::ALL.into_iter().filter(|outcome| *outcome != OutcomeKind::Success) {
        let mut runs = Runs::new(10);
        runs.ask("first");
        runs.ended(outcome, &[], &ids(&["a"]));
        assert!(runs.calls([("a", "look")], |_| true).is_empty() && !runs.starts_next_run().unwrap());
    }
}

#[test]
fn a_call_that_is_named_twice_waits_once() {
    let mut runs = ended(10, &["b", "a", "b"]);
    assert_eq!(runs.pending(), ids(&["b", "a"]));
    assert_eq!(runs.calls([("b", "look"), ("a", "look"), ("b", "look")], |_| true), ["b", "a"]);
    runs.answered("b");
    runs.answered("b");
    assert!(runs.pending() == ids(&["a"]) && !runs.starts_next_run().unwrap());
    runs.answered("unknown");
    runs.answered("a");
    assert!(runs.pending().is_empty() && runs.starts_next_run().unwrap());
}

#[test]
fn runs_have_a_limit() {
    for (max_runs, starts_next_run) in [(0, false), (1, false), (2, true)] {
        let mut runs = ended(max_runs, &["a"]);
        assert_eq!(runs.calls([("a", "look")], |_| true), ["a"]);
        runs.answered("a");
        match runs.starts_next_run() {
            Ok(asked) => assert!(asked && starts_next_run),
            Err(error) => {
                assert_eq!((error.code(), error.limit), (Code::TooManyRuns, Some("max_runs")));
                assert!(!starts_next_run);
            }
        }
    }
}

#[test]
fn an_answer_may_have_several_runs() {
    let mut runs = ended(10, &["a"]);
    runs.ask("second");
    runs.ended(OutcomeKind::Success, &[tokens(2)], &ids(&["b"]));
    runs.started(None);
    assert!(!runs.is_whole() && runs.pending().is_empty(), "calls of a run before are no longer pending");
    runs.ended(OutcomeKind::Interrupt, &[tokens(4)], &[]);
    // One that nothing was heard of but its end.
    runs.ended(OutcomeKind::Error, &[tokens(8)], &[]);
    runs.name_later(&ids(&["third", "fourth"]));
    assert!(runs.is_whole());
    let named: Vec<&str> = runs.all().iter().map(|run| run.run_id.as_str()).collect();
    assert_eq!(named, ["first", "second", "third", "fourth"]);
    assert_eq!(outcomes(&runs), ["success", "success", "interrupt", "error"]);
    assert_eq!((runs.of_answer().len(), runs.requested()), (3, 2));
    assert_eq!(runs.usage(), [tokens(15)]);
    // One that nothing was heard of but its beginning.
    runs.name_later(&ids(&["third", "fourth", "fifth"]));
    assert!(!runs.is_whole() && runs.stop(true));
    assert_eq!((outcomes(&runs).last(), runs.all()[4].run_id.as_str()), (Some(&"aborted"), "fifth"));
}

#[derive(Clone, Debug)]
enum Happens {
    Started,
    Ended(OutcomeKind, u64, usize),
    Calls(usize),
    Answered(usize),
    Stop(bool),
}

fn happens() -> impl Strategy<Value = Happens> {
    let kinds = prop::sample::select(OutcomeKind::ALL.to_vec());
    prop_oneof![
        Just(Happens::Started),
        (kinds, 0..5_u64, 0..4_usize).prop_map(|(kind, count, waits)| Happens::Ended(kind, count, waits)),
        (0..4_usize).prop_map(Happens::Calls),
        (0..4_usize).prop_map(Happens::Answered),
        any::<bool>().prop_map(Happens::Stop),
    ]
}

proptest! {
    #![proptest_config(simulation::drawn())]

    /// For random events: the runs stay below their limit, no call is counted twice or lost, and a run cannot be
    /// aborted after its end was reported.
    #[test]
    fn schedules(schedule in prop::collection::vec(happens(), 0..30), max_runs in 0..5_usize) {
        let names = ["a", "b", "c", "d"];
        let mut runs = Runs::new(max_runs);
        let (mut used, mut cut) = (0, None);
        runs.ask("run");
        for step in schedule {
            let before = runs.all().len();
            match step {
                Happens::Started => runs.started(None),
                Happens::Ended(kind, count, waits) => {
                    runs.ended(kind, &[tokens(count)], &ids(&names[..waits]));
                    used += if cut.is_none() { count } else { 0 };
                    prop_assert!(runs.has_ended() || cut.is_some());
                }
                Happens::Calls(known) => {
                    let here: Vec<String> =
                        runs.calls(names.map(|id| (id, id)), |name| names[..known].contains(&name)).into_iter().map(str::to_owned).collect();
                    prop_assert!(here.iter().all(|id| runs.pending().contains(id)));
                }
                Happens::Answered(call) => {
                    runs.answered(names[call]);
                    prop_assert!(!runs.pending().iter().any(|id| id == names[call]));
                }
                Happens::Stop(is_aborted) => {
                    let is_cut = cut.is_some() || !(is_aborted && runs.is_whole());
                    prop_assert_eq!(runs.stop(is_aborted), is_cut);
                    if is_cut {
                        cut.get_or_insert(if is_aborted { "aborted" } else { "failed" });
                    }
                }
            }
            prop_assert!(runs.all().len() <= before + 1);
            // The first cause decides the outcome.
            prop_assert!(cut.is_none_or(|outcome| outcomes(&runs).last() == Some(&outcome)));
            if let Ok(true) = runs.starts_next_run() {
                prop_assert!(runs.pending().is_empty() && runs.requested() < max_runs && cut.is_none());
                runs.ask("run");
            }
        }
        prop_assert!(runs.requested() <= max_runs.max(1));
        let sum = |run: &RunSum| run.usage.iter().filter_map(|entry| entry.input_tokens).sum::<u64>();
        prop_assert_eq!(runs.all().iter().map(sum).sum::<u64>(), used);
        let total: u64 = runs.usage().iter().filter_map(|entry| entry.input_tokens).sum();
        prop_assert_eq!(total, used);
        prop_assert!(runs.usage().len() <= 1);
    }
}
