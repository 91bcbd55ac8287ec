//! The suite that every engine passes.

use ag_ui_native::bindings::durable::{LogCase as Case, LogCaseStep, log_cases as cases};
use napi::Result;
use napi_derive::napi;

use super::time::milliseconds;
use crate::error;

/// A case of the suite.
#[napi]
#[derive(Debug)]
pub struct LogCase {
    case: Case,
}

/// A step: an operation as JSON text, or the milliseconds to wait.
#[napi(object, object_from_js = false)]
#[derive(Default)]
pub struct LogStep {
    pub operation: Option<String>,
    pub wait: Option<f64>,
}

/// The cases of the suite, for logs of this scope.
#[napi(catch_unwind)]
#[allow(dead_code, clippy::needless_pass_by_value)] // The addon exports it, and napi hands strings over.
pub fn log_cases(scope: String) -> Result<Vec<LogCase>> {
    let cases = cases(&scope).map_err(|error| napi::Error::from_reason(error::describe(&error)))?;
    Ok(cases.into_iter().map(|case| LogCase { case }).collect())
}

#[napi]
impl LogCase {
    /// The next step; nothing behind the last one.
    #[napi(catch_unwind)]
    pub fn step(&mut self) -> Option<LogStep> {
        Some(match self.case.step()? {
            LogCaseStep::Execute(operation) => LogStep { operation: Some(operation), wait: None },
            LogCaseStep::Wait(time) => LogStep { operation: None, wait: Some(milliseconds(time)) },
        })
    }

    /// The difference between a reply, as JSON text, and the one that the last step expects; nothing if there is none, or if
    /// the case begins again.
    #[napi(catch_unwind)]
    #[allow(clippy::needless_pass_by_value)] // napi hands strings over.
    pub fn difference(&mut self, reply: String) -> Option<String> {
        self.case.difference(&reply)
    }
}
