//! Which ends of a run are errors.

use crate::error::{Code, Error, quoted};

/// The error that an outcome is, by its name; nothing for `success`, and for `interrupt`: a question is an answer. `agent_code` is what
/// the agent has called its failure.
pub fn outcome_error(outcome: &str, agent_code: Option<&str>) -> Option<Error> {
    let error = match outcome {
        "success" | "interrupt" => return None,
        "cancelled" => Error::new(Code::RunCancelled, ""),
        "aborted" => Error::new(Code::RunAborted, ""),
        "error" => Error::new(Code::RunFailed, agent_code.map(quoted).unwrap_or_default()),
        _ => Error::new(Code::RunFailed, "").advise("see what the run has raised"),
    };
    Some(error)
}
