//! Plans compaction from numbers: the function that `CompactionFunction` in `lib/native/native.cts` describes.

use ag_ui_native::bindings::compact::{Missing, ROW_WORDS, read_plan};
use napi::bindgen_prelude::Unknown;
use napi::{Env, Result};

use crate::border::{MISSING_EVENTS, MISSING_TABLE};
use crate::engine::output::to_u32;
use crate::node_api::{Handle, JsCall, function};

/// The function.
pub fn compaction_function(env: Env) -> Result<Unknown<'static>> {
    let call = JsCall::of(&env);
    call.returned(function(&call, c"plan", (), plan)?)
}

#[allow(clippy::trivially_copy_pass_by_ref)] // Functions have a state, if only this.
fn plan<'c>(
    call: &mut JsCall<'c>,
    (): &(),
    [words, rows, count, listed]: [Handle<'c>; 4],
) -> Option<Handle<'c>> {
    let rows = usize::try_from(call.int(rows)?).ok()?;
    let count = usize::try_from(call.int(count)?).ok()?;
    let listed = if call.is_undefined(listed) {
        None
    } else {
        Some(call.with_words(listed, |listed| listed.to_vec()).unwrap_or_default())
    };
    let answer = call.with_words(words, |words| {
        let row_layout = words.get(..rows.checked_mul(ROW_WORDS)?)?;
        let plan = match read_plan(count, row_layout, listed.as_deref()) {
            Ok(plan) => plan,
            Err(Missing::Table) => return Some(MISSING_TABLE),
            Err(Missing::Events) => return Some(MISSING_EVENTS),
        };
        let mut written = Vec::with_capacity(row_layout.len());
        plan.write(&mut written);
        words.get_mut(..written.len())?.copy_from_slice(&written);
        Some(to_u32(written.len()))
    })??;
    call.uint(answer)
}
