//! Answers to interrupts, checked against the snapshot of the thread.

use ag_ui_native::Code;
use ag_ui_native::bindings::durable::*;
use ag_ui_native::types::{AssistantMessage, ResumeEntry, ResumeStatus, RunAgentInput};

use crate::store::{SECOND, create, key};

/// The time of the requests: behind the expiry of the interrupt `old`.
const NOW: i64 = 1_800_000_000_000;
const WAITING: &str = r#"{"messages":[],"state":{},"interrupts":[{"id":"i","reason":"tool_call"}]}"#;
const EXPIRED: &str = r#"{"interrupts":[{"id":"i","reason":"a","expiresAt":"2020-01-01T00:00:00Z"}]}"#;
const NONE: &str = r#"{"messages":[],"state":{},"interrupts":[]}"#;

/// The input of a run that follows others.
fn input(run: &str, answers: &[&str]) -> RunAgentInput {
    let resume: Vec<_> = answers.iter().map(|id| ResumeEntry::new(*id, ResumeStatus::Resolved)).collect();
    let before = AssistantMessage::new("m").with_content("Hello");
    RunAgentInput::new("thread", run, vec![before.into()]).with_resume(resume)
}

/// The request of a run. Requests of one run have the same digest.
fn asked(run: &str, answers: &[&str], on_busy: OnBusy) -> Admission {
    asked_with(run, &input(run, answers), on_busy)
}

fn asked_with(run: &str, input: &RunAgentInput, on_busy: OnBusy) -> Admission {
    let digest = InputDigest::of_canonical(run.as_bytes());
    let create = Create {
        run_id: run.into(),
        owner: Incarnation::new_random().to_string(),
        digest,
        ..create(key(run))
    };
    let options = AdmissionOptions { on_busy, ..AdmissionOptions::default() };
    Admission::new(create, options).with_answers(Answers::of(input, NOW))
}

/// Carries out the commands of an admission until there are none.
fn advance(store: &mut MemoryStore, admission: &mut Admission) -> Option<Admitted> {
    while let Some(command) = admission.poll(SECOND) {
        match command {
            AdmissionCommand::Send { ticket, operation } => {
                let reply = store.execute(SECOND, operation).reply;
                admission.reply(SECOND, ticket, Ok(reply));
            }
            AdmissionCommand::Decided(admitted) => return Some(admitted),
        }
    }
    None
}

fn decide(store: &mut MemoryStore, run: &str, answers: &[&str]) -> Admitted {
    advance(store, &mut asked(run, answers, OnBusy::Reject)).unwrap()
}

fn finish(store: &mut MemoryStore, run: &str, snapshot: &str) {
    let end = Some(RunEnd { snapshot: Some(snapshot.into()) });
    let append = Append { key: key(run), epoch: 1, first: 1, frames: vec!["z".into()], end };
    assert_eq!(store.execute(SECOND, Operation::Append(append)).reply, Reply::Appended { next: 2 });
}

/// An engine whose thread has a run that has ended with this snapshot.
fn ended(snapshot: &str) -> MemoryStore {
    let mut store = MemoryStore::default();
    assert!(matches!(decide(&mut store, "asks", &[]), Admitted::Created { .. }));
    finish(&mut store, "asks", snapshot);
    store
}

#[track_caller]
fn refused(admitted: Option<Admitted>, code: Code, status: u16) {
    let Some(Admitted::Refused(refusal)) = admitted else { panic!("{admitted:?}") };
    assert_eq!((refusal.code(), refusal.response(vec![]).status), (code, status));
}

#[test]
fn a_run_needs_the_answers_that_its_thread_waits_for() {
    let mut store = ended(WAITING);
    refused(Some(decide(&mut store, "none", &[])), Code::SequenceBroken, 422);
    refused(Some(decide(&mut store, "foreign", &["j"])), Code::SequenceBroken, 422);
    refused(Some(decide(&mut store, "both", &["i", "j"])), Code::UnknownInterrupt, 422);
    refused(Some(decide(&mut ended(EXPIRED), "late", &["i"])), Code::SequenceBroken, 422);
    assert!(matches!(decide(&mut store, "answers", &["i"]), Admitted::Created { .. }));
}

#[test]
fn the_first_run_of_a_thread_begins_without_a_look_at_it() {
    let first = |run: &str| asked_with(run, &RunAgentInput::new("thread", run, vec![]), OnBusy::Reject);
    let mut store = MemoryStore::default();
    let mut admission = first("asks");
    let Some(AdmissionCommand::Send { ticket, operation }) = admission.poll(SECOND) else { panic!() };
    assert!(matches!(operation, Operation::Create(_)), "{operation:?}");
    let created = store.execute(SECOND, operation).reply;
    admission.reply(SECOND, ticket, Ok(created));
    assert!(matches!(admission.poll(SECOND), Some(AdmissionCommand::Decided(Admitted::Created { .. }))));
    finish(&mut store, "asks", WAITING);
    // An input that only seems to be the first one is checked all the same, even under the id of the last run.
    refused(advance(&mut store, &mut first("other")), Code::SequenceBroken, 422);
    store.execute(SECOND, Operation::Delete { key: key("asks") });
    refused(advance(&mut store, &mut first("asks")), Code::SequenceBroken, 422);
    assert!(matches!(decide(&mut store, "answers", &["i"]), Admitted::Created { .. }));
    finish(&mut store, "answers", NONE);
    assert!(matches!(advance(&mut store, &mut first("other")), Some(Admitted::Created { .. })));
}

