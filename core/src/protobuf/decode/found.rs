//! The fields of one message, before it is known what is made of them.

use std::borrow::Cow;

use super::{Reading, Result};
use crate::place::Place;
use crate::protobuf::message::{Holds, Member};
use crate::protobuf::value::{KEY, MEMBER};
use crate::protobuf::wire::{Fields, Payload};

/// No message has a field of a higher number.
const MAX_NUMBER: usize = 15;

/// The fields of a message, by number. Of several the last counts, or all do.
#[derive(Debug)]
pub struct Found<'m> {
    message: &'m [u8],
    fields: [Option<Payload<'m>>; MAX_NUMBER],
    /// A bit for each field that is there more than once.
    several: u32,
}

impl<'m> Found<'m> {
    pub(super) fn get(&self, number: u32) -> Option<Payload<'m>> {
        self.fields.get(number as usize).copied().flatten()
    }

    pub(super) fn varint(&self, number: u32) -> Option<u64> {
        match self.get(number) {
            Some(Payload::Varint(value)) => Some(value),
            _ => None,
        }
    }

    pub(super) fn bytes(&self, number: u32) -> Option<&'m [u8]> {
        match self.get(number) {
            Some(Payload::Bytes(bytes)) => Some(bytes),
            _ => None,
        }
    }

    /// A message that is a field. Several are one: protobuf merges messages by reading them one behind the other.
    pub(super) fn merged(&self, number: u32) -> Option<Cow<'m, [u8]>> {
        let last = self.bytes(number)?;
        if self.several & 1 << number == 0 {
            return Some(last.into());
        }
        Some(self.all(number).collect::<Vec<_>>().concat().into())
    }

    /// The bytes of a member: of text the last.
    pub(super) fn of(&self, member: &Member) -> Option<Cow<'m, [u8]>> {
        match member.holds {
            Holds::Text | Holds::Tag(_) => self.bytes(member.number).map(Cow::from),
            _ => self.merged(member.number),
        }
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
    /// The fields of a message. What is there with another wire type than its member's counts as not there.
    pub(super) fn find<'b>(
        &self,
        bytes: &'b [u8],
        members: &[Member],
        place: &Place<'_>,
    ) -> Result<Found<'b>> {
        // The first field of an event is its base event.
        self.find_members(bytes, members, place, |first| matches!(first, Payload::Bytes(_)))
    }

    /// The fields of a base event, of which the type is the first.
    pub(super) fn find_base<'b>(
        &self,
        bytes: &'b [u8],
        members: &[Member],
        place: &Place<'_>,
    ) -> Result<Found<'b>> {
        self.find_members(bytes, members, place, |first| matches!(first, Payload::Varint(_)))
    }

    fn find_members<'b>(
        &self,
        bytes: &'b [u8],
        members: &[Member],
        place: &Place<'_>,
        is_first: impl Fn(Payload<'_>) -> bool,
    ) -> Result<Found<'b>> {
        let mut found = Found { message: bytes, fields: [None; MAX_NUMBER], several: 0 };
        for field in Fields::of(bytes) {
            let field = field.map_err(|malformed| self.malformed(bytes, malformed, place))?;
            let is_wanted = match members.iter().find(|member| member.number == field.number) {
                Some(member) => member.fits(field.payload),
                None => field.number == 1 && is_first(field.payload),
            };
            if is_wanted {
                let index = field.number as usize;
                found.several |= u32::from(found.fields[index].is_some()) << index;
                found.fields[index] = Some(field.payload);
            }
        }
        Ok(found)
    }

    /// The key and the value of a map's entry.
    pub(super) fn entry<'b>(&self, bytes: &'b [u8], place: &Place<'_>) -> Result<(&'b [u8], Cow<'b, [u8]>)> {
        let (mut key, mut value) = (&[] as &[u8], None);
        for field in Fields::of(bytes) {
            let field = field.map_err(|malformed| self.malformed(bytes, malformed, place))?;
            match (field.number, field.payload, &mut value) {
                (KEY, Payload::Bytes(text), _) => key = text,
                (MEMBER, Payload::Bytes(inner), None) => value = Some(Cow::from(inner)),
                (MEMBER, Payload::Bytes(inner), Some(merged)) => merged.to_mut().extend_from_slice(inner),
                _ => {}
            }
        }
        Ok((key, value.unwrap_or_default()))
    }
}
