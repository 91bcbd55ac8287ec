//! The suite that every engine passes: for those who write one.

use std::time::Duration;
use std::vec::IntoIter;

use super::key::LogKey;
use crate::error::{Code, Error};
use crate::json::{Input, NumberStyle, Object, ParseOptions, Tape, Value, Writer};

const CASES: &str = include_str!("cases.json");

/// The largest depth of a reply.
const DEPTH: usize = 64;

/// A case of the suite that every engine passes: operations, one after the other, and what an engine replies.
///
/// All cases can be executed at once: each has threads of its own. Those of one scope once for each store: a second time its runs exist.
///
/// ```
/// use ag_ui_native::durable::{Log, LogCaseStep, MemoryLog, Operation, log_cases};
///
/// # async fn check() -> Result<(), Box<dyn std::error::Error>> {
/// let log = MemoryLog::default();
/// for mut case in log_cases("suite")? {
///     while let Some(step) = case.step() {
///         match step {
///             LogCaseStep::Wait(time) => tokio::time::sleep(time).await,
///             LogCaseStep::Execute(operation) => {
///                 let operation: Operation = serde_json::from_str(&operation)?;
///                 let reply = log.execute(operation).await.expect("the engine replies");
///                 assert_eq!(case.difference(&serde_json::to_string(&reply)?), None);
///             }
///         }
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct LogCase {
    name: String,
    steps: IntoIter<(LogCaseStep, Object)>,
    /// The members that the reply to the last operation has.
    expected: Object,
    /// The number of the last step, from 1.
    number: usize,
}

/// A step of a [`LogCase`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogCaseStep {
    /// Execute this operation, which is JSON text, and compare the reply by [`LogCase::difference`].
    Execute(String),
    /// Wait for this time: a lease ends, or what is kept goes.
    Wait(Duration),
}

/// The cases of the suite, for logs of this scope.
///
/// # Errors
/// `limit_exceeded`: the scope is too long.
pub fn log_cases(scope: &str) -> Result<Vec<LogCase>, Error> {
    let damaged = || Error::new(Code::Internal, "the cases of the suite cannot be read");
    let suite = parsed(CASES).ok_or_else(damaged)?;
    let (Some(Value::Object(defaults)), Some(Value::Array(cases))) =
        (suite.get("defaults"), suite.get("cases"))
    else {
        return Err(damaged());
    };
    let cases = cases.iter().map(|case| {
        let name = case.get("name").and_then(Value::as_str).ok_or_else(damaged)?;
        let steps = case.get("steps").and_then(Value::as_array).ok_or_else(damaged)?;
        let steps = steps.iter().map(|step| read_step(scope, name, defaults, step)?.ok_or_else(damaged));
        let steps = steps.collect::<Result<Vec<_>, _>>()?.into_iter();
        Ok(LogCase { name: name.to_owned(), steps, expected: Object::default(), number: 0 })
    });
    cases.collect()
}

impl LogCase {
    /// The name of the case: what it shows.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The next step; `None` behind the last one.
    pub fn step(&mut self) -> Option<LogCaseStep> {
        let (step, expected) = self.steps.next()?;
        self.number += 1;
        self.expected = expected;
        Some(step)
    }

    /// The difference between the reply to the operation of the last step, as JSON text, and the one that an engine gives;
    /// `None` if there is none. A reply may have more members.
    pub fn difference(&self, reply: &str) -> Option<String> {
        let found = parsed(reply);
        let has = |name: &str, value: &Value| found.as_ref().and_then(|found| found.get(name)) == Some(value);
        if self.expected.iter().all(|(name, value)| has(name, value)) {
            return None;
        }
        let expected = text(self.expected.clone());
        Some(format!("{:?}, step {}: expected {expected}, got {reply}", self.name, self.number))
    }
}

/// Reads a step: `[operation, members, reply]`, or `["wait", milliseconds]`; members that are not given are those of `defaults`.
fn read_step(
    scope: &str,
    case: &str,
    defaults: &Object,
    step: &Value,
) -> Result<Option<(LogCaseStep, Object)>, Error> {
    let step = step.as_array().unwrap_or_default();
    if let [Value::String(_), Value::Number(_)] = step {
        let wait = step[1].as_u64().map(Duration::from_millis).map(LogCaseStep::Wait);
        return Ok(wait.map(|wait| (wait, Object::default())));
    }
    let [Value::String(name), Value::Object(given), Value::Object(expected)] = step else { return Ok(None) };
    let mut operation = Object::from_iter([("operation", name.as_str())]);
    for (member, value) in defaults.get(name).and_then(Value::as_object).into_iter().chain([given]).flatten()
    {
        operation.insert(member, named(scope, case, member, value)?);
    }
    Ok(Some((LogCaseStep::Execute(text(operation)), expected.clone())))
}

/// A member of an operation. Those that name a log, as `thread/run`, or a thread get the hashes of threads of the case.
fn named(scope: &str, case: &str, member: &str, value: &Value) -> Result<Value, Error> {
    let Some(name) = value.as_str().filter(|_| matches!(member, "key" | "parent" | "thread")) else {
        return Ok(value.clone());
    };
    let (thread, run) = name.split_once('/').unwrap_or((name, ""));
    let key = LogKey::new(scope, &format!("{case}: {thread}"), run)?;
    let thread = key.thread().as_str();
    Ok(if member == "thread" {
        thread.into()
    } else {
        Object::from_iter([("thread", thread), ("run", key.run())]).into()
    })
}

fn parsed(json: &str) -> Option<Value> {
    let mut tape = Tape::default();
    let options = ParseOptions { depth: DEPTH, replace_invalid_text: false };
    tape.parse(json, options).ok().map(Input::to_value)
}

fn text(object: Object) -> String {
    let mut writer = Writer::new(NumberStyle::default());
    writer.value(&object.into());
    writer.out
}
