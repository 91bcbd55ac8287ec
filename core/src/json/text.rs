//! Strings: finding the characters that need an escape, and writing escapes.

use wide::u8x16;

/// Number of bytes that are compared at once.
const CHUNK: usize = 16;

/// Returns the number of leading bytes that need no escape inside a JSON string.
#[inline]
pub fn plain_len(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        if let Some(index) = first_special(chunk) {
            return at + index;
        }
        at += CHUNK;
    }
    // The rest is shorter than a chunk. The last whole chunk covers it; its other bytes are known to need no escape.
    match bytes.last_chunk() {
        Some(chunk) => first_special(chunk).map_or(bytes.len(), |index| bytes.len() - CHUNK + index),
        None => plain_len_of_short(bytes),
    }
}

/// Does the work of [`plain_len`] for less than a chunk.
#[inline]
fn plain_len_of_short(bytes: &[u8]) -> usize {
    let is_plain = |byte: &&u8| **byte >= 0x20 && **byte != b'"' && **byte != b'\\';
    plain_len_of_halves::<8>(bytes)
        .or_else(|| plain_len_of_halves::<4>(bytes))
        .unwrap_or_else(|| bytes.iter().take_while(is_plain).count())
}

/// Does the work of [`plain_len`] for up to twice `N` bytes, whose halves may overlap. `None` for less than `N`.
#[inline]
fn plain_len_of_halves<const N: usize>(bytes: &[u8]) -> Option<usize> {
    let (first, last) = bytes.first_chunk::<N>().zip(bytes.last_chunk::<N>())?;
    let mut chunk = [b' '; CHUNK];
    chunk[..N].copy_from_slice(first);
    chunk[CHUNK - N..].copy_from_slice(last);
    Some(match first_special(&chunk) {
        Some(index) if index >= N => index + bytes.len() - CHUNK,
        index => index.unwrap_or(bytes.len()),
    })
}

/// Returns the first byte that needs an escape.
#[inline]
fn first_special(chunk: &[u8; CHUNK]) -> Option<usize> {
    let bytes = u8x16::new(*chunk);
    let is = |byte| bytes.simd_eq(u8x16::splat(byte));
    let control = bytes.min(u8x16::splat(0x1f)).simd_eq(bytes);
    let special = (control | is(b'"') | is(b'\\')).to_bitmask();
    (special != 0).then(|| special.trailing_zeros() as usize)
}

/// Appends `text` as a JSON string. Only necessary escapes are written; non-ASCII text, `/` and U+2028 are not
/// escaped.
pub fn write(out: &mut String, text: &str) {
    // Few texts have escapes. The room is enough for the text and for most continuations.
    out.reserve(text.len() + 32);
    out.push('"');
    let mut rest = text;
    loop {
        let plain = plain_len(rest.as_bytes());
        out.push_str(&rest[..plain]);
        let Some(&byte) = rest.as_bytes().get(plain) else { break };
        escape(out, byte);
        rest = &rest[plain + 1..];
    }
    out.push('"');
}

/// Returns the character that a backslash and this character stand for; `None` if the escape is longer.
#[inline]
pub fn unescaped(character: u8) -> Option<char> {
    Some(match character {
        b'"' | b'\\' | b'/' => char::from(character),
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        _ => return None,
    })
}

fn escape(out: &mut String, byte: u8) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    match byte {
        b'"' => out.push_str("\\\""),
        b'\\' => out.push_str("\\\\"),
        b'\n' => out.push_str("\\n"),
        b'\r' => out.push_str("\\r"),
        b'\t' => out.push_str("\\t"),
        0x08 => out.push_str("\\b"),
        0x0c => out.push_str("\\f"),
        _ => {
            out.push_str("\\u00");
            out.push(char::from(HEX[usize::from(byte >> 4)]));
            out.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
}
