//! The short way through an event whose members are strings, which most of a stream is: no tape, no second look.
//! Whatever is unusual is left to the general way, which gives the same result and says what is wrong.

use super::{Build, MAX_FIELDS, Reader};
use crate::json::{plain_len, unescaped};
use crate::schema::{FieldDef, Kind, OnRead};
use crate::types::Event;

/// A string as it stands in the document.
#[derive(Clone, Copy)]
struct Text<'a> {
    raw: &'a str,
    /// It has escapes, all of them of two characters.
    escaped: bool,
}

impl<B: Build> Reader<'_, B> {
    /// Reads an event of declared members, each once and each a string, the tag first.
    pub fn flat_event(&mut self, json: &str) -> Option<B::Value> {
        if self.rules.non_empty {
            return None;
        }
        let (key, tag, mut rest) = member(json.strip_prefix('{')?)?;
        let (index, ty) = if key == "type" { Event::UNION.variant(tag.raw)? } else { return None };
        let mut found: [Option<Text<'_>>; MAX_FIELDS] = [None; MAX_FIELDS];
        found[ty.field_index("type", 0)?] = Some(tag);
        let mut hint = 1;
        while let Some(behind) = rest.strip_prefix(',') {
            let (key, text, behind) = member(behind)?;
            let index = ty.field_index(key, hint)?;
            if found[index].replace(text).is_some() {
                return None;
            }
            hint = index + 1;
            rest = behind;
        }
        let found = &found[..ty.fields.len()];
        if rest != "}" || !ty.fields.iter().zip(found).all(|(field, text)| is_plain(field, *text)) {
            return None;
        }
        self.event_type = Some(&Event::UNION.variants[index]);
        let mut object = self.build.object(ty);
        for (index, (field, text)) in ty.fields.iter().zip(found).enumerate() {
            if let Some(text) = text {
                let value = self.flat_value(field, *text);
                self.build.member(&mut object, index, value);
            }
        }
        Some(self.build.end(object))
    }

    fn flat_value(&mut self, field: &FieldDef, text: Text<'_>) -> B::Value {
        match field.kind {
            Kind::Literal(literal) => self.build.literal(literal),
            Kind::Enum(set) => self.build.choice(set, choice(set.values, text.raw).unwrap_or_default()),
            _ if text.escaped => self.build.text(&unescape(text.raw)),
            _ => self.build.text(text.raw),
        }
    }
}

/// Whether there is nothing to say about a member that is this text, or is not there.
#[inline]
fn is_plain(field: &FieldDef, text: Option<Text<'_>>) -> bool {
    match (text, field.kind) {
        (None, _) => field.is_optional() && field.on_read == OnRead::Keep,
        (Some(_), Kind::Text) => true,
        (Some(text), Kind::Literal(literal)) => text.raw == literal,
        (Some(text), Kind::Enum(set)) => choice(set.values, text.raw).is_some(),
        _ => false,
    }
}

fn choice(values: &[&str], text: &str) -> Option<usize> {
    values.iter().position(|value| *value == text)
}

/// `"key":"text"` and what stands behind it.
#[inline]
fn member(json: &str) -> Option<(&str, Text<'_>, &str)> {
    let (key, rest) = string(json)?;
    let (text, rest) = string(rest.strip_prefix(':')?)?;
    (!key.escaped).then_some((key.raw, text, rest))
}

/// A string, a space before it allowed, and what stands behind it.
#[inline]
fn string(json: &str) -> Option<(Text<'_>, &str)> {
    let json = json.strip_prefix(' ').unwrap_or(json).strip_prefix('"')?;
    let mut at = plain_len(json.as_bytes());
    let mut escaped = false;
    while json.as_bytes().get(at) == Some(&b'\\') {
        unescaped(*json.as_bytes().get(at + 1)?)?;
        escaped = true;
        at += 2;
        at += plain_len(&json.as_bytes()[at..]);
    }
    let (raw, rest) = json.split_at_checked(at)?;
    Some((Text { raw, escaped }, rest.strip_prefix('"')?))
}

fn unescape(mut raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    while let Some((plain, behind)) = raw.split_at_checked(plain_len(raw.as_bytes())) {
        text.push_str(plain);
        let Some(character) = behind.as_bytes().get(1) else { break };
        text.extend(unescaped(*character));
        raw = &behind[2..];
    }
    text
}
