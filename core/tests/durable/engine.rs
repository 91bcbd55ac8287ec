//! The replies of every engine: the cases of the suite.

use std::time::Duration;

use ag_ui_native::bindings::durable::*;
use serde_json::{Map, Value, json};

/// An engine under test, with its time.
pub trait TestEngine {
    fn execute(&mut self, operation: Operation) -> Reply;
    fn wait(&mut self, time: Duration);
}

impl TestEngine for (MemoryStore, Duration) {
    fn execute(&mut self, operation: Operation) -> Reply {
        self.0.execute(self.1, operation).reply
    }

    fn wait(&mut self, time: Duration) {
        self.1 += time;
    }
}

#[test]
fn memory() {
    check("memory", |_| (MemoryStore::default(), Duration::from_secs(1)));
}

/// Runs each case with an engine.
pub fn check<E: TestEngine>(engine: &str, make: impl Fn(&str) -> E) {
    let fixture = fixture();
    for case in fixture["cases"].as_array().unwrap() {
        check_case(engine, &fixture["defaults"], case, &make);
    }
}

/// Runs all cases at once: for engines whose time passes by itself.
pub fn check_at_once<E: TestEngine>(engine: &str, make: impl Fn(&str) -> E + Sync) {
    let fixture = fixture();
    std::thread::scope(|scope| {
        for case in fixture["cases"].as_array().unwrap() {
            scope.spawn(|| check_case(engine, &fixture["defaults"], case, &make));
        }
    });
}

fn fixture() -> Value {
    serde_json::from_str(include_str!("../../src/durable/suite/cases.json")).unwrap()
}

fn check_case<E: TestEngine>(engine: &str, defaults: &Value, case: &Value, make: impl Fn(&str) -> E) {
    let name = case["name"].as_str().unwrap();
    check_steps(engine, &mut make(name), defaults, name, &case["steps"]);
}

/// Executes steps that are not those of a case, with the defaults of the cases.
pub fn check_others(engine: &str, under_test: &mut impl TestEngine, scope: &str, steps: &Value) {
    check_steps(engine, under_test, &fixture()["defaults"], scope, steps);
}

fn check_steps(engine: &str, under_test: &mut impl TestEngine, defaults: &Value, scope: &str, steps: &Value) {
    for (number, step) in steps.as_array().unwrap().iter().enumerate() {
        if step[0] == "wait" {
            under_test.wait(Duration::from_millis(step[1].as_u64().unwrap()));
            continue;
        }
        let operation = operation(defaults, scope, step);
        let reply = under_test.execute(operation);
        let found = serde_json::to_value(&reply).unwrap();
        let wanted = step[2].as_object().unwrap();
        let differs = wanted.iter().any(|(member, value)| found.get(member) != Some(value));
        assert!(!differs, "{engine}, {scope}, step {number}, {step}: {found}");
        assert_eq!(serde_json::from_value::<Reply>(found).unwrap(), reply);
    }
}

fn operation(defaults: &Value, scope: &str, step: &Value) -> Operation {
    let name = step[0].as_str().unwrap();
    let mut members: Map<String, Value> = defaults[name].as_object().unwrap().clone();
    members.extend(step[1].as_object().unwrap().clone());
    members.insert("operation".into(), name.into());
    for (member, value) in &mut members {
        match member.as_str() {
            "key" | "parent" => {
                let (thread, run) = value.as_str().unwrap().split_once('/').unwrap();
                *value = json!(LogKey::new(scope, thread, run).unwrap());
            }
            "thread" => *value = json!(ThreadKey::new(scope, value.as_str().unwrap()).unwrap()),
            _ => {}
        }
    }
    let operation: Operation = serde_json::from_value(members.clone().into()).unwrap();
    assert_eq!(serde_json::to_value(&operation).unwrap(), Value::from(members));
    operation
}
