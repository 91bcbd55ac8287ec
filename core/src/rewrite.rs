//! Reads the JSON text of a host's event and writes it again.

use crate::decode::DocumentReader;
use crate::encode::to_json_with;
use crate::error::{Code, Error, Issue};
use crate::json::NumberStyle;
use crate::limits::Limits;
use crate::profile::{Profile, Rules, Undeclared};

/// Reads a host's event from JSON text by the rules, and writes it. Optional members that are null are dropped, unless the
/// rules keep them. Returns `None` if the rules drop the event; and the issues of the reading.
///
/// # Errors
/// The faults of the event.
pub fn event_text(
    json: &str,
    rules: Rules,
    style: NumberStyle,
    now: Option<i64>,
) -> Result<(Option<String>, Vec<Issue>), Error> {
    let mut reader = DocumentReader::new(Profile::default(), Limits::default().for_writing());
    let nulls = if rules.nulls == Undeclared::Keep { Undeclared::Keep } else { Undeclared::Drop };
    reader.rules = Rules { nulls, ..rules };
    let decoded = reader.typed_event(json)?;
    let mut warnings = decoded.warnings;
    warnings.retain(|issue| issue.code != Code::NullNotAllowed);
    let text = decoded.value.map(|mut event| {
        if let Some(now) = now {
            event.stamp(now);
        }
        to_json_with(&event, style)
    });
    Ok((text, warnings))
}
