//! A tracked state reaches the client: by our reducer and by the crate `json-patch`, in no more bytes than a snapshot takes.

use crate::random_documents;

use ag_ui_native::bindings::reduce::{Conversation, Reducer};
use ag_ui_native::server::StateTracker;
use ag_ui_native::types::{Event, StateSnapshotEvent};
use ag_ui_native::{Code, Limits, Number, Object, Profile, Value, from_json, to_json};
use proptest::collection::vec;
use proptest::prelude::*;
use random_documents::{document, edit, edited};

/// A client, seen by our reducer and by another crate.
struct Client {
    reducer: Reducer,
    ours: Conversation,
    theirs: serde_json::Value,
}

impl Client {
    fn new(base: &Value) -> Self {
        let ours = Conversation::new(&[], base.clone(), Limits::default());
        Self { reducer: Reducer::new(&[]), ours, theirs: serde_json::to_value(base).unwrap() }
    }

    fn take(&mut self, event: &Event) {
        match event {
            Event::StateSnapshot(event) => self.theirs = serde_json::to_value(&event.snapshot).unwrap(),
            Event::StateDelta(event) => {
                let delta: Vec<_> = event.delta.iter().map(|operation| json(&to_json(operation))).collect();
                let patch: json_patch::Patch = serde_json::from_value(delta.into()).unwrap();
                json_patch::patch_unsafe(&mut self.theirs, &patch).unwrap();
            }
            other => panic!("{other:?}"),
        }
        for change in self.reducer.apply(event.clone(), false).unwrap().changes {
            assert!(self.ours.apply(change).failure.is_none());
        }
    }
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}

fn sorted(value: &Value) -> String {
    let mut value = serde_json::to_value(value).unwrap();
    value.sort_all_objects();
    value.to_string()
}

fn snapshot(state: &Value) -> Event {
    StateSnapshotEvent::new(state.clone()).into()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_client_has_the_state(
        start in document(),
        base in prop::option::of(document()),
        rounds in vec(vec(edit(), 0..3), 1..6),
    ) {
        let mut client = Client::new(base.as_ref().unwrap_or(&Value::Null));
        let mut tracker = StateTracker::new();
        let is_known = base.is_some();
        if let Some(base) = base {
            tracker = tracker.with_base(base).unwrap();
        }
        let mut state = start;
        for (round, edits) in rounds.iter().enumerate() {
            state = edits.iter().fold(state, |state, edit| edited(&state, edit, 0));
            let before = sorted(&client.ours.state);
            let event = tracker.flush(&state).unwrap();
            let is_needed = (round == 0 && !is_known) || before != sorted(&state);
            prop_assert_eq!(event.is_some(), is_needed);
            if let Some(event) = event {
                prop_assert!(to_json(&event).len() <= to_json(&snapshot(&state)).len());
                client.take(&event);
            }
            prop_assert_eq!(sorted(&client.ours.state), sorted(&state));
            let mut theirs = client.theirs.clone();
            theirs.sort_all_objects();
            prop_assert_eq!(theirs.to_string(), sorted(&state));
            prop_assert_eq!(tracker.flush(&state).unwrap(), None);
        }
    }
}

fn value(json: &str) -> Value {
    from_json::<Vec<Value>>(format!("[{json}]"), Profile::Strict).unwrap().0.remove(0)
}

/// Returns the event for a state that changes from `before` to `after`.
fn update(before: &str, after: &str) -> String {
    let mut tracker = StateTracker::new().with_base(value(before)).unwrap();
    to_json(&tracker.flush(&value(after)).unwrap().unwrap())
}

