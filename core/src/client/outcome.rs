//! Which ends of a run are errors, and why an answer fails that breaks off.

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

/// Whether an answer that breaks off fails for that `reason`, and not for the `failure` that all that has come amounts to. A connection that
/// breaks explains a cut and nothing else. Who has aborted, or waits no longer, is not told what was wrong with the rest.
/// Both are known by their codes.
pub fn is_reason(reason: &str, failure: &str) -> bool {
    [Code::RunAborted, Code::TimedOut].iter().any(|code| code.as_str() == reason)
        || failure == Code::StreamTruncated.as_str()
}
