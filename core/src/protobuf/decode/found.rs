//! The fields of one message, before they are interpreted.

use std::borrow::Cow;

use super::reading::{Reading, Result, invalid};
use crate::path::Path;
use crate::protobuf::message::WireField;
use crate::protobuf::value::{KEY, MEMBER};
use crate::protobuf::wire::{Fields, Payload};

/// The highest field number of any message.
const MAX_NUMBER: usize = 15;

/// The fields of a message, by number. If a field occurs several times, the last one counts, or all
/// do.
#[derive(Debug)]
pub struct Found<'m> {
    message: &'m [u8],
    bytes: [&'m [u8]; MAX_NUMBER],
    varints: [u64; MAX_NUMBER],
    /// A bit for each field that is present as bytes, as a varint, and more than once.
    has_bytes: u32,
    has_varint: u32,
    several: u32,
}

impl<'m> Found<'m> {
    /// Creates an empty collection for the fields of `message`.
    pub(super) fn of(message: &'m [u8]) -> Self {
        let (bytes, varints) = ([&[] as &[u8]; MAX_NUMBER], [0; MAX_NUMBER]);
        Self { message, bytes, varints, has_bytes: 0, has_varint: 0, several: 0 }
    }

    #[inline]
    fn add(&mut self, number: u32, payload: Payload<'m>) {
        let bit = 1 << number;
        self.several |= (self.has_bytes | self.has_varint) & bit;
        match payload {
            Payload::Bytes(bytes) => {
                self.bytes[number as usize] = bytes;
                self.has_bytes |= bit;
                self.has_varint &= !bit;
            }
            Payload::Varint(value) => {
                self.varints[number as usize] = value;
                self.has_varint |= bit;
                self.has_bytes &= !bit;
            }
            _ => {}
        }
    }

    pub(super) fn is_there(&self, number: u32) -> bool {
        (self.has_bytes | self.has_varint) & 1 << number != 0
    }

    pub(super) fn varint(&self, number: u32) -> Option<u64> {
        (self.has_varint & 1 << number != 0).then(|| self.varints[number as usize])
    }

    pub(super) fn bytes(&self, number: u32) -> Option<&'m [u8]> {
        (self.has_bytes & 1 << number != 0).then(|| self.bytes[number as usize])
    }

    pub(super) fn all(&self, number: u32) -> impl Iterator<Item = &'m [u8]> + use<'m> {
        Fields::of(self.message).filter_map(move |field| match field {
            Ok(field) if field.number == number => match field.payload {
                Payload::Bytes(bytes) => Some(bytes),
                _ => None,
            },
            _ => None,
        })
    }
}

impl Reading<'_, '_> {
    /// Collects the fields of a message into `found`, which the caller holds since it is large. A field with the wrong wire
    /// type counts as absent.
    pub(super) fn find(&self, found: &mut Found<'_>, members: &[WireField], path: &Path<'_>) -> Result<()> {
        // The first field of an event is its base event.
        self.find_members(found, members, path, |first| matches!(first, Payload::Bytes(_)))
    }

    /// Collects the fields of a base event, whose first field is the type.
    pub(super) fn find_base(
        &self,
        found: &mut Found<'_>,
        members: &[WireField],
        path: &Path<'_>,
    ) -> Result<()> {
        self.find_members(found, members, path, |first| matches!(first, Payload::Varint(_)))
    }

    #[inline]
    fn find_members(
        &self,
        found: &mut Found<'_>,
        members: &[WireField],
        path: &Path<'_>,
        is_first: impl Fn(Payload<'_>) -> bool,
    ) -> Result<()> {
        let bytes = found.message;
        for field in Fields::of(bytes) {
            let field = field.map_err(|malformed| self.malformed(bytes, malformed, path))?;
            let is_read = match members.iter().find(|member| member.number == field.number) {
                Some(member) => member.fits(field.payload),
                None => field.number == 1 && is_first(field.payload),
            };
            if is_read {
                found.add(field.number, field.payload);
            }
        }
        Ok(())
    }

    /// Returns the message in a field. Several fields are merged: protobuf merges messages by reading them one after
    /// the other.
    pub(super) fn merged<'b>(
        &self,
        found: &Found<'b>,
        number: u32,
        path: &Path<'_>,
    ) -> Result<Option<Cow<'b, [u8]>>> {
        if found.several & 1 << number == 0 {
            return Ok(found.bytes(number).map(Cow::from));
        }
        let mut parts = found.all(number);
        let mut merged = Cow::from(parts.next().unwrap_or_default());
        for part in parts {
            self.join(&mut merged, part, path)?;
        }
        Ok(Some(merged))
    }

    /// Appends a part to a message.
    pub(super) fn join(&self, message: &mut Cow<'_, [u8]>, part: &[u8], path: &Path<'_>) -> Result<()> {
        // Each part must be a whole message by itself: the second must not complete the first.
        for whole in [if let Cow::Borrowed(first) = message { *first } else { &[] }, part] {
            for field in Fields::of(whole) {
                field.map_err(|malformed| self.malformed(whole, malformed, path))?;
            }
        }
        let copied = if let Cow::Borrowed(first) = message { first.len() } else { 0 } + part.len();
        let room = self.room.get().checked_sub(copied);
        self.room.set(room.ok_or_else(|| invalid(path, "the member has too many parts"))?);
        message.to_mut().extend_from_slice(part);
        Ok(())
    }

    /// Returns the key and the value of a map entry.
    pub(super) fn entry<'b>(&self, bytes: &'b [u8], path: &Path<'_>) -> Result<(&'b [u8], Cow<'b, [u8]>)> {
        let (mut key, mut value) = (&[] as &[u8], None);
        for field in Fields::of(bytes) {
            let field = field.map_err(|malformed| self.malformed(bytes, malformed, path))?;
            match (field.number, field.payload, &mut value) {
                (KEY, Payload::Bytes(text), _) => key = text,
                (MEMBER, Payload::Bytes(inner), None) => value = Some(Cow::from(inner)),
                (MEMBER, Payload::Bytes(inner), Some(merged)) => self.join(merged, inner, path)?,
                _ => {}
            }
        }
        Ok((key, value.unwrap_or_default()))
    }
}
