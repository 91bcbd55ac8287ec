//! A recorder: the bytes of a run become the frames of a log, and the snapshot of its thread.

use ag_ui_native::bindings::durable::*;
use ag_ui_native::server::WireFormat;
use ag_ui_native::types::{Interrupt, RunAgentInput, UserMessage};
use ag_ui_native::{Limits, Object, Value};
use proptest::prelude::*;

use crate::prefixes::{frames, reduce};
use crate::random_runs::{call, ending, write};
use crate::store::{SECOND, create, key};

fn input() -> RunAgentInput {
    RunAgentInput::new("t", "r", vec![UserMessage::new("0", "Hello").into()])
}

fn recorder() -> (Recorder, MemoryStore) {
    let mut store = MemoryStore::default();
    store.execute(SECOND, Operation::Create(create(key("r")).into()));
    let producer = Producer::new(key("r"), 1, SECOND, ProducerOptions::default());
    (Recorder::new(producer, &input(), Limits::default()), store)
}

/// Carries out the recorder's commands, until all that was written is stored. Returns the last number that is stored.
fn store_all(recorder: &mut Recorder, store: &mut MemoryStore) -> u64 {
    let (mut now, mut stored) = (SECOND, 0);
    for _ in 0..3 {
        while let Some(command) = recorder.poll(now) {
            match command {
                ProducerCommand::Send { ticket, operation } => {
                    let reply = store.execute(now, operation).reply;
                    recorder.reply(now, ticket, Ok(reply));
                }
                ProducerCommand::Stored { through } => stored = through,
                ProducerCommand::Stop(reason) => panic!("{reason:?}"),
                ProducerCommand::Closed => {}
            }
        }
        let Some(deadline) = recorder.deadline().filter(|deadline| *deadline < 2 * SECOND) else { break };
        now = deadline;
    }
    stored
}

fn stored(store: &mut MemoryStore) -> Vec<Frame> {
    let read = Read { key: key("r"), after: None, max_bytes: usize::MAX };
    match store.execute(SECOND, Operation::Read(read)).reply {
        Reply::Page(page) => page.frames,
        reply => panic!("{reply:?}"),
    }
}

fn thread(store: &mut MemoryStore) -> ThreadInfo {
    let thread = key("r").thread().clone();
    match store.execute(SECOND, Operation::ReadThread { thread }).reply {
        Reply::Thread(info) => info,
        reply => panic!("{reply:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

    #[test]
    fn a_run_is_stored_as_it_was_written(
        calls in proptest::collection::vec(call(), 0..40), ending in ending(), piece in 1usize..200,
    ) {
        let bytes = write(&calls, &ending, WireFormat::Text).0;
        let (mut recorder, mut store) = recorder();
        for piece in bytes.chunks(piece) {
            recorder.write(SECOND, piece).unwrap();
        }
        let wanted = frames(&bytes);
        prop_assert_eq!(store_all(&mut recorder, &mut store), wanted.len() as u64);
        prop_assert_eq!(&stored(&mut store), &wanted);
        let info = thread(&mut store);
        prop_assert_eq!((info.version, info.active_run), (1, None));
        if let Some((messages, state)) = reduce(&wanted) {
            let snapshot: serde_json::Value = serde_json::from_str(info.snapshot.unwrap().as_str()).unwrap();
            prop_assert_eq!(&snapshot["messages"], &serde_json::to_value(messages).unwrap());
            prop_assert_eq!(&snapshot["state"], &serde_json::to_value(state).unwrap());
        }
    }
}

fn write_text(recorder: &mut Recorder, json: &str) -> Recorded {
    recorder.write(SECOND, format!("data: {json}\n\n").as_bytes()).unwrap()
}

#[test]
fn starts_ends_and_results_of_tools_are_awaited() {
    let (mut recorder, mut store) = recorder();
    let mut awaited = |json: &str| {
        let written = write_text(&mut recorder, json);
        assert!(written.has_room);
        written.is_awaited
    };
    assert!(awaited(r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#));
    assert!(!awaited(r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"a"}"#));
    assert!(!awaited(r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"look"}"#));
    assert!(!awaited(r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#));
    assert!(awaited(r#"{"type":"TOOL_CALL_RESULT","messageId":"n","toolCallId":"c","content":""}"#));
    let interrupts = r#"[{"id":"i","reason":"confirmation"}]"#;
    assert!(awaited(&format!(
        r#"{{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{{"type":"interrupt","interrupts":{interrupts}}}}}"#
    )));
    assert!(!awaited(r#"{"type":"RUN_ERROR","message":"late"}"#), "nothing is written behind the end");
    assert_eq!(store_all(&mut recorder, &mut store), 6);
    let snapshot = thread(&mut store).snapshot.unwrap();
    assert!(
        snapshot.as_str().ends_with(&format!(r#""state":{{}},"interrupts":{interrupts}}}"#)),
        "{snapshot:?}"
    );
}

#[test]
fn every_event_takes_one_line() {
    let (mut recorder, mut store) = recorder();
    let lines = "data: {\"type\": \"RUN_STARTED\",\ndata:  \"threadId\": \"t\",\r\ndata: \"runId\": \"r\"}\n\n: comment\n\n";
    recorder.write(SECOND, lines.as_bytes()).unwrap();
    store_all(&mut recorder, &mut store);
    assert_eq!(stored(&mut store), [r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#.into()]);
}

#[test]
fn a_thread_that_cannot_be_reduced_has_no_snapshot() {
    let (mut recorder, mut store) = recorder();
    for json in ["nothing", r#"{"type":"RUN_ERROR","message":"no"}"#] {
        write_text(&mut recorder, json);
    }
    store_all(&mut recorder, &mut store);
    assert_eq!(stored(&mut store).len(), 2);
    let info = thread(&mut store);
    assert_eq!((info.version, info.snapshot), (1, None));
}

#[test]
fn a_run_that_changes_nothing_ends_with_the_snapshot_with_which_it_began() {
    let object = Value::from(Object::from_iter([("b", 1), ("a", 2)]));
    for input in [input(), input().with_state(Value::Null), input().with_state(object)] {
        let begun = LogOptions::default().create("scope", &input, true).unwrap().snapshot;
        let (_, mut store) = recorder();
        let producer = Producer::new(key("r"), 1, SECOND, ProducerOptions::default());
        let mut recorder = Recorder::new(producer, &input, Limits::default());
        for kind in ["RUN_STARTED", "RUN_FINISHED"] {
            write_text(&mut recorder, &format!(r#"{{"type":"{kind}","threadId":"t","runId":"r"}}"#));
        }
        store_all(&mut recorder, &mut store);
        assert!(begun.as_ref().unwrap().as_str().contains("Hello"));
        assert_eq!(thread(&mut store).snapshot, begun);
    }
}

#[test]
fn interrupts_wait_on_if_the_run_that_answers_them_fails() {
    for (end, waiting) in
        [("RUN_ERROR\",\"message\":\"no", 1), ("RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r", 0)]
    {
        let (recorder, mut store) = recorder();
        let mut recorder = recorder.with_pending_interrupts(vec![Interrupt::new("i", "tool_call")]);
        for event in ["RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r", end] {
            recorder.write(SECOND, format!("data: {{\"type\":\"{event}\"}}\n\n").as_bytes()).unwrap();
        }
        store_all(&mut recorder, &mut store);
        let snapshot = thread(&mut store).snapshot.unwrap();
        assert_eq!(snapshot.as_str().matches("tool_call").count(), waiting, "{}", snapshot.as_str());
    }
}
