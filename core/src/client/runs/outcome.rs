//! The outcomes that are errors.

use crate::error::{Code, Error, quoted};

/// Returns the error of an outcome, by its name; `None` for `success` and `interrupt`. `agent_code` is the agent's own error code.
pub fn outcome_error(outcome: &str, agent_code: Option<&str>) -> Option<Error> {
    let error = match outcome {
        "success" | "interrupt" => return None,
        "cancelled" => Error::new(Code::RunCancelled, ""),
        "aborted" => Error::new(Code::RunAborted, ""),
        "error" => Error::new(Code::RunFailed, agent_code.map(quoted).unwrap_or_default()),
        _ => Error::new(Code::RunFailed, "").advise("see the exception that the run raised"),
    };
    Some(error)
}
