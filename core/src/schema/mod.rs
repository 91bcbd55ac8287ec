//! The protocol described as data.
//!
//! Every type of AG-UI is declared once, in `core/src/types/`, with the macros of `declare.rs`. A declaration
//! yields two things: a Rust type, and a static description of it made of the structures below. Validation, the
//! codecs, the Python and TypeScript types, the JSON Schema and the reference table are all driven by the
//! descriptions, so none of them can disagree with another.

#[macro_use]
mod builder;
#[macro_use]
mod examples;
#[macro_use]
mod direct;
#[macro_use]
mod declare;
pub(crate) mod field;
mod record;
#[macro_use]
mod registry;

use crate::compat::ProtocolVersion;
pub use crate::validate::Direct;
pub use direct::Borrowed;
pub use field::{DeclaredType, FieldType};
pub use record::{Record, Typed, Validated};

pub use registry::{ENUMS, TYPES, UNIONS, type_named, union_named};

/// The first version of the protocol.
const FIRST: ProtocolVersion = ProtocolVersion::new(1, 0, 0);

/// The module that a type belongs to, in every language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Module {
    /// The 31 events and the types that only they contain.
    Events,
    /// Messages, content parts, run input, tools, patch operations.
    Types,
    /// The capabilities that an agent declares.
    Capabilities,
    /// Types of AG-UI before 1.0 that programs still import.
    Deprecated,
}

/// The role of a type in the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// One of the 31 events: `arm` is its number in the protobuf envelope, `slot` its number in the protobuf enum.
    Event {
        /// Field number of the event inside the protobuf `Event` envelope.
        arm: u32,
        /// Value of the protobuf `EventType` enum.
        slot: u32,
    },
    /// One of the 7 messages.
    Message,
    /// Fields that other types share; never on the wire by itself.
    Shared,
    /// Anything else.
    Part,
}

/// One protocol object type.
#[derive(Debug)]
pub struct TypeDef {
    /// Name in every language, e.g. `TextMessageStartEvent`.
    pub name: &'static str,
    /// Documentation of the type.
    pub doc: &'static str,
    /// The module that contains it.
    pub module: Module,
    /// Its role in the protocol.
    pub role: Role,
    /// Declared members in serialization order.
    pub fields: &'static [FieldDef],
    /// True if undeclared members are allowed (JSON Patch operations only).
    pub open: bool,
    /// A bit for each required member, by its place.
    pub required: u32,
    /// A bit for each list that enforcement adds if it is absent.
    pub filled: u32,
    /// A bit for each member that is allowed only together with the member before it.
    pub about: u32,
}

/// Returns the bits of [`TypeDef::about`].
pub(crate) const fn about_the_one_before(fields: &[FieldDef]) -> u32 {
    let (mut about, mut at) = (0, 0);
    while at < fields.len() {
        if let Some(name) = fields[at].about {
            assert!(name.len() == fields[at - 1].name.len(), "it stands behind what it is about");
            about |= 1 << at;
        }
        at += 1;
    }
    about
}

/// Returns the bits of [`TypeDef::required`] and [`TypeDef::filled`].
pub(crate) const fn required_and_filled(fields: &[FieldDef]) -> (u32, u32) {
    let (mut required, mut filled, mut at) = (0, 0, 0);
    while at < fields.len() {
        if matches!(fields[at].presence, Presence::Required) {
            required |= 1 << at;
        }
        if matches!(fields[at].on_read, OnRead::AbsentIsEmpty) {
            filled |= 1 << at;
        }
        at += 1;
    }
    (required, filled)
}

/// One declared member of an object type.
#[derive(Debug)]
pub struct FieldDef {
    /// Name in Rust and Python, `snake_case`.
    pub name: &'static str,
    /// Key on the wire, `camelCase`.
    pub wire: &'static str,
    /// The key in JSON, with its quotes and colon.
    pub key: &'static str,
    /// The kind of value that it holds.
    pub kind: Kind,
    /// The presence of a member: required or optional.
    pub presence: Presence,
    /// Field number in the type's protobuf message; 0 where protobuf carries it elsewhere or not at all.
    pub number: u32,
    /// Second protobuf field number, for content that is sent as a list of parts.
    pub parts_number: u32,
    /// Minimum number of items of a list.
    pub min_items: usize,
    /// The treatment of an absent list in the input of a run, and of a null state, by a reader.
    pub on_read: OnRead,
    /// The form of the member in protobuf.
    pub carried: Carried,
    /// The version of the protocol that introduces it.
    pub since: ProtocolVersion,
    /// Name of the member before it, if this member describes that one and is allowed
    /// only together with it.
    pub about: Option<&'static str>,
    /// Documentation of the member.
    pub doc: &'static str,
}

/// The presence of a member: required or optional.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// The key must be there.
    Required,
    /// The key may be left out. A missing value is never written as `null`.
    Optional,
}

