//! A run's input as a request brings it, whatever version has written it.

use crate::compat::check_protocol_version;
use crate::decode::{DeclaredType, DocumentReader};
use crate::error::{Error, Issue};
use crate::json::has_more_values;
use crate::limits::Limits;
use crate::profile::{Profile, Rules};
use crate::schema::FieldType;
use crate::types::RunAgentInput;
use crate::validate::TypedBuild;

/// Reads the body of a request, with what was repaired, translated or left out, and whether the peer speaks another version.
/// In the profile `tolerant` the shapes of 0.x are translated; absent `tools` and `context` become
/// empty lists in any. Errors name the place of what is no input: a number that is beyond the range of a double is none in any profile,
/// since no language could compute with it and send it back; integers below that are exact.
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
    if body.len() > limits.input_bytes {
        return Err(Error::limit("input_bytes", limits.input_bytes));
    }
    if has_more_values(body, limits.input_values) {
        return Err(Error::limit("input_values", limits.input_values));
    }
    // It is no event.
    let mut reader = DocumentReader::new(profile, limits.with_event_bytes(usize::MAX));
    reader.rules = Rules { fill_lists: true, finite: true, ..Rules::of(profile) };
    let decoded = reader.value(body, RunAgentInput::DECLARED_KIND, &mut TypedBuild)?;
    let input = RunAgentInput::from_validated(decoded.value);
    let mut warnings = decoded.warnings;
    warnings.extend(check_protocol_version(input.protocol_version.as_deref()));
    Ok((input, warnings))
}
