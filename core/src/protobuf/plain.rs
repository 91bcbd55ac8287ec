//! The fast path for events with only string members, from and to messages: without JSON text and in one pass. Everything
//! unusual is left to the general path, which gives the same result and reports faults.

use super::message::{CATALOG, WireKind};
use super::wire::{Backward, Field, Fields, Payload, enumerated};
use crate::validate::MAX_FIELDS;

/// An event that has just its tag and its required members, all of them strings.
#[derive(Debug)]
pub struct PlainStrings<'m> {
    /// The place of its type among all types.
    pub place: usize,
    strings: [&'m str; MAX_FIELDS],
    count: usize,
}

impl<'m> PlainStrings<'m> {
    /// Returns the event of an envelope, if the message holds nothing else.
    pub fn of(message: &'m [u8]) -> Option<Self> {
        let mut envelope = Fields::of(message);
        let Field { number, payload: Payload::Bytes(bytes) } = envelope.next()?.ok()? else { return None };
        let place = CATALOG.events.iter().position(|message| message.event().0 == number)?;
        let message = CATALOG.events[place];
        if envelope.next().is_some() {
            return None;
        }
        let mut members = [None; MAX_FIELDS];
        let mut base = None;
        for field in Fields::of(bytes) {
            let Field { number, payload: Payload::Bytes(bytes) } = field.ok()? else { return None };
            if number == 1 {
                base.replace(bytes).is_none().then_some(())?;
                continue;
            }
            let member = message.members.iter().find(|member| member.number == number)?;
            let is_plain =
                matches!(member.holds, WireKind::Text) && !member.repeated && member.part.is_none();
            let text = std::str::from_utf8(bytes).ok().filter(|_| is_plain)?;
            members[member.field].replace(text).is_none().then_some(())?;
        }
        if !is_bare(base?, message.event().1) {
            return None;
        }
        let mut found = Self { place, strings: [""; MAX_FIELDS], count: 0 };
        for (field, member) in message.ty.fields.iter().zip(members).filter(|(field, _)| !field.is_tag()) {
            match member {
                None if field.is_optional() => {}
                Some(text) if !field.is_optional() => {
                    found.strings[found.count] = text;
                    found.count += 1;
                }
                _ => return None,
            }
        }
        Some(found)
    }

    /// Returns the strings, in the order of the declaration.
    pub fn strings(&self) -> &[&'m str] {
        &self.strings[..self.count]
    }
}

/// Writes the envelope of an event that has just its tag and its required members, which are these strings. The caller has
/// validated it.
pub fn write_strings(out: &mut Backward, place: usize, strings: &[&str]) {
    let message = CATALOG.events[place];
    let mut members = [None; MAX_FIELDS];
    let required =
        message.ty.fields.iter().enumerate().filter(|(_, field)| !field.is_optional() && !field.is_tag());
    for ((index, _), text) in required.zip(strings) {
        members[index] = Some(*text);
    }
    for member in message.members.iter().rev() {
        match members[member.field] {
            Some(text) if matches!(member.holds, WireKind::Text) && (member.explicit || !text.is_empty()) => {
                out.text(member.number, text);
            }
            _ => {}
        }
    }
    let (arm, slot) = message.event();
    out.base(slot, out.len());
    out.close(arm, 0);
}

/// True if a base event holds only its type.
fn is_bare(base: &[u8], slot: u32) -> bool {
    let mut fields = Fields::of(base);
    let said = match fields.next() {
        None => 0,
        Some(Ok(Field { number: 1, payload: Payload::Varint(value) })) => enumerated(value),
        Some(_) => return false,
    };
    fields.next().is_none() && said == i64::from(slot)
}
