//! Counts the values of a JSON text before it is parsed.

/// True if a JSON text has more than `most` values: each list, object and scalar counts, keys do not. For text that is not JSON the
/// result has no meaning; the parser refuses such text.
pub(crate) fn has_more_values(text: &[u8], most: usize) -> bool {
    // A value takes at least one byte, and so does the separator after it.
    if text.len() / 2 < most {
        return false;
    }
    let mut count = 1;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'"' => at = behind_string(text, at),
            b',' => count += 1,
            b'[' | b'{' => count += usize::from(!is_closed_next(text, at)),
            _ => {}
        }
        if count > most {
            return true;
        }
    }
    false
}

/// Returns the place after a string that begins before `at`.
fn behind_string(text: &[u8], mut at: usize) -> usize {
    while let Some(found) = memchr::memchr2(b'"', b'\\', text.get(at..).unwrap_or_default()) {
        at += found + 1;
        if text[at - 1] == b'"' {
            return at;
        }
        at += 1;
    }
    text.len()
}

/// True if the list or object that begins before `at` is empty.
fn is_closed_next(text: &[u8], at: usize) -> bool {
    let inside = text.get(at..).unwrap_or_default();
    let next = inside.iter().find(|byte| !byte.is_ascii_whitespace());
    matches!(next, Some(b']' | b'}'))
}
