//! The protobuf messages of the declared types. The codec and the `.proto` file follow them.

use std::sync::LazyLock;

use super::wire::Payload;
use crate::collections::HashMap;
use crate::schema::{Carried, FieldDef, Form, Kind, Role, TypeDef, UnionDef};
use crate::types::{BaseEvent, ContentPart, Event};

/// The message of an object type.
#[derive(Debug)]
pub struct Message {
    /// The type.
    pub ty: &'static TypeDef,
    /// Its members by ascending number.
    pub members: Vec<WireField>,
    /// The members of an event's base event, by ascending number.
    pub base: Vec<WireField>,
    /// The members of the type in the order of the declaration, with the source of each.
    pub entries: Vec<MemberEntry>,
}

/// A member of a type.
#[derive(Clone, Copy, Debug)]
pub struct MemberEntry {
    /// Its declaration.
    pub def: &'static FieldDef,
    /// The source of its value.
    pub source: MemberSource,
}

/// The source of a member: indexes into the members of a message.
#[derive(Clone, Copy, Debug)]
pub enum MemberSource {
    /// A tag, which needs no field.
    Tag(&'static str),
    /// A field of the base event.
    Base(usize),
    /// A field.
    Own(usize),
    /// Content: a field for text, and one for a list of parts.
    Content(usize, usize),
    /// The tag of an object whose members are fields of this type.
    Outcome(usize, &'static UnionDef),
}

/// A field of a message.
#[derive(Clone, Debug)]
pub struct WireField {
    /// Its number.
    pub number: u32,
    /// The declaration of the member.
    pub def: &'static FieldDef,
    /// Index of the member in the type. The field carries it or a part of it.
    pub field: usize,
    /// The part: the variant of the member's union, and the index among the variant's members.
    pub part: Option<(usize, usize)>,
    /// The kind of its content.
    pub holds: WireKind,
    /// True if the field may occur several times.
    pub repeated: bool,
    /// True if the presence of the field has a meaning: an empty value is written, too.
    pub explicit: bool,
}

/// The kind of a field's content.
#[derive(Clone, Copy, Debug)]
pub enum WireKind {
    /// Text.
    Text,
    /// The tag of the type, as text.
    Tag(&'static str),
    /// The tag of the type, as the number of its variant.
    TagNumber(&'static UnionDef),
    /// The tag of the member's object, as text.
    OuterTag(&'static UnionDef),
    /// A boolean.
    Bool,
    /// An integer.
    Int,
    /// Any JSON: `google.protobuf.Value`.
    Value,
    /// A JSON object: `google.protobuf.Struct`.
    Struct,
    /// A message.
    Message(&'static Message),
    /// One message for all variants of a union.
    Union(&'static Union),
    /// A message with a field for each variant of a union, numbered from 1.
    Arms(&'static Arms),
}

/// A union whose variants share a message.
#[derive(Debug)]
pub struct Union {
    /// The union.
    pub def: &'static UnionDef,
    /// The part of the message that each variant uses.
    pub variants: Vec<&'static Message>,
    /// The members of the message by ascending number.
    pub members: Vec<WireField>,
    /// The members that are forms of one member. Only one of these may be present.
    pub forms: Vec<usize>,
}

/// A union with a field for each variant.
#[derive(Debug)]
pub struct Arms {
    /// The union.
    pub def: &'static UnionDef,
    /// The message of each variant.
    pub variants: Vec<&'static Message>,
}

/// Every message.
#[derive(Debug, Default)]
pub struct Catalog {
    /// The messages of the events, in the order of the union.
    pub events: Vec<&'static Message>,
    /// All other messages, each after those that it contains.
    pub messages: Vec<&'static Message>,
    /// The unions that are written as one message.
    pub unions: Vec<&'static Union>,
    /// The unions with a field for each variant.
    pub arms: Vec<&'static Arms>,
    cache: HashMap<&'static str, WireKind>,
}

/// The messages of the protocol.
pub static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    let mut catalog = Catalog::default();
    catalog.events = Event::UNION.variants.iter().map(|variant| catalog.message(variant.ty, None)).collect();
    catalog
});

impl Message {
    /// Returns the number of the event in the envelope, and of its type in the enumeration.
    pub fn event(&self) -> (u32, u32) {
        match self.ty.role {
            Role::Event { arm, slot } => (arm, slot),
            _ => (0, 0),
        }
    }
}

impl Catalog {
    /// Returns the message of a type, or the part of it for a variant of `union`.
    fn message(&mut self, ty: &'static TypeDef, union: Option<&'static UnionDef>) -> &'static Message {
        if let Some(WireKind::Message(known)) = self.cache.get(ty.name) {
            return known;
        }
        let mut members = Vec::new();
        for (index, def) in ty.fields.iter().enumerate() {
            if let Kind::Union(outer) = def.kind
                && outer.form == Form::Beside
            {
                members.push(self.member(def, index, Some((WireKind::OuterTag(outer), false))));
                for (variant, found) in outer.variants.iter().enumerate() {
                    for (place, inner) in
                        found.ty.fields.iter().enumerate().filter(|(_, inner)| inner.number > 0)
                    {
                        let member = self.member(inner, index, None);
                        members.push(WireField { part: Some((variant, place)), explicit: true, ..member });
                    }
                }
                continue;
            }
            if def.number > 0 && !(ty.is_event() && def.is_tag()) {
                let mut member = self.member(def, index, None);
                if let Some(union) = union {
                    let is_there = |ty: &TypeDef| {
                        ty.fields.iter().any(|field| {
                            field.number == def.number
                                && !field.is_optional()
                                && !matches!(field.kind, Kind::Content)
                        })
                    };
                    member.explicit |= !union.variants.iter().all(|variant| is_there(variant.ty));
                    if def.is_tag() && union.form == Form::Numbered {
                        member.holds = WireKind::TagNumber(union);
                    }
                }
                members.push(member);
            }
            if def.parts_number > 0 {
                let parts = self.holds(&Kind::Union(ContentPart::UNION), def);
                let member = self.member(def, index, Some((parts, true)));
                members.push(WireField { number: def.parts_number, ..member });
            }
        }
        members.sort_by_key(|member| member.number);
        let base = if ty.is_event() { self.base(ty) } else { Vec::new() };
        let entry = |(index, def)| entry(index, def, &members, &base, union.is_some());
        let entries = ty.fields.iter().enumerate().filter_map(entry).collect();
        let message: &'static Message = Box::leak(Box::new(Message { ty, members, base, entries }));
        self.cache.insert(ty.name, WireKind::Message(message));
        if !ty.is_event() && union.is_none() {
            self.messages.push(message);
        }
        message
    }

    /// Returns the members of an event in its base event, with their numbers there.
    fn base(&mut self, ty: &'static TypeDef) -> Vec<WireField> {
        let numbered = BaseEvent::TYPE.fields.iter().filter(|field| field.wire != Event::UNION.tag);
        let members = numbered.filter_map(|base| {
            let index = ty.field_named(base.name)?;
            Some(WireField { number: base.number, ..self.member(&ty.fields[index], index, None) })
        });
        members.collect()
    }

    /// Returns the field of a member, with the given content or that of the declaration.
    fn member(&mut self, def: &'static FieldDef, field: usize, given: Option<(WireKind, bool)>) -> WireField {
        let (holds, repeated) = given.unwrap_or_else(|| match def.kind {
            Kind::List(item) => (self.holds(item, def), true),
            // Its other form has its own field.
            Kind::Content => (WireKind::Text, false),
            _ => (self.holds(&def.kind, def), false),
        });
        let explicit =
            def.is_optional() && def.carried != Carried::AsList || matches!(def.kind, Kind::Content);
        WireField { number: def.number, def, field, part: None, holds, repeated, explicit }
    }

    fn holds(&mut self, kind: &Kind, def: &FieldDef) -> WireKind {
        match *kind {
            Kind::Bool => WireKind::Bool,
            Kind::Int53 | Kind::UInt53 => WireKind::Int,
            Kind::Any => WireKind::Value,
            Kind::Dict if def.carried == Carried::AsValue => WireKind::Value,
            Kind::Dict => WireKind::Struct,
            Kind::Literal(tag) => WireKind::Tag(tag),
            Kind::Object(ty) => WireKind::Message(self.message(ty, None)),
            Kind::Union(union) => self.union(union),
            Kind::Text | Kind::Pointer | Kind::Enum(_) | Kind::List(_) | Kind::Content => WireKind::Text,
        }
    }

    fn union(&mut self, def: &'static UnionDef) -> WireKind {
        if let Some(&known) = self.cache.get(def.name) {
            return known;
        }
        let shared = (def.form != Form::Arms).then_some(def);
        let variants: Vec<_> = def.variants.iter().map(|variant| self.message(variant.ty, shared)).collect();
        let holds = if shared.is_some() {
            let mut members: Vec<WireField> = Vec::new();
            for member in variants.iter().flat_map(|variant| &variant.members) {
                if members.iter().all(|known| known.number != member.number) {
                    members.push(member.clone());
                }
            }
            members.sort_by_key(|member| member.number);
            let is_form = |index: &usize| {
                let key = members[*index].def.wire;
                members.iter().filter(|member| member.def.wire == key).count() > 1
            };
            let forms = (0..members.len()).filter(is_form).collect();
            let union: &'static Union = Box::leak(Box::new(Union { def, variants, members, forms }));
            self.unions.push(union);
            WireKind::Union(union)
        } else {
            let arms: &'static Arms = Box::leak(Box::new(Arms { def, variants }));
            self.arms.push(arms);
            WireKind::Arms(arms)
        };
        self.cache.insert(def.name, holds);
        holds
    }
}

/// Returns the source of a member of a type; `None` if protobuf does not carry it.
fn entry(
    index: usize,
    def: &'static FieldDef,
    members: &[WireField],
    base: &[WireField],
    is_variant: bool,
) -> Option<MemberEntry> {
    let mut fields = (0..members.len()).filter(|place| members[*place].field == index);
    let source = match (def.kind, fields.next()) {
        (Kind::Literal(tag), place) if is_variant || place.is_none() => MemberSource::Tag(tag),
        (_, None) => MemberSource::Base(base.iter().position(|member| member.field == index)?),
        (_, Some(place)) => match (members[place].holds, fields.next()) {
            (WireKind::OuterTag(union), _) => MemberSource::Outcome(place, union),
            (_, Some(parts)) => MemberSource::Content(place, parts),
            (_, None) => MemberSource::Own(place),
        },
    };
    Some(MemberEntry { def, source })
}

impl WireField {
    /// True if a field with this payload can hold the member.
    pub fn fits(&self, payload: Payload<'_>) -> bool {
        match self.holds {
            WireKind::Bool | WireKind::Int | WireKind::TagNumber(_) => matches!(payload, Payload::Varint(_)),
            _ => matches!(payload, Payload::Bytes(_)),
        }
    }

    /// Returns a string of the member's closed set.
    pub fn choice(&self, index: usize) -> &'static str {
        match self.def.kind {
            Kind::Enum(set) => set.values.get(index).copied().unwrap_or_default(),
            _ => "",
        }
    }
}
