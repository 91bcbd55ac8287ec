//! Encodes events as protobuf. Events come as JSON text and are validated first; an invalid one is refused with its
//! path.

use super::build::EventBuild;
use super::message::{Arms, CATALOG, Message, Union, WireField, WireKind};
use super::plain::write_strings;
use super::value::{STRUCT, write_value};
use super::wire::{Backward, VARINT};
use crate::Value;
use crate::decode::{Decoded, DocumentReader};
use crate::encode::to_json;
use crate::error::{Code, Error, Issue};
use crate::limits::Limits;
use crate::path::{Path, PathStep};
use crate::profile::{Profile, Rules, Undeclared};
use crate::schema::Record;
use crate::schema::{FieldDef, Kind, TypeDef, Validated};
use crate::types::Event;
use crate::validate::Nothing;

/// Encodes events as protobuf. It keeps its memory from one event to the next.
#[derive(Debug)]
pub struct ProtobufEncoder {
    /// True if each message follows its length, as in frames of the transport.
    pub framed: bool,
    reader: DocumentReader,
    build: EventBuild,
    out: Backward,
}

/// An event in protobuf.
#[derive(Debug)]
pub struct Encoded<'e> {
    /// The message; `None` if the event was dropped, since its type has no message.
    pub message: Option<&'e [u8]>,
    /// The warnings about repaired and dropped parts, and about values that protobuf cannot hold
    /// exactly.
    pub warnings: Vec<Issue>,
}

/// Encodes an event as a frame of the binary transport.
///
/// ```
/// use ag_ui_native::protobuf::{from_frame, to_frame};
/// use ag_ui_native::types::{Event, TextMessageEndEvent};
/// use ag_ui_native::Profile;
///
/// let event = Event::from(TextMessageEndEvent::new("m1"));
/// let frame = to_frame(&event)?;
/// assert_eq!(from_frame(&frame, Profile::Strict)?, (event, vec![]));
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
///
/// # Errors
/// The faults of the event under the profile `strict`; `number_out_of_range` for numbers that no double holds,
/// `unknown_field` for undeclared members, `unknown_event_type`: protobuf cannot hold them.
pub fn to_frame(event: &Event) -> Result<Vec<u8>, Error> {
    let message = encode(event)?;
    let length = u32::try_from(message.len()).map_err(|_| Error::limit("event_bytes", u32::MAX as usize))?;
    Ok([length.to_be_bytes().as_slice(), &message].concat())
}

/// Encodes an event as a protobuf message, without its length.
///
/// # Errors
/// Those of [`ProtobufEncoder::encode`] under the strict profile.
pub fn encode(event: &Event) -> Result<Vec<u8>, Error> {
    let mut encoder = ProtobufEncoder::new(Rules::of(Profile::Strict), Limits::default().for_writing());
    encoder.encode(to_json(event).as_bytes()).map(|encoded| encoded.message.unwrap_or_default().to_vec())
}

impl ProtobufEncoder {
    /// Creates an encoder that reads events by the given rules.
    pub fn new(rules: Rules, limits: Limits) -> Self {
        let mut reader = DocumentReader::new(Profile::default(), limits);
        // As on the text transport, optional members that are null are dropped without a warning.
        reader.rules = Rules { nulls: Undeclared::Drop, ..rules };
        Self { framed: false, reader, build: EventBuild::default(), out: Backward::default() }
    }

    /// Encodes an event that is JSON text.
    ///
    /// # Errors
    /// The faults of the event. Rules that refuse undeclared members also refuse values that protobuf cannot hold:
    /// `number_out_of_range` for numbers that no double holds, `unknown_field` for undeclared members,
    /// `unknown_event_type`. Other rules report it as warnings.
    pub fn encode(&mut self, json: &[u8]) -> Result<Encoded<'_>, Error> {
        self.build.clear();
        let decoded = self.reader.event(json, &mut self.build)?;
        self.write(decoded)
    }

    /// Encodes an event that is given as for [`DocumentReader::strings`].
    pub fn encode_strings(&mut self, place: usize, strings: &[&str]) -> Option<Result<Encoded<'_>, Error>> {
        self.reader.strings(place, strings, &mut Nothing)?;
        self.out.clear();
        write_strings(&mut self.out, place, strings);
        Some(self.encoded(true, Vec::new()))
    }

    fn write(&mut self, decoded: Decoded<Validated>) -> Result<Encoded<'_>, Error> {
        let Self { build, out, .. } = self;
        out.clear();
        let mut encoding = Encoding { out, build, lost: Vec::new() };
        let mut warnings = decoded.warnings;
        warnings.retain(|issue| issue.code != Code::NullNotAllowed);
        let message = match decoded.value {
            Some(Validated::Record(record)) => encoding.event(&record),
            Some(_) => {
                encoding.lost.push(
                    Issue::new(Code::UnknownEventType, "/type", "protobuf has no message for it")
                        .advise(AS_TEXT),
                );
                false
            }
            None => false,
        };
        let mut lost = encoding.lost;
        lost.reverse();
        if self.reader.rules.members == Undeclared::Refuse && !lost.is_empty() {
            return Err(Error::from(lost));
        }
        warnings.append(&mut lost);
        self.encoded(message, warnings)
    }

    fn encoded(&mut self, message: bool, warnings: Vec<Issue>) -> Result<Encoded<'_>, Error> {
        if self.framed && message {
            let length =
                u32::try_from(self.out.len()).map_err(|_| Error::limit("event_bytes", u32::MAX as usize))?;
            self.out.bytes(&length.to_be_bytes());
        }
        Ok(Encoded { message: message.then(|| self.out.written()), warnings })
    }
}

