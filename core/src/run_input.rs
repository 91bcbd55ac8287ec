//! Reads the input of a run from the body of a request of any version.

use crate::compat::check_protocol_version;
use crate::decode::DocumentReader;
use crate::error::{Error, Issue};
use crate::json::has_more_values;
use crate::limits::Limits;
use crate::profile::{Profile, Rules};
use crate::types::RunAgentInput;

/// Reads the body of a request. Returns the input with warnings about repaired, translated and dropped parts, and about a foreign
/// version. The profile `tolerant` translates the shapes of 0.x; every profile reads absent `tools` and `context` as empty lists.
/// Errors name the place of the fault. A number beyond the range of a double is an error in every profile, since no language could
/// compute with it and send it back; smaller integers are exact.
///
/// ```
/// use ag_ui_native::{Limits, Profile, read_run_input};
///
/// let body = r#"{"threadId": "t", "runId": "r", "messages": [], "tools": [], "context": [], "colour": "red"}"#;
/// let (input, warnings) = read_run_input(body, Profile::Tolerant, Limits::default())?;
/// assert_eq!((input.thread_id.as_str(), warnings[0].path.as_str()), ("t", "/colour"));
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
pub fn read_run_input(
    body: impl AsRef<[u8]>,
    profile: Profile,
    limits: Limits,
) -> Result<(RunAgentInput, Vec<Issue>), Error> {
    let body = body.as_ref();
    let (rules, limits) = input_terms(body, profile, limits)?;
    let mut reader = DocumentReader::new(profile, limits);
    reader.rules = rules;
    let (input, mut warnings) = reader.typed::<RunAgentInput>(body)?;
    warnings.extend(check_protocol_version(input.protocol_version.as_deref()));
    Ok((input, warnings))
}

/// The rules and limits of reading a body, for hosts whose inputs are objects of their own; they check the protocol version, too.
///
/// # Errors
/// `limit_exceeded` for a body that is too long, or has too many values.
pub fn input_terms(body: &[u8], profile: Profile, limits: Limits) -> Result<(Rules, Limits), Error> {
    if body.len() > limits.input_bytes {
        return Err(Error::limit("input_bytes", limits.input_bytes));
    }
    if has_more_values(body, limits.input_values) {
        return Err(Error::limit("input_values", limits.input_values));
    }
    let rules = Rules { fill_lists: true, finite: true, ..Rules::of(profile) };
    // The body is not an event, so the limit on events does not apply.
    Ok((rules, limits.with_event_bytes(usize::MAX)))
}
