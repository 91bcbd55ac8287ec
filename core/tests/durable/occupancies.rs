//! The runs and the readers of a process, which are counted by scope.

use ag_ui_native::bindings::durable::*;

use crate::store::{SECOND, create, key};

fn occupied(occupancy: &Occupancy, scope: &str) -> Option<&'static str> {
    occupancy.run(scope, Some(2), false).err().and_then(|error| error.limit)
}

#[test]
fn each_scope_has_its_runs_and_its_readers() {
    let occupancy = Occupancy::default();
    let first = occupancy.run("a", Some(2), false).unwrap();
    let _second = occupancy.clone().run("a", None, false).unwrap();
    assert_eq!(occupied(&occupancy, "a"), Some("max_active_runs"));
    assert_eq!(occupied(&occupancy, "b"), None);
    let _reader = occupancy.reader("a", Some(1)).unwrap();
    assert_eq!(occupancy.reader("a", Some(1)).unwrap_err().limit, Some("max_readers"));
    drop(first);
    assert_eq!(occupied(&occupancy, "a"), None, "a place that is dropped is free");
}

#[test]
fn a_run_is_counted_until_it_is_over() {
    let occupancy = Occupancy::default();
    let input = serde_json::from_str(r#"{"threadId":"t","runId":"r","messages":[],"tools":[],"context":[]}"#);
    let place = occupancy.run("a", Some(1), false).ok();
    let producer = Producer::new(key("r"), 1, SECOND, ProducerOptions::default());
    let limits = ag_ui_native::Limits::default();
    let mut recorder = Recorder::new(producer, &input.unwrap(), limits).with_place(place);
    recorder.write(SECOND, b"data: {\"type\":\"RUN_ERROR\",\"message\":\"m\"}\n\n").unwrap();
    let Some(ProducerCommand::Send { ticket, .. }) = recorder.poll(SECOND) else { panic!() };
    recorder.reply(SECOND, ticket, Ok(Reply::Appended { next: 2 }));
    assert!(occupancy.run("a", Some(1), false).is_err());
    while recorder.poll(SECOND).is_some() {}
    assert!(occupancy.run("a", Some(1), false).is_ok());
}

#[test]
fn a_run_without_a_place_is_joined_if_it_exists_and_else_refused() {
    let (mut store, occupancy) = (MemoryStore::default(), Occupancy::default());
    let mut decide = |run: &str, place| {
        let create = Create { owner: run.into(), ..create(key(run)) };
        let mut admission = Admission::new(create, AdmissionOptions::default()).in_place(place);
        loop {
            match admission.poll(SECOND).unwrap() {
                AdmissionCommand::Decided(decided) => break (decided, admission),
                AdmissionCommand::Send { ticket, operation } => {
                    admission.reply(SECOND, ticket, Ok(store.execute(SECOND, operation).reply));
                }
            }
        }
    };
    let (Admitted::Created { .. }, mut admission) = decide("r", occupancy.run("a", Some(1), false)) else {
        panic!()
    };
    let _place = admission.take_place().unwrap();
    let (Admitted::Refused(refusal), _) = decide("other", occupancy.run("a", Some(1), false)) else {
        panic!()
    };
    let response = refusal.response(vec![]);
    assert_eq!((response.status, refusal.code().as_str()), (429, "limit_exceeded"));
    assert!(response.headers.iter().any(|(name, _)| *name == "retry-after"));
    assert!(response.body.contains(r#""limit":"max_active_runs""#), "{}", response.body);
    let (decided, _) = decide("r", occupancy.run("a", Some(1), false));
    assert!(
        !matches!(decided, Admitted::Refused(ref refusal) if refusal.code().as_str() == "limit_exceeded")
    );
    let mut refused = |place| {
        let (Admitted::Refused(refusal), _) = decide("later", place) else { panic!() };
        assert_eq!((refusal.response(vec![]).status, refusal.code().as_str()), (503, "server_draining"));
    };
    refused(occupancy.run("b", None, true));
    assert!(occupancy.run("b", None, false).is_ok(), "other servers of the process go on");
    occupancy.drain();
    refused(occupancy.run("b", None, false));
}