/// One event that is written from its end to its beginning.
struct Encoding<'o> {
    out: &'o mut Backward,
    /// Holds the free values.
    build: &'o EventBuild,
    /// The values that protobuf cannot hold, the last one first.
    lost: Vec<Issue>,
}

impl Encoding<'_> {
    /// Writes the envelope. Returns whether there is one for the event.
    fn event(&mut self, record: &Record) -> bool {
        let Some(message) = CATALOG.events.iter().find(|message| std::ptr::eq(message.ty, record.ty)) else {
            return false;
        };
        let (arm, slot) = message.event();
        self.members(&message.members, record, &Path::ROOT);
        let base = self.out.len();
        self.members(&message.base, record, &Path::ROOT);
        self.out.base(slot, base);
        self.extra(record, |_| false, &Path::ROOT);
        self.out.close(arm, 0);
        true
    }

    fn message(&mut self, message: &Message, record: &Record, path: &Path<'_>) {
        self.extra(record, |_| false, path);
        self.members(&message.members, record, path);
    }

    fn members(&mut self, members: &[WireField], record: &Record, path: &Path<'_>) {
        for member in members.iter().rev() {
            if let WireKind::Tag(tag) = member.holds {
                self.out.text(member.number, tag);
                continue;
            }
            let Some(value) = &record.members[member.field] else {
                if let Some(text) = kept_choice(member.def, record) {
                    self.out.text(member.number, text);
                }
                continue;
            };
            let at = path.then(PathStep::Key(record.ty.fields[member.field].wire));
            match (member.part, value) {
                (None, value) => self.member(member, value, &at),
                (Some((variant, index)), Validated::Record(inner))
                    if is_variant(record.ty, member, variant, inner) =>
                {
                    if let Some(value) = &inner.members[index] {
                        self.member(member, value, &at.then(PathStep::Key(member.def.wire)));
                    }
                }
                _ => {}
            }
        }
    }

    fn member(&mut self, member: &WireField, value: &Validated, path: &Path<'_>) {
        match value {
            // Content is text or a list.
            Validated::List(_) if !member.repeated => {}
            Validated::List(items) => {
                for (index, item) in items.iter().enumerate().rev() {
                    self.field(member, item, &path.then(PathStep::Index(index)));
                }
            }
            _ if member.repeated => {}
            value => self.field(member, value, path),
        }
    }

    /// Writes one field.
    fn field(&mut self, member: &WireField, value: &Validated, path: &Path<'_>) {
        let (number, end) = (member.number, self.out.len());
        match (member.holds, value) {
            (WireKind::Text, Validated::Text(text))
                if text.is_empty() && !member.explicit && !member.repeated => {}
            (WireKind::Text, Validated::Text(text)) => self.out.text(number, text),
            (WireKind::Text, Validated::Choice(index)) => self.out.text(number, member.choice(*index)),
            (WireKind::OuterTag(union), Validated::Record(inner)) => {
                let variant = union.variants.iter().find(|variant| std::ptr::eq(variant.ty, inner.ty));
                self.extra(inner, |_| false, path);
                self.out.text(number, variant.map_or("", |variant| variant.tag));
            }
            (WireKind::Bool, Validated::Bool(value)) => self.out.int(number, i64::from(*value)),
            (WireKind::Int, Validated::Int(value)) => self.out.int(number, *value),
            (WireKind::Value | WireKind::Struct, Validated::Kept(index)) => {
                self.free(matches!(member.holds, WireKind::Struct), *index, path);
                self.out.close(number, end);
            }
            (WireKind::Message(message), Validated::Record(record)) => {
                self.message(message, record, path);
                self.out.close(number, end);
            }
            (WireKind::Union(union), Validated::Record(record)) => {
                self.union(union, record, path);
                self.out.close(number, end);
            }
            (WireKind::Arms(arms), Validated::Record(record)) => {
                self.arms(arms, record, path);
                self.out.close(number, end);
            }
            (_, Validated::Unknown(_)) => {
                self.lose(Code::UnknownVariant, path, "protobuf has no message for it", AS_TEXT);
            }
            _ => {}
        }
    }

    fn union(&mut self, union: &Union, record: &Record, path: &Path<'_>) {
        let Some(index) = place_of(union.def.variants.iter().map(|variant| variant.ty), record.ty) else {
            return;
        };
        let variant = union.variants[index];
        let own = |number| variant.members.iter().find(|own| own.number == number);
        // An open object can have members of other variants.
        let foreign = |member: &WireField| {
            own(member.number).is_none().then(|| foreign_value(member, record)).flatten()
        };
        let has_field = |key: &str| {
            union.members.iter().any(|member| member.def.wire == key && foreign(member).is_some())
        };
        self.extra(record, has_field, path);
        for member in union.members.iter().rev() {
            match (own(member.number), foreign(member)) {
                (Some(WireField { holds: WireKind::TagNumber(_), .. }), _) if index == 0 => {}
                (Some(WireField { holds: WireKind::TagNumber(_), number, .. }), _) => {
                    self.out.varint(index as u64);
                    self.out.tag(*number, VARINT);
                }
                (Some(own), _) => self.members(std::slice::from_ref(own), record, path),
                (None, Some(Value::String(text))) if matches!(member.holds, WireKind::Text) => {
                    self.out.text(member.number, text);
                }
                (None, Some(value)) => self.undeclared(member, value, path),
                (None, None) => {}
            }
        }
    }

    fn arms(&mut self, arms: &Arms, record: &Record, path: &Path<'_>) {
        let Some(index) = place_of(arms.def.variants.iter().map(|variant| variant.ty), record.ty) else {
            return;
        };
        let end = self.out.len();
        self.message(arms.variants[index], record, path);
        self.out.close(u32::try_from(index).unwrap_or(u32::MAX) + 1, end);
    }

    /// Writes a free value.
    fn free(&mut self, is_struct: bool, index: usize, path: &Path<'_>) {
        let Some((value, bytes)) = self.build.value(index) else { return };
        let end = self.out.len();
        self.out.bytes(bytes);
        if value.is_object && !is_struct {
            self.out.close(STRUCT, end);
        }
        let lost = value.lost.iter().map(|pointer| beyond_doubles(path.pointer() + pointer));
        self.lost.extend(lost);
    }

    /// Writes a member that the variant does not declare, in the field that another variant has for
    /// it.
    fn undeclared(&mut self, member: &WireField, value: &Value, path: &Path<'_>) {
        let (end, issues) = (self.out.len(), &mut self.lost);
        let mut lose = |path: &Path<'_>| issues.push(beyond_doubles(path.pointer()));
        write_value(self.out, &value, &path.then(PathStep::Key(member.def.wire)), &mut lose);
        self.out.close(member.number, end);
    }

    /// Reports undeclared members, except those with a field.
    fn extra(&mut self, record: &Record, has_field: impl Fn(&str) -> bool, path: &Path<'_>) {
        for (key, _) in &record.extra {
            let is_choice = || {
                record.ty.fields.iter().any(|field| field.wire == key && kept_choice(field, record).is_some())
            };
            if !has_field(key) && !is_choice() {
                let at = &path.then(PathStep::Key(key));
                self.lose(Code::UnknownField, at, "protobuf has no field for it", AS_TEXT);
            }
        }
    }

    #[cold]
    fn lose(&mut self, code: Code, path: &Path<'_>, detail: &str, advice: &'static str) {
        self.lost.push(Issue::new(code, path.pointer(), detail).advise(advice));
    }
}

