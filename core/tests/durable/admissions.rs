//! The beginning of a run: its log is created, joined, or the request is refused.

use std::time::Duration;

use ag_ui_native::Limits;
use ag_ui_native::bindings::durable::*;
use ag_ui_native::types::RunAgentInput;

use crate::store::{SECOND, create, key};

/// Requests of one process, with an engine.
struct Bench {
    store: MemoryStore,
    now: Duration,
}

impl Bench {
    fn new() -> Self {
        Self { store: MemoryStore::default(), now: SECOND }
    }

    fn execute(&mut self, operation: Operation) -> Reply {
        self.store.execute(self.now, operation).reply
    }

    /// Carries out the commands of an admission until there are none.
    fn advance(&mut self, admission: &mut Admission) -> Option<Admitted> {
        while let Some(command) = admission.poll(self.now) {
            match command {
                AdmissionCommand::Send { ticket, operation } => {
                    let reply = self.execute(operation);
                    admission.reply(self.now, ticket, Ok(reply));
                }
                AdmissionCommand::Decided(admitted) => return Some(admitted),
            }
        }
        None
    }

    fn decide(&mut self, create: Create) -> Admitted {
        let mut admission = Admission::new(create, AdmissionOptions::default());
        let admitted = self.advance(&mut admission).unwrap();
        assert_eq!((admission.poll(self.now), admission.deadline()), (None, None));
        admitted
    }

    fn finish(&mut self, run: &str) {
        let (first, frames) = (1, vec!["z".into()]);
        let append = Append { key: key(run), epoch: 1, first, frames, end: Some(RunEnd::default()) };
        assert_eq!(self.execute(Operation::Append(append)), Reply::Appended { next: 2 });
    }
}

fn code(admitted: &Admitted) -> &str {
    match admitted {
        Admitted::Refused(refusal) => refusal.code().as_str(),
        _ => panic!("{admitted:?}"),
    }
}

#[test]
fn one_request_runs_the_agent_and_others_read() {
    let mut bench = Bench::new();
    let created = bench.decide(create(key("r")));
    assert!(matches!(created, Admitted::Created { epoch: 1, leased_at: SECOND, .. }), "{created:?}");
    let other = Create { owner: "two".into(), ..create(key("r")) };
    assert!(matches!(bench.decide(other), Admitted::Exists(LogInfo { next: 1, .. })));
    let other = Create { digest: InputDigest::of_canonical(b"[]"), ..create(key("r")) };
    assert_eq!(code(&bench.decide(other)), "run_conflict");
    let busy = bench.decide(create(key("q")));
    assert_eq!(code(&busy), "thread_busy");
    let Admitted::Refused(refusal) = busy else { panic!() };
    let response = refusal.response(vec![("vary", "Origin".into())]);
    assert_eq!(response.status, 409);
    assert!(response.body.contains(r#""activeRunId":"r""#), "{}", response.body);
    assert!(response.headers.contains(&("vary", "Origin".into())));
    bench.finish("r");
    let stale = Create { parent: Some(key("p")), ..create(key("q")) };
    let Admitted::Refused(refusal) = bench.decide(stale) else { panic!() };
    assert_eq!(refusal.code().as_str(), "thread_stale");
    assert!(refusal.response(vec![]).body.contains(r#""lastRunId":"r""#));
}

#[test]
fn a_busy_thread_is_interrupted_if_the_application_wants_that() {
    let mut bench = Bench::new();
    bench.decide(create(key("r")));
    let options = AdmissionOptions { on_busy: OnBusy::Interrupt, ..AdmissionOptions::default() };
    let mut admission = Admission::new(create(key("q")), options);
    assert_eq!(bench.advance(&mut admission), None);
    let info = bench.execute(Operation::Info { key: key("r") });
    assert!(matches!(info, Reply::Info(LogInfo { is_cancelled: true, .. })));
    bench.now = admission.deadline().unwrap();
    assert!(bench.now > SECOND);
    assert_eq!(bench.advance(&mut admission), None, "the run has not ended yet");
    bench.finish("r");
    bench.now = admission.deadline().unwrap();
    assert!(matches!(bench.advance(&mut admission), Some(Admitted::Created { .. })));
}

#[test]
fn a_run_that_does_not_end_keeps_its_thread() {
    let mut bench = Bench::new();
    bench.decide(Create { lease: 3600 * SECOND, ..create(key("r")) });
    let options = AdmissionOptions { on_busy: OnBusy::Interrupt, ..AdmissionOptions::default() };
    let mut admission = Admission::new(create(key("q")), options);
    let admitted = loop {
        match bench.advance(&mut admission) {
            Some(admitted) => break admitted,
            None => bench.now = admission.deadline().unwrap(),
        }
    };
    assert_eq!(code(&admitted), "thread_busy");
    assert!((60..62).contains(&bench.now.as_secs()), "{:?}", bench.now);
}

#[test]
fn an_engine_that_does_not_reply_is_unavailable() {
    for is_silent in [false, true] {
        let mut admission = Admission::new(create(key("r")), AdmissionOptions::default());
        let (mut now, mut sent) = (SECOND, 0);
        let admitted = loop {
            match admission.poll(now) {
                Some(AdmissionCommand::Send { ticket, .. }) => {
                    sent += 1;
                    if !is_silent {
                        admission.reply(now, ticket, Err(EngineFailure));
                    }
                }
                Some(AdmissionCommand::Decided(admitted)) => break admitted,
                None => now = admission.deadline().unwrap(),
            }
        };
        assert_eq!(code(&admitted), "log_unavailable");
        let Admitted::Refused(refusal) = admitted else { panic!() };
        let response = refusal.response(vec![]);
        assert_eq!(response.status, 503);
        assert!(response.headers.contains(&("retry-after", "1".into())));
        assert!(now < 8 * SECOND && sent <= 12, "{now:?}, {sent} attempts");
    }
}

/// Drives a machine to its decision.
fn decided<M: Machine>(store: &mut MemoryStore, machine: &mut M) -> M::Command {
    loop {
        match machine.step(SECOND).unwrap() {
            Step::Send(ticket, operation) => {
                let reply = store.execute(SECOND, operation).reply;
                machine.take_reply(SECOND, ticket, Ok(reply));
            }
            Step::Other(decision) => return decision,
        }
    }
}

#[test]
fn the_request_that_begins_a_run_records_it() {
    let (mut store, occupancy) = (MemoryStore::default(), Occupancy::default());
    let options = LogOptions { max_active_runs: Some(1), ..LogOptions::default() };
    let start = |run: &str| {
        let input = RunAgentInput::new("t", run, vec![]);
        let head = LogStartHead { scope: "ada", resume: None, now: None, is_draining: false };
        LogStart::new(head, input, Limits::default(), &options, &occupancy).unwrap()
    };
    let mut first = start("r");
    let begun = decided(&mut store, &mut first).unwrap();
    assert_eq!((begun.is_new, begun.beginning.number), (true, 0));
    let recorder = first.recorder();
    assert!(recorder.is_some() && first.recorder().is_none());
    let mut second = start("r");
    assert_eq!(decided(&mut store, &mut second), Ok(Begun { is_new: false, ..begun }));
    assert!(second.recorder().is_none());
    let mut refused = || decided(&mut store, &mut start("q")).unwrap_err().code().as_str();
    assert_eq!(refused(), "limit_exceeded");
    drop(recorder);
    assert_eq!(refused(), "thread_busy", "its place is free");
}