#[test]
fn an_interrupt_is_answered_once() {
    let mut store = ended(WAITING);
    assert!(matches!(decide(&mut store, "answers", &["i"]), Admitted::Created { .. }));
    refused(Some(decide(&mut store, "second", &["i"])), Code::ThreadBusy, 409);
    finish(&mut store, "answers", NONE);
    refused(Some(decide(&mut store, "second", &["i"])), Code::UnknownInterrupt, 422);
    assert!(matches!(decide(&mut store, "next", &[]), Admitted::Created { .. }));
}

#[test]
fn an_answer_is_used_once_even_if_its_run_is_lost() {
    let mut store = ended(WAITING);
    let options = LogOptions::default();
    let input = input("answers", &["i"]);
    let create = Create {
        digest: InputDigest::of(&input),
        key: key("answers"),
        ..options.create("scope", &input, true).unwrap()
    };
    let asked =
        |now| Admission::new(create.clone(), options.admission()).with_answers(Answers::of(&input, now));
    assert!(matches!(advance(&mut store, &mut asked(NOW)), Some(Admitted::Created { .. })));
    let lost = SECOND + create.lease;
    let info = store.execute(lost, Operation::ReadThread { thread: create.key.thread().clone() }).reply;
    let Reply::Thread(ThreadInfo { active_run: None, snapshot: Some(snapshot), .. }) = info else {
        panic!("{info:?}")
    };
    assert!(snapshot.as_str().ends_with(r#","interrupts":[]}"#), "{snapshot:?}");
    refused(Some(decide(&mut store, "second", &["i"])), Code::UnknownInterrupt, 422);
    assert!(
        matches!(advance(&mut store, &mut asked(NOW)), Some(Admitted::Exists(_))),
        "the same request reads its run"
    );
    assert!(matches!(decide(&mut store, "next", &[]), Admitted::Created { .. }));
}

#[test]
fn a_repeated_request_joins_its_run_whatever_waits_now() {
    let mut store = ended(WAITING);
    assert!(matches!(decide(&mut store, "asks", &[]), Admitted::Exists(_)));
    assert!(matches!(decide(&mut store, "answers", &["i"]), Admitted::Created { .. }));
    assert!(matches!(decide(&mut store, "answers", &["i"]), Admitted::Exists(_)));
    finish(&mut store, "answers", NONE);
    assert!(matches!(decide(&mut store, "answers", &["i"]), Admitted::Exists(_)));
    let create = Create { digest: InputDigest::of_canonical(b"other"), ..create(key("answers")) };
    let other = Admission::new(create, AdmissionOptions::default());
    let mut other = other.with_answers(Answers::of(&input("answers", &["i"]), NOW));
    refused(advance(&mut store, &mut other), Code::RunConflict, 409);
}

/// Lets another run begin and end between the look at the thread and the creation of the log.
fn overtaken(store: &mut MemoryStore, admission: &mut Admission, snapshot: &str) {
    let Some(AdmissionCommand::Send { ticket, operation }) = admission.poll(SECOND) else { panic!() };
    let thread = store.execute(SECOND, operation).reply;
    admission.reply(SECOND, ticket, Ok(thread));
    let mut create = create(key("fast"));
    create.run_id = "fast".into();
    store.execute(SECOND, Operation::Create(create.into()));
    finish(store, "fast", snapshot);
}

#[test]
fn an_answer_that_another_run_has_overtaken_is_checked_again() {
    for (begin, answers, snapshot, code) in [
        (ended(WAITING), &["i"] as &[_], NONE, Code::UnknownInterrupt),
        (ended(NONE), &[], WAITING, Code::SequenceBroken),
        (MemoryStore::default(), &[], WAITING, Code::SequenceBroken),
    ] {
        let mut store = begin;
        let mut admission = asked("slow", answers, OnBusy::Reject);
        overtaken(&mut store, &mut admission, snapshot);
        refused(advance(&mut store, &mut admission), code, 422);
    }
    let mut store = ended(NONE);
    let mut admission = asked("slow", &[], OnBusy::Reject);
    overtaken(&mut store, &mut admission, NONE);
    assert!(matches!(advance(&mut store, &mut admission), Some(Admitted::Created { .. })));
}

#[test]
fn behind_an_interrupted_run_the_answers_are_checked_again() {
    for (snapshot, is_refused) in [(WAITING, true), (NONE, false)] {
        let mut store = MemoryStore::default();
        decide(&mut store, "active", &[]);
        let mut admission = asked("next", &[], OnBusy::Interrupt);
        assert_eq!(advance(&mut store, &mut admission), None, "the active run has to end");
        finish(&mut store, "active", snapshot);
        let mut now = SECOND;
        let admitted = loop {
            now = admission.deadline().unwrap().max(now);
            match admission.poll(now) {
                Some(AdmissionCommand::Send { ticket, operation }) => {
                    let reply = store.execute(now, operation).reply;
                    admission.reply(now, ticket, Ok(reply));
                }
                Some(AdmissionCommand::Decided(admitted)) => break admitted,
                None => {}
            }
        };
        if is_refused {
            refused(Some(admitted), Code::SequenceBroken, 422);
        } else {
            assert!(matches!(admitted, Admitted::Created { .. }));
        }
    }
}

#[test]
fn an_unreadable_snapshot_refuses_the_run() {
    refused(Some(decide(&mut ended("damaged"), "r", &[])), Code::Internal, 500);
    assert!(matches!(decide(&mut ended("{}"), "r", &[]), Admitted::Created { .. }));
}
