//! Metadata: free key-value data about an event, a message, a tool call.

use crate::Object;

/// The metadata key that the protocol reserves by convention.
pub const AGUI_METADATA_KEY: &str = "ag-ui";

/// Merges metadata: the new value of a key counts, without merging deeper. If one side is absent, the other is the
/// result.
pub fn merge(old: Option<&Object>, new: Option<&Object>) -> Option<Object> {
    match (old, new) {
        (None, None) => None,
        (Some(one), None) | (None, Some(one)) => Some(one.clone()),
        (Some(old), Some(new)) => {
            let mut merged = old.clone();
            for (key, value) in new {
                merged.insert(key, value.clone());
            }
            Some(merged)
        }
    }
}
