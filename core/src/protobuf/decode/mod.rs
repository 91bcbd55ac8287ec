//! Decodes protobuf to the JSON text of the event. The text is then validated like any other, so both transports
//! accept the same events.

mod found;
mod reading;
mod union;
mod value;

use std::borrow::Cow;
use std::cell::Cell;

use found::Found;
use reading::{DecodingOptions, Reading, Result, invalid};

use super::message::{CATALOG, MemberEntry, MemberSource, Message, WireField, WireKind};
use super::wire::{Fields, Payload, enumerated};
use crate::error::Issue;
use crate::json::Writer;
use crate::path::{Path, PathStep};

/// Reads messages. It keeps its memory from one message to the next.
#[derive(Debug, Default)]
pub struct ProtobufReader {
    json: Writer,
    issues: Vec<Issue>,
}

/// The content of a message.
#[derive(Debug)]
pub enum ReadMessage<'r> {
    /// The JSON text of an event, with the issues of dropped and replaced parts.
    Event(&'r str, Vec<Issue>),
    /// The field number of an event of an undeclared type.
    Unknown(u32),
}

impl ProtobufReader {
    /// Reads one message of the envelope. Values that nest deeper than `depth` are refused; `replace_invalid_text` replaces text that is not
    /// UTF-8.
    ///
    /// # Errors
    /// `invalid_protobuf` with the byte offset of the fault, `invalid_utf8`, `limit_exceeded`; each with the place in the
    /// event.
    pub fn read(
        &mut self,
        message: &[u8],
        depth: usize,
        replace_invalid_text: bool,
    ) -> Result<ReadMessage<'_>> {
        let Self { json, issues } = self;
        json.out.clear();
        issues.clear();
        let room = Cell::new(LEVELS * message.len());
        let mut reading =
            Reading { message, json, issues, options: DecodingOptions { depth, replace_invalid_text }, room };
        match reading.envelope() {
            Ok(Some(unknown)) => Ok(ReadMessage::Unknown(unknown)),
            Ok(None) => Ok(ReadMessage::Event(&self.json.out, std::mem::take(&mut self.issues))),
            Err(error) => Err(error),
        }
    }
}

/// Maximum number of bytes, in message lengths, that are copied to merge parts. No encoder writes messages in parts. Each
/// level of the protocol can be merged once; a hostile message would copy every level of its values.
const LEVELS: usize = 8;

impl Reading<'_, '_> {
    /// Reads the envelope. Returns the number of the event if it is undeclared.
    fn envelope(&mut self) -> Result<Option<u32>> {
        let mut arm: Option<(&'static Message, Cow<'_, [u8]>)> = None;
        let mut unknown = Vec::new();
        // The number of the event. A field of another wire type counts, too.
        let mut claimed = None;
        for field in Fields::of(self.message) {
            let field = field.map_err(|malformed| self.malformed(self.message, malformed, &Path::ROOT))?;
            let known = CATALOG.events.iter().find(|message| message.event().0 == field.number);
            if let (Some(_), false) = (known, matches!(field.payload, Payload::Group))
                && *claimed.get_or_insert(field.number) != field.number
            {
                return Err(invalid(&Path::ROOT, "the envelope has two events"));
            }
            match (known, field.payload, &mut arm) {
                (Some(message), Payload::Bytes(bytes), None) => arm = Some((message, bytes.into())),
                (Some(_), Payload::Bytes(bytes), Some((_, merged))) => {
                    self.join(merged, bytes, &Path::ROOT)?;
                }
                (None, Payload::Bytes(bytes), _) => unknown.push((field.number, bytes)),
                _ => {}
            }
        }
        if let Some((message, bytes)) = arm {
            return self.event(message, &bytes).map(|()| None);
        }
        for (_, bytes) in &unknown {
            self.find(&mut Found::of(bytes), &[], &Path::ROOT)?;
        }
        match (unknown.first(), claimed) {
            (Some((number, _)), None) => Ok(Some(*number)),
            _ => Err(invalid(&Path::ROOT, "the envelope has no event")),
        }
    }

    fn event(&mut self, message: &'static Message, bytes: &[u8]) -> Result<()> {
        let mut found = Found::of(bytes);
        self.find(&mut found, &message.members, &Path::ROOT)?;
        let base = self.merged(&found, 1, &Path::ROOT)?;
        let base = base.ok_or_else(|| invalid(&Path::ROOT, "the event has no base event"))?;
        let mut found_base = Found::of(&base);
        self.find_base(&mut found_base, &message.base, &Path::ROOT)?;
        if enumerated(found_base.varint(1).unwrap_or_default()) != i64::from(message.event().1) {
            return Err(invalid(
                &Path::ROOT.then(PathStep::Key("type")),
                "the base event has another type than the envelope",
            ));
        }
        self.json.out.push('{');
        self.members(message, Some(&found_base), &found, &Path::ROOT)?;
        self.json.out.push('}');
        Ok(())
    }

