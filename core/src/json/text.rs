//! Strings: where an escape is needed, and how it is spelled.

/// Number of leading bytes that stand for themselves inside a JSON string.
#[inline]
pub fn plain_len(bytes: &[u8]) -> usize {
    // Whole blocks first: the comparison of a block compiles to vector instructions.
    let mut at = 0;
    while let Some(block) = bytes.get(at..at + 16) {
        let mut special = 0u8;
        for &byte in block {
            special |= u8::from(byte < 0x20) | u8::from(byte == b'"') | u8::from(byte == b'\\');
        }
        if special != 0 {
            break;
        }
        at += 16;
    }
    at + bytes[at..].iter().take_while(|&&byte| byte >= 0x20 && byte != b'"' && byte != b'\\').count()
}

/// Appends `text` as a JSON string. Only what must be escaped is; non-ASCII text, `/` and U+2028 stand as they are.
pub fn write(out: &mut String, text: &str) {
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
