//! Patches that a host can try without asking core at every step: few operations, each of which sets a scalar.

use super::operation::{Token, depth, tokens};
use crate::Value;
use crate::limits::Limits;
use crate::types::JsonPatchOperation;

/// An operation that sets a scalar.
#[derive(Clone, Copy, Debug)]
pub struct ScalarEdit<'p> {
    /// True for `replace`: the value must exist.
    pub replaces: bool,
    /// The JSON pointer of a place inside the document.
    pub path: &'p str,
    /// The new value.
    pub value: &'p Value,
}

const MAX_OPERATIONS: usize = 8;
const MAX_STEPS: usize = 32;

/// Maximum number of places by which each operation of a scalar patch may move the items of a list. A host calls
/// [`apply_to`](super::apply_to) for larger ones.
pub const MAX_SCALAR_SHIFTS: usize = 100_000;

/// Maximum number of operations, values and steps of a scalar patch, all together.
pub const MAX_SCALAR_PARTS: usize = 2 * MAX_OPERATIONS + MAX_STEPS;

/// Returns the operations of a scalar patch. The host tries to apply them; if that fails,
/// [`apply_to`](super::apply_to) returns the error.
pub fn scalar_edits<'p>(
    operations: &'p [JsonPatchOperation],
    limits: &Limits,
) -> Option<impl Iterator<Item = ScalarEdit<'p>>> {
    let most = MAX_OPERATIONS.min(limits.patch_operations);
    let may_shift = limits.patch_shifts >= MAX_OPERATIONS * MAX_SCALAR_SHIFTS;
    if operations.is_empty() || operations.len() > most || !may_shift {
        return None;
    }
    let steps = operations.iter().map(|operation| setting(operation).map(|edit| depth(edit.path)));
    let is_scalar_patch = steps.sum::<Option<usize>>()? <= MAX_STEPS;
    is_scalar_patch.then(|| operations.iter().filter_map(setting))
}

fn setting(operation: &JsonPatchOperation) -> Option<ScalarEdit<'_>> {
    let (replaces, path, value, extra) = match operation {
        JsonPatchOperation::Add(it) => (false, it.path.as_str(), &it.value, &it.extra),
        JsonPatchOperation::Replace(it) => (true, it.path.as_str(), &it.value, &it.extra),
        _ => return None,
    };
    let is_scalar = !matches!(value, Value::Array(_) | Value::Object(_));
    (is_scalar && extra.is_empty() && !path.is_empty()).then_some(ScalarEdit { replaces, path, value })
}

impl<'p> ScalarEdit<'p> {
    /// Returns the steps to the place of the value.
    pub fn steps(self) -> impl Iterator<Item = Token<'p>> {
        tokens(self.path).map(Token::of)
    }
}