#[test]
fn the_shorter_event_goes_out_and_of_equals_the_delta() {
    let of = |texts: [usize; 2], n| {
        value(&format!(r#"{{"a":"{}","n":{n},"{}":0}}"#, "x".repeat(texts[0]), "k".repeat(texts[1])))
    };
    let mut kinds = Vec::new();
    for length in 0..80 {
        let mut tracker = StateTracker::new().with_base(of([length, 1], 1)).unwrap();
        let state = of([length, 1], 2);
        let event = tracker.flush(&state).unwrap().unwrap();
        let delta = r#"{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/n","value":2}]}"#;
        let whole = to_json(&snapshot(&state));
        assert_eq!(to_json(&event), if whole.len() < delta.len() { whole.clone() } else { delta.to_owned() });
        kinds.push((event.tag().to_owned(), whole.len() == delta.len()));
    }
    assert!(kinds.contains(&("STATE_SNAPSHOT".to_owned(), false)));
    assert!(kinds.contains(&("STATE_DELTA".to_owned(), true)));
}

#[test]
fn another_kind_of_number_is_another_state() {
    let text = "x".repeat(80);
    let event = update(&format!(r#"{{"n":1,"t":"{text}"}}"#), &format!(r#"{{"n":1.0,"t":"{text}"}}"#));
    assert_eq!(event, r#"{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/n","value":1.0}]}"#);
}

#[test]
fn too_many_operations_are_a_snapshot() {
    let list = |from: i64| {
        let item = |at: i64| Value::from(vec![Value::from("x".repeat(200)), Value::from(2 * at + from)]);
        Value::from((0..10).map(item).collect::<Vec<_>>())
    };
    for (most, tag) in [(9, "STATE_SNAPSHOT"), (10, "STATE_DELTA")] {
        let limits = Limits::default().with_patch_operations(most);
        let mut tracker = StateTracker::new().with_limits(limits).with_base(list(0)).unwrap();
        assert_eq!(tracker.flush(&list(1)).unwrap().unwrap().tag(), tag);
    }
}

fn nested(levels: usize) -> Value {
    (0..levels).fold(Value::from(1), |inner, _| Value::from(vec![inner]))
}

#[test]
fn what_goes_out_can_be_read() {
    let deepest = Limits::default().depth - 3;
    let mut tracker = StateTracker::new();
    let events = [nested(deepest - 1), nested(deepest)].map(|state| {
        let state =
            Value::from(Object::from([("a".to_owned(), state), ("t".to_owned(), "x".repeat(900).into())]));
        tracker.flush(&state)
    });
    assert_eq!(events[0].as_ref().unwrap().as_ref().unwrap().tag(), "STATE_SNAPSHOT");
    let error = events[1].as_ref().unwrap_err();
    assert_eq!((error.code(), error.limit), (Code::LimitExceeded, Some("depth")));
    for event in [
        StateTracker::new().flush(&nested(deepest)),
        StateTracker::new()
            .with_base(vec![Value::from("x".repeat(999))].into())
            .unwrap()
            .flush(&vec![Value::from("x".repeat(999)), nested(deepest - 1)].into()),
    ] {
        let event = event.unwrap().unwrap();
        assert_eq!(from_json::<Event>(to_json(&event), Profile::Strict).unwrap().0, event);
    }
}

#[test]
fn a_failure_changes_nothing() {
    let long = Value::from("x".repeat(99));
    let state = |n: Value| Value::from(Object::from([("t", long.clone()), ("n", n)]));
    let mut tracker = StateTracker::new().with_limits(Limits::default().with_event_bytes(1000));
    tracker.flush(&state(1.into())).unwrap();
    let nan = Value::Number(Number::Float(f64::NAN));
    let error = tracker.flush(&state(vec![Value::from(1), nan].into())).unwrap_err();
    assert_eq!((error.code(), error.path()), (Code::WrongType, "/n/1"));
    let error = tracker.flush(&state(vec![long.clone(); 9].into())).unwrap_err();
    assert_eq!(error.limit, Some("event_bytes"));
    let error = tracker.flush(&state(nested(300))).unwrap_err();
    assert_eq!(error.limit, Some("depth"));
    assert_eq!(tracker.flush(&state(1.into())).unwrap(), None);
    assert_eq!(
        to_json(&tracker.flush(&state(2.into())).unwrap().unwrap()),
        r#"{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/n","value":2}]}"#
    );
    assert!(StateTracker::new().with_base(nested(300)).is_err());
}

#[test]
fn what_the_client_has_may_be_longer_than_an_event() {
    let state = Value::from(Object::from([("text", "x".repeat(100))]));
    let tracker = StateTracker::new().with_limits(Limits::default().with_event_bytes(50));
    let mut tracker = tracker.with_base(state.clone()).unwrap();
    assert_eq!(tracker.flush(&state).unwrap(), None);
}
