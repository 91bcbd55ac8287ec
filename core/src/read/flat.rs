//! The short way through an event whose members are plain strings, which most of a stream is: no tape, no second look.
//! Whatever is unusual is left to the general way, which gives the same result and says what is wrong.

use super::{Build, MAX_FIELDS, Reader};
use crate::json::plain_len;
use crate::schema::{FieldDef, Kind, OnRead};
use crate::types::Event;

impl<B: Build> Reader<'_, B> {
    /// Reads an event of declared members, each once and each a string without escapes, the tag first.
    pub fn flat_event(&mut self, json: &str) -> Option<B::Value> {
        if self.rules.non_empty {
            return None;
        }
        let (first, mut rest) = member(json.strip_prefix('{')?)?;
        let (index, ty) = if first.0 == "type" { Event::UNION.variant(first.1)? } else { return None };
        let mut found: [Option<&str>; MAX_FIELDS] = [None; MAX_FIELDS];
        found[ty.field_index("type", 0)?] = Some(first.1);
        let mut hint = 1;
        while let Some(behind) = rest.strip_prefix(',') {
            let ((key, text), behind) = member(behind)?;
            let index = ty.field_index(key, hint)?;
            if found[index].replace(text).is_some() {
                return None;
            }
            hint = index + 1;
            rest = behind;
        }
        let members = || ty.fields.iter().zip(found);
        if rest != "}" || !members().all(|(field, text)| is_plain(field, text)) {
            return None;
        }
        self.event_type = Some(&Event::UNION.variants[index]);
        let mut object = self.build.object(ty);
        for (index, (field, text)) in members().enumerate() {
            if let Some(text) = text {
                let value = self.flat_value(field, text);
                self.build.member(&mut object, index, value);
            }
        }
        Some(self.build.end(object))
    }

    fn flat_value(&mut self, field: &FieldDef, text: &str) -> B::Value {
        match field.kind {
            Kind::Literal(literal) => self.build.literal(literal),
            Kind::Enum(set) => self.build.choice(set, choice(set.values, text).unwrap_or_default()),
            _ => self.build.text(text),
        }
    }
}

/// Whether there is nothing to say about a member that is this text, or is not there.
fn is_plain(field: &FieldDef, text: Option<&str>) -> bool {
    match (text, field.kind) {
        (None, _) => field.is_optional() && field.on_read == OnRead::Keep,
        (Some(_), Kind::Text) => true,
        (Some(text), Kind::Literal(literal)) => text == literal,
        (Some(text), Kind::Enum(set)) => choice(set.values, text).is_some(),
        _ => false,
    }
}

fn choice(values: &[&str], text: &str) -> Option<usize> {
    values.iter().position(|value| *value == text)
}

/// `"key":"text"` and what stands behind it.
#[inline]
fn member(json: &str) -> Option<((&str, &str), &str)> {
    let (key, rest) = string(json)?;
    let (text, rest) = string(rest.strip_prefix(':')?)?;
    Some(((key, text), rest))
}

/// A string without escapes, a space before it allowed, and what stands behind it.
#[inline]
fn string(json: &str) -> Option<(&str, &str)> {
    let json = json.strip_prefix(' ').unwrap_or(json).strip_prefix('"')?;
    let (text, rest) = json.split_at_checked(plain_len(json.as_bytes()))?;
    Some((text, rest.strip_prefix('"')?))
}
