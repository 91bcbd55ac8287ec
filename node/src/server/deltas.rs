//! Several deltas of one entity, which cross together.

use ag_ui_native::bindings::server::{Entity, RunWriter};
use ag_ui_native::{Code, Error};

/// Writes several deltas in a row. `lengths` has their count, and the UTF-16 length of each.
pub(super) fn write_each(
    run: &mut RunWriter,
    entity: Entity,
    mut text: &str,
    lengths: &[u32],
) -> Result<(), Error> {
    let is_ascii = text.is_ascii();
    let count = lengths.first().map_or(0, |&count| count as usize);
    for &length in lengths.iter().skip(1).take(count) {
        let length = length as usize;
        let end = if is_ascii { Some(length) } else { utf8_length(text, length) };
        let parts = end.and_then(|end| text.split_at_checked(end));
        let (delta, rest) =
            parts.ok_or_else(|| Error::new(Code::Internal, "a length reaches beyond the text"))?;
        run.write(entity, delta)?;
        text = rest;
    }
    Ok(())
}

/// Returns the count of bytes of this number of UTF-16 units.
fn utf8_length(text: &str, units: usize) -> Option<usize> {
    let mut left = units;
    let mut characters = text.chars();
    while left > 0 {
        left = left.checked_sub(characters.next()?.len_utf16())?;
    }
    Some(text.len() - characters.as_str().len())
}