/// Adjustments a reader makes to a member of [`RunAgentInput`](crate::types::RunAgentInput).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnRead {
    /// None.
    Keep,
    /// An absent list and an empty one mean the same.
    AbsentIsEmpty,
    /// The official schemas of Node read `null` as absent, and ours can replace them. The protocol itself has no such
    /// value.
    NullIsAbsent,
}

/// The form of a member in protobuf, where its kind does not determine it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried {
    /// The form of its kind.
    Plainly,
    /// A free object as any value.
    AsValue,
    /// An optional list as one that is always present: an absent list is read as empty.
    AsList,
}

/// The kind of value that a member holds.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A string without further constraint.
    Text,
    /// A string that is a JSON Pointer (RFC 6901).
    Pointer,
    /// `true` or `false`.
    Bool,
    /// An integer between -(2^53-1) and 2^53-1.
    Int53,
    /// An integer between 0 and 2^53-1.
    UInt53,
    /// Any JSON value; `null` counts as a value where the member is required, and is refused where it is optional.
    Any,
    /// A JSON object with free keys and values.
    Dict,
    /// One fixed string: the tag that names the type inside its union.
    Literal(&'static str),
    /// One of a closed set of strings.
    Enum(&'static EnumDef),
    /// An object of a declared type.
    Object(&'static TypeDef),
    /// An object whose tag member names its type.
    Union(&'static UnionDef),
    /// A list.
    List(&'static Kind),
    /// A string, or a list of content parts.
    Content,
}

/// A closed set of strings.
#[derive(Debug)]
pub struct EnumDef {
    /// Name in every language.
    pub name: &'static str,
    /// Documentation of the set.
    pub doc: &'static str,
    /// The module that contains it.
    pub module: Module,
    /// The strings, in declaration order.
    pub values: &'static [&'static str],
}

/// Object types that the string under one key distinguishes.
#[derive(Debug)]
pub struct UnionDef {
    /// Name in every language.
    pub name: &'static str,
    /// Documentation of the union.
    pub doc: &'static str,
    /// The module that contains it.
    pub module: Module,
    /// Wire key of the tag.
    pub tag: &'static str,
    /// The form of the union in protobuf.
    pub form: Form,
    /// The variants in declaration order.
    pub variants: &'static [Variant],
}

/// The form of a union in protobuf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A message with a field for each variant.
    Arms,
    /// One message with the members of all variants, and the tag as text.
    Shared,
    /// Like `Shared`, but with the tag as a number: the variant's place, from 0.
    Numbered,
    /// The tag and the members are fields of the type that contains the union.
    Beside,
}

/// One member of a union.
#[derive(Debug)]
pub struct Variant {
    /// The tag's value.
    pub tag: &'static str,
    /// The type it names.
    pub ty: &'static TypeDef,
}

impl TypeDef {
    /// Returns the index of the member with wire key `key`. The search begins at `hint`, since members usually come in
    /// order.
    #[inline]
    pub fn field_index(&self, key: &str, hint: usize) -> Option<usize> {
        let (before, behind) = self.fields.split_at(hint.min(self.fields.len()));
        let find = |fields: &[FieldDef]| fields.iter().position(|field| field.wire == key);
        find(behind).map(|at| before.len() + at).or_else(|| find(before))
    }

    /// Returns the member whose Rust and Python name is `name`.
    pub fn field_named(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }

    /// Returns the tag of the type: index of the literal member, and its value.
    pub fn tag(&self) -> Option<(usize, &'static str)> {
        self.fields.iter().enumerate().find_map(|(index, field)| match field.kind {
            Kind::Literal(value) => Some((index, value)),
            _ => None,
        })
    }

    /// True if the type is one of the 31 events.
    pub fn is_event(&self) -> bool {
        matches!(self.role, Role::Event { .. })
    }
}

impl Kind {
    /// Returns the integers that a member of an integer kind may hold.
    pub fn integer_range(&self) -> std::ops::RangeInclusive<i64> {
        let max = crate::json::MAX_SAFE_INTEGER;
        if matches!(self, Self::UInt53) { 0..=max } else { -max..=max }
    }
}

impl FieldDef {
    /// True if the member may be left out.
    #[inline]
    pub fn is_optional(&self) -> bool {
        self.presence == Presence::Optional
    }

    /// True if the first version of the protocol did not have the member.
    pub fn is_newer(&self) -> bool {
        self.since > FIRST
    }

    /// True if the member is the type's tag.
    #[inline]
    pub fn is_tag(&self) -> bool {
        matches!(self.kind, Kind::Literal(_))
    }
}

impl UnionDef {
    /// Returns the variant that `tag` names.
    #[inline]
    pub fn variant(&self, tag: &str) -> Option<(usize, &'static TypeDef)> {
        self.variants.iter().position(|variant| variant.tag == tag).map(|at| (at, self.variants[at].ty))
    }
}