    fn message(&mut self, message: &'static Message, bytes: &[u8], path: &Path<'_>) -> Result<()> {
        let mut found = Found::of(bytes);
        self.find(&mut found, &message.members, path)?;
        self.json.out.push('{');
        self.members(message, None, &found, path)?;
        self.json.out.push('}');
        Ok(())
    }

    /// Writes the members of a type in the order of the declaration.
    fn members(
        &mut self,
        message: &'static Message,
        base: Option<&Found<'_>>,
        found: &Found<'_>,
        path: &Path<'_>,
    ) -> Result<()> {
        for MemberEntry { def, source } in &message.entries {
            let at = path.then(PathStep::Key(def.wire));
            match *source {
                MemberSource::Tag(tag) => {
                    self.key(def.key);
                    self.json.text(tag);
                }
                MemberSource::Base(index) => {
                    if let Some(base) = base {
                        self.member(&message.base[index], false, base, &at)?;
                    }
                }
                MemberSource::Own(index) => self.member(&message.members[index], false, found, &at)?,
                MemberSource::Outcome(index, union) => {
                    self.outcome(union, &message.members[index], &message.members, found, &at)?;
                }
                MemberSource::Content(text, parts) => {
                    let [text, parts] = [text, parts].map(|index| &message.members[index]);
                    match (found.is_there(text.number), found.is_there(parts.number)) {
                        (true, true) => return Err(invalid(&at, "the member has both text and parts")),
                        (true, false) => self.member(text, true, found, &at)?,
                        (false, _) => self.member(parts, true, found, &at)?,
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes a member that is present, or whose absence means an empty value.
    #[inline]
    fn member(
        &mut self,
        member: &WireField,
        is_content: bool,
        found: &Found<'_>,
        path: &Path<'_>,
    ) -> Result<()> {
        if member.repeated {
            return self.list(member, is_content, found, path);
        }
        if !found.is_there(member.number) {
            if !member.explicit && matches!(member.holds, WireKind::Text | WireKind::Tag(_)) {
                self.key(member.def.key);
                self.json.out.push_str("\"\"");
            }
            return Ok(());
        }
        let start = self.json.out.len();
        self.key(member.def.key);
        if !self.field(member, found, path)? {
            self.json.out.truncate(start);
        }
        Ok(())
    }

    fn list(
        &mut self,
        member: &WireField,
        is_content: bool,
        found: &Found<'_>,
        path: &Path<'_>,
    ) -> Result<()> {
        let is_there = found.is_there(member.number);
        if !is_there && member.explicit && !is_content {
            return Ok(());
        }
        self.key(member.def.key);
        self.json.out.push('[');
        for (index, bytes) in found.all(member.number).enumerate() {
            let start = self.json.out.len();
            if !self.json.out.ends_with('[') {
                self.json.out.push(',');
            }
            if !self.item(member, bytes, &path.then(PathStep::Index(index)))? {
                self.json.out.truncate(start);
            }
        }
        self.json.out.push(']');
        Ok(())
    }

    /// Writes the content of a field. Returns whether there is any.
    fn field(&mut self, member: &WireField, found: &Found<'_>, path: &Path<'_>) -> Result<bool> {
        match (member.holds, found.varint(member.number)) {
            (WireKind::Bool, Some(value)) => self.json.bool(value != 0),
            (WireKind::Int, Some(value)) => self.json.int(value.cast_signed()),
            _ => {
                let bytes = match member.holds {
                    WireKind::Text | WireKind::Tag(_) => found.bytes(member.number).map(Cow::from),
                    _ => self.merged(found, member.number, path)?,
                };
                let Some(bytes) = bytes else { return Ok(false) };
                return self.item(member, &bytes, path);
            }
        }
        Ok(true)
    }

    /// Writes the value of `bytes`. Returns whether there is one.
    fn item(&mut self, member: &WireField, bytes: &[u8], path: &Path<'_>) -> Result<bool> {
        match member.holds {
            WireKind::Text | WireKind::Tag(_) | WireKind::OuterTag(_) => self.text(bytes, path)?,
            WireKind::Value => return self.value(bytes, self.options.depth, path),
            WireKind::Struct => self.object(bytes, self.options.depth, path)?,
            WireKind::Message(message) => self.message(message, bytes, path)?,
            WireKind::Union(union) => self.union(union, bytes, path)?,
            WireKind::Arms(arms) => return self.arms(arms, bytes, path),
            WireKind::TagNumber(_) | WireKind::Bool | WireKind::Int => return Ok(false),
        }
        Ok(true)
    }
}
