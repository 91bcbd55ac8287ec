//! The suite for authors of engines, as they use it.

use std::collections::HashSet;
use std::time::Duration;

use ag_ui_native::Code;
use ag_ui_native::bindings::durable::*;

use crate::store::SECOND;

/// Executes all cases. Returns the differences, with replies that are changed.
fn differences(scope: &str, change: impl FnMut(Reply) -> Reply) -> Vec<String> {
    differences_behind(scope, change, |time| time)
}

/// Executes all cases on a machine where a wait takes longer.
fn differences_behind(
    scope: &str,
    mut change: impl FnMut(Reply) -> Reply,
    wait: impl Fn(Duration) -> Duration,
) -> Vec<String> {
    let (mut store, mut now) = (MemoryStore::default(), SECOND);
    let mut found = vec![];
    for mut case in log_cases(scope).unwrap() {
        while let Some(step) = case.step() {
            match step {
                LogCaseStep::Wait(time) => now += wait(time),
                LogCaseStep::Execute(operation) => {
                    let operation = serde_json::from_str(&operation).unwrap();
                    let reply = change(store.execute(now, operation).reply);
                    found.extend(case.difference(&serde_json::to_string(&reply).unwrap()));
                }
            }
        }
    }
    found
}

#[test]
fn an_engine_passes() {
    assert_eq!(differences("a scope", |reply| reply), [""; 0]);
    let cases = log_cases("a scope").unwrap();
    let names: HashSet<_> = cases.iter().map(LogCase::name).collect();
    assert_eq!(names.len(), cases.len());
}

#[test]
fn an_engine_that_differs_does_not() {
    let found = differences("a scope", |reply| match reply {
        Reply::Gap { .. } => Reply::Appended { next: 4 },
        reply => reply,
    });
    let first = r#""a repeated append changes nothing", step 5: expected {"reply":"gap","next":4}, got {"reply":"appended","next":4}"#;
    assert_eq!(found[0], first);
    for reply in ["", "{", "[]", "null", r#"{"reply":"appended"}"#] {
        let mut case = log_cases("").unwrap().remove(0);
        assert!(matches!(case.step(), Some(LogCaseStep::Execute(_))));
        assert!(case.difference(reply).is_some(), "{reply}");
    }
}

#[test]
fn a_busy_machine_does_not_make_an_engine_differ() {
    let late = Duration::from_millis(350);
    assert_eq!(differences_behind("a scope", |reply| reply, |time| time + late), [""; 0]);
    assert_ne!(differences_behind("a scope", |reply| reply, |time| time * 3), [""; 0]);
}

#[test]
fn cases_have_keys_of_their_own() {
    let operations = |scope: &str| -> Vec<Vec<String>> {
        let mut cases = log_cases(scope).unwrap();
        let all = cases.iter_mut().map(|case| {
            let steps = std::iter::from_fn(|| case.step());
            steps.filter_map(|step| match step {
                LogCaseStep::Execute(operation) => Some(operation),
                LogCaseStep::Wait(time) => {
                    assert!(time <= Duration::from_secs(1));
                    None
                }
            })
        });
        all.map(Iterator::collect).collect()
    };
    let threads = |case: &Vec<String>| -> HashSet<String> {
        let thread = |text: &String| {
            let form: serde_json::Value = serde_json::from_str(text).unwrap();
            let thread = form.get("thread").unwrap_or_else(|| &form["key"]["thread"]);
            thread.as_str().unwrap().to_owned()
        };
        case.iter().map(thread).collect()
    };
    let mut seen = HashSet::new();
    for case in operations("one").iter().chain(&operations("other")) {
        for thread in threads(case) {
            assert!(seen.insert(thread), "a thread of another case: {case:?}");
        }
    }
    assert_eq!(log_cases(&"x".repeat(257)).unwrap_err().code(), Code::LimitExceeded);
}

#[test]
fn the_page_describes_what_the_suite_has() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/durable/own-engine.md");
    let page = std::fs::read_to_string(page).unwrap();
    let described = |name: &str| {
        assert!(page.contains(&format!("`{name}`")), "docs/durable/own-engine.md lacks `{name}`");
    };
    let cases = include_str!("../../src/durable/suite/cases.json");
    let suite: serde_json::Value = serde_json::from_str(cases).unwrap();
    for case in suite["cases"].as_array().unwrap() {
        for step in case["steps"].as_array().unwrap().iter().filter(|step| step[0] != "wait") {
            described(step[0].as_str().unwrap());
            described(step[2]["reply"].as_str().unwrap());
            for members in [&step[1], &step[2]] {
                let names = members.as_object().unwrap().keys();
                names.filter(|name| *name != "reply").for_each(|name| described(name));
            }
        }
    }
}
