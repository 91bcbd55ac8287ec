//! The suite that every engine passes: for those who write one.

use std::time::Duration;
use std::vec::IntoIter;

use super::key::LogKey;
use crate::error::{Code, Error};
use crate::json::{Input, NumberStyle, Object, ParseOptions, Tape, Value, Writer};

const CASES: &str = include_str!("cases.json");

/// The largest depth of a reply.
const DEPTH: usize = 64;

/// The times of a case that is executed again are so many times as long.
const SLOWER: u64 = 5;

/// A case of the suite that every engine passes: operations, one after the other, and what an engine replies.
///
/// All cases can be executed at once: each has threads of its own. Those of one scope once for each store: a second time its runs exist.
/// A case that waits, and whose reply differs, begins again once, with longer times: the machine may have been busy for a moment.
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
    steps: IntoIter<Step>,
    /// The steps with longer times, if some wait.
    slower: Option<Vec<Step>>,
    /// The members that the reply to the last operation has.
    expected: Object,
    /// The number of the last step, from 1.
    number: usize,
}

/// A step of a [`LogCase`].
///
/// ```
/// use ag_ui_native::durable::{LogCaseStep, log_cases};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut case = log_cases("scope-of-this-test")?.remove(0);
/// match case.step() {
///     Some(LogCaseStep::Execute(operation)) => assert!(operation.starts_with('{')),
///     other => panic!("{other:?}"),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogCaseStep {
    /// Execute this operation, which is JSON text, and compare the reply by [`LogCase::difference`].
    Execute(String),
    /// Wait for this time: a lease ends, or what is kept goes.
    Wait(Duration),
}

/// What to do, and the members of the reply.
type Step = (LogCaseStep, Object);

/// The cases of the suite, for logs of this scope.
///
/// ```
/// use ag_ui_native::durable::log_cases;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// assert!(!log_cases("scope-of-this-test")?.is_empty());
/// # Ok(())
/// # }
/// ```
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
        let read = |times| {
            let reader = StepReader { scope, case: name, defaults, times };
            steps.iter().map(|step| reader.read(step)?.ok_or_else(damaged)).collect::<Result<Vec<Step>, _>>()
        };
        let (steps, slower) = (read(1)?, read(SLOWER)?);
        let waits = steps.iter().any(|(step, _)| matches!(step, LogCaseStep::Wait(_)));
        Ok(LogCase {
            name: name.to_owned(),
            steps: steps.into_iter(),
            slower: waits.then_some(slower),
            expected: Object::default(),
            number: 0,
        })
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
    /// `None` if there is none, or if the case begins again. A reply may have more members.
    pub fn difference(&mut self, reply: &str) -> Option<String> {
        let found = parsed(reply);
        let has = |name: &str, value: &Value| found.as_ref().and_then(|found| found.get(name)) == Some(value);
        if self.expected.iter().all(|(name, value)| has(name, value)) {
            return None;
        }
        if let Some(slower) = self.slower.take() {
            (self.steps, self.number) = (slower.into_iter(), 0);
            return None;
        }
        let expected = text(self.expected.clone());
        Some(format!("{:?}, step {}: expected {expected}, got {reply}", self.name, self.number))
    }
}

/// The times among the members of operations.
const TIMES: [&str; 4] = ["lease", "keep", "keepThread", "grace"];

/// Reads the steps of a case.
struct StepReader<'a> {
    scope: &'a str,
    case: &'a str,
    defaults: &'a Object,
    /// Times are so many times as long as they are written.
    times: u64,
}

impl StepReader<'_> {
    /// Reads `[operation, members, reply]`, or `["wait", milliseconds]`; members that are not given are the default ones.
    fn read(&self, step: &Value) -> Result<Option<Step>, Error> {
        let step = step.as_array().unwrap_or_default();
        if let [Value::String(_), time @ Value::Number(_)] = step {
            let wait = time.as_u64().map(|time| LogCaseStep::Wait(Duration::from_millis(time * self.times)));
            return Ok(wait.map(|wait| (wait, Object::default())));
        }
        let [Value::String(name), Value::Object(given), Value::Object(expected)] = step else {
            return Ok(None);
        };
        let mut operation = Object::from_iter([("operation", name.as_str())]);
        let defaults = self.defaults.get(name).and_then(Value::as_object);
        for (member, value) in defaults.into_iter().chain([given]).flatten() {
            operation.insert(member, self.member(member, value)?);
        }
        Ok(Some((LogCaseStep::Execute(text(operation)), expected.clone())))
    }

    /// A member of an operation. Those that name a log, as `thread/run`, or a thread get the hashes of threads of the case.
    fn member(&self, member: &str, value: &Value) -> Result<Value, Error> {
        Ok(match (member, value) {
            ("key" | "parent", Value::String(name)) => {
                let (thread, run) = name.split_once('/').unwrap_or((name, ""));
                let key = self.key(thread, run)?;
                Object::from_iter([("thread", key.thread().as_str()), ("run", key.run())]).into()
            }
            ("thread", Value::String(thread)) => self.key(thread, "")?.thread().as_str().into(),
            ("policy", Value::Object(policy)) => {
                let policy = policy.iter().map(|(name, value)| (name, self.time(name, value)));
                policy.collect::<Object>().into()
            }
            _ => self.time(member, value),
        })
    }

    fn time(&self, member: &str, value: &Value) -> Value {
        let time = value.as_u64().filter(|_| TIMES.contains(&member));
        time.map_or_else(|| value.clone(), |time| (time * self.times).into())
    }

    fn key(&self, thread: &str, run: &str) -> Result<LogKey, Error> {
        LogKey::new(self.scope, &format!("{} {}: {thread}", self.case, self.times), run)
    }
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
