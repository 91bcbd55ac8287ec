//! Strings: where an escape is needed, and how it is spelled.

/// Bytes looked at together in long texts.
const BLOCK: usize = 64;

/// Number of leading bytes that stand for themselves inside a JSON string.
#[inline]
pub fn plain_len(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let special = special_bytes(u64::from_le_bytes(*word));
        if special != 0 {
            return at + special.trailing_zeros() as usize / 8;
        }
        at += 8;
        // Most texts are short; behind their first words, blocks are faster.
        if at == BLOCK {
            at += plain_blocks(&bytes[at..]);
        }
    }
    // The rest is shorter than a word: the last whole word covers it, and what it covers besides is known to be plain.
    if let Some(word) = bytes.last_chunk::<8>() {
        let special = special_bytes(u64::from_le_bytes(*word));
        return if special == 0 {
            bytes.len()
        } else {
            bytes.len() - 8 + special.trailing_zeros() as usize / 8
        };
    }
    at + bytes[at..].iter().take_while(|&&byte| byte >= 0x20 && byte != b'"' && byte != b'\\').count()
}

/// Number of leading bytes in blocks without anything special.
fn plain_blocks(bytes: &[u8]) -> usize {
    // Zero where a byte is special. Minima of bytes are vector instructions, comparisons with `or` are not.
    let sign = |byte: u8| (byte ^ b'"').min(byte ^ b'\\').min(byte.saturating_sub(0x1f));
    let is_plain =
        |block: &&[u8; BLOCK]| block.map(sign).iter().fold(u8::MAX, |least, &sign| least.min(sign)) != 0;
    bytes.as_chunks::<BLOCK>().0.iter().take_while(is_plain).count() * BLOCK
}

/// The high bit of every byte that needs an escape. Bits above the lowest one set may be false: a borrow runs upwards.
#[inline]
fn special_bytes(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES * 0x80;
    let below = |limit: u8, word: u64| word.wrapping_sub(ONES * u64::from(limit));
    let is = |byte: u8| below(1, word ^ (ONES * u64::from(byte)));
    // What is not ASCII has its high bit set, and stands for itself.
    (below(0x20, word) | is(b'"') | is(b'\\')) & !word & HIGH
}

/// Appends `text` as a JSON string. Only what must be escaped is; non-ASCII text, `/` and U+2028 stand as they are.
pub fn write(out: &mut String, text: &str) {
    // Few texts have escapes: room for all at once, and for what stands behind most.
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

/// What a backslash and this character stand for; nothing if that takes more than the two.
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