fn beyond_doubles(path: String) -> Issue {
    Issue::new(Code::NumberOutOfRange, path, "protobuf cannot hold this number exactly")
        .advise("send it as a string, or the event over the text transport")
}

/// The advice about an event that protobuf cannot hold.
const AS_TEXT: &str = "leave it out, or send the event over the text transport";

fn place_of(types: impl Iterator<Item = &'static TypeDef>, ty: &'static TypeDef) -> Option<usize> {
    types.enumerate().find(|(_, found)| std::ptr::eq(*found, ty)).map(|(index, _)| index)
}

/// True if `inner` is the variant that `member` carries a part of.
fn is_variant(ty: &'static TypeDef, member: &WireField, variant: usize, inner: &Record) -> bool {
    let Kind::Union(union) = ty.fields[member.field].kind else { return false };
    std::ptr::eq(union.variants[variant].ty, inner.ty)
}

/// Returns the string that `relay` has kept for a member whose closed set does not contain it. It is written like any
/// other.
fn kept_choice<'r>(field: &FieldDef, record: &'r Record) -> Option<&'r str> {
    let is_choice = !record.extra.is_empty() && matches!(field.kind, Kind::Enum(_));
    is_choice.then(|| record.extra.get(field.wire)).flatten().and_then(Value::as_str)
}

/// Returns the value of an open object for a member of another variant, if protobuf can hold it.
fn foreign_value<'r>(member: &WireField, record: &'r Record) -> Option<&'r Value> {
    let value = record.extra.get(member.def.wire).filter(|_| record.ty.open)?;
    match member.holds {
        WireKind::Value => Some(value),
        WireKind::Text => Some(value).filter(|value| value.as_str().is_some()),
        _ => None,
    }
}
