//! The Rust types of declared members.

use std::borrow::Cow;
use std::fmt::Debug;
use std::vec::IntoIter;

use serde::ser::{Serialize, SerializeMap};

use super::record::Validated;
use super::{Carried, Kind, OnRead, Presence};
use crate::compat::ProtocolVersion;
use crate::json::{ListWriter, NumberStyle, ObjectWriter, RawObject, RawValue, Writer};
use crate::validate::Direct;
use crate::{Object, Value};

/// A Rust type for a declared member.
pub trait FieldType: for<'a> Direct<'a> + Serialize {
    /// The kind of value that it holds.
    const KIND: Kind;
    /// The presence of a member: required or optional.
    const PRESENCE: Presence = Presence::Required;
    /// The same value with texts that are borrowed from a document.
    type Borrowed<'a>: Direct<'a> + Clone + Debug + PartialEq;

    /// Makes the form that borrows, of texts that it owns.
    fn into_borrowed<'a>(self) -> Self::Borrowed<'a>;

    /// Makes the form that owns its texts.
    fn from_borrowed(borrowed: Self::Borrowed<'_>) -> Self;

    /// Takes the value out of a validated one of this kind.
    fn from_validated(value: Option<Validated>) -> Self;

    /// Writes the value as JSON.
    fn write(&self, writer: &mut Writer);

    /// True if the member is left out.
    fn is_absent(&self) -> bool {
        false
    }
}

/// Hands a member to serde unless it is absent.
pub(crate) fn serialize<M: SerializeMap>(
    object: &mut M,
    key: &str,
    member: &impl FieldType,
) -> Result<(), M::Error> {
    if member.is_absent() { Ok(()) } else { object.serialize_entry(key, member) }
}

/// Returns the next member of a record.
pub(crate) fn take<T: FieldType>(members: &mut IntoIter<Option<Validated>>) -> T {
    T::from_validated(members.next().flatten())
}

/// A type with a kind that lives as long as the program.
pub trait DeclaredType: FieldType {
    /// Its kind, as a static.
    const DECLARED_KIND: &'static Kind = &Self::KIND;
}

impl<T: FieldType> DeclaredType for T {}

impl ObjectWriter<'_> {
    /// Writes a declared member unless it is absent; `key` is the quoted key with its colon.
    #[inline]
    pub fn field<T: FieldType>(&mut self, key: &str, value: &T) {
        if !value.is_absent() {
            value.write(self.key(key));
        }
    }
}

impl ListWriter<'_> {
    /// Writes a declared item.
    pub fn item<T: FieldType>(&mut self, value: &T) {
        value.write(self.next());
    }
}

/// Returns a member's attribute name: the Rust name without the prefix of raw identifiers.
pub(crate) const fn attribute(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [b'r', b'#', ..] => name.split_at(2).1,
        _ => name,
    }
}

/// Returns the `read` rule of a declaration line. The text is empty if there is no rule.
pub(crate) const fn on_read(rule: &str) -> OnRead {
    match rule.as_bytes() {
        b"" => OnRead::Keep,
        b"absent_is_empty" => OnRead::AbsentIsEmpty,
        b"null_is_absent" => OnRead::NullIsAbsent,
        _ => panic!("unknown read rule"),
    }
}

/// Returns the `as` rule of a declaration line. The text is empty if there is no rule.
pub(crate) const fn carried(rule: &str) -> Carried {
    match rule.as_bytes() {
        b"" => Carried::Plainly,
        b"value" => Carried::AsValue,
        b"list" => Carried::AsList,
        _ => panic!("unknown rule"),
    }
}

/// Returns the `since` rule of a declaration line. The text is empty if there is no rule.
pub(crate) const fn since(rule: &str) -> ProtocolVersion {
    match rule.as_bytes() {
        b"" => super::FIRST,
        b"1.1" => ProtocolVersion::new(1, 1, 0),
        _ => panic!("unknown version"),
    }
}

/// Returns the `about` rule of a declaration line. The text is empty if there is no rule.
pub(crate) const fn about(rule: &'static str) -> Option<&'static str> {
    if rule.is_empty() { None } else { Some(rule) }
}

impl FieldType for String {
    const KIND: Kind = Kind::Text;
    type Borrowed<'a> = Cow<'a, str>;

    fn into_borrowed<'a>(self) -> Self::Borrowed<'a> {
        Cow::Owned(self)
    }

    fn from_borrowed(borrowed: Self::Borrowed<'_>) -> Self {
        borrowed.into_owned()
    }

    fn from_validated(value: Option<Validated>) -> Self {
        match value {
            Some(Validated::Text(text)) => text,
            _ => Self::new(),
        }
    }

    fn write(&self, writer: &mut Writer) {
        writer.text(self);
    }
}

impl FieldType for bool {
    const KIND: Kind = Kind::Bool;
    type Borrowed<'a> = Self;

    fn into_borrowed<'a>(self) -> Self::Borrowed<'a> {
        self
    }

    fn from_borrowed(borrowed: Self::Borrowed<'_>) -> Self {
        borrowed
    }

    fn from_validated(value: Option<Validated>) -> Self {
        matches!(value, Some(Validated::Bool(true)))
    }

    fn write(&self, writer: &mut Writer) {
        writer.bool(*self);
    }
}

impl FieldType for i64 {
    const KIND: Kind = Kind::Int53;
    type Borrowed<'a> = Self;

    fn into_borrowed<'a>(self) -> Self::Borrowed<'a> {
        self
    }

    fn from_borrowed(borrowed: Self::Borrowed<'_>) -> Self {
        borrowed
    }

    fn from_validated(value: Option<Validated>) -> Self {
        match value {
            Some(Validated::Int(value)) => value,
            _ => 0,
        }
    }

    fn write(&self, writer: &mut Writer) {
        writer.int(*self);
    }
}

impl FieldType for u64 {
    const KIND: Kind = Kind::UInt53;
    type Borrowed<'a> = Self;

    fn into_borrowed<'a>(self) -> Self::Borrowed<'a> {
        self
    }

    fn from_borrowed(borrowed: Self::Borrowed<'_>) -> Self {
        borrowed
    }

    fn from_validated(value: Option<Validated>) -> Self {
        match value {
            Some(Validated::Int(value)) => value.unsigned_abs(),
            _ => 0,
        }
    }

    fn write(&self, writer: &mut Writer) {
        writer.uint(*self);
    }
}

impl FieldType for Value {
    const KIND: Kind = Kind::Any;
    type Borrowed<'a> = RawValue<'a>;

    fn into_borrowed<'a>(self) -> Self::Borrowed<'a> {
        let mut writer = Writer::new(NumberStyle::default());
        writer.value(&self);
        RawValue::checked(writer.out)
    }

    fn from_borrowed(borrowed: Self::Borrowed<'_>) -> Self {
        borrowed.to_value()
    }

    fn from_validated(value: Option<Validated>) -> Self {
        match value {
            Some(Validated::Json(value)) => value,
            _ => Self::Null,
        }
    }

    fn write(&self, writer: &mut Writer) {
        writer.value(self);
    }
}

impl FieldType for Object {
    const KIND: Kind = Kind::Dict;
    type Borrowed<'a> = RawObject<'a>;

    fn into_borrowed<'a>(self) -> Self::Borrowed<'a> {
        RawObject::checked(Value::Object(self).into_borrowed())
    }

    fn from_borrowed(borrowed: Self::Borrowed<'_>) -> Self {
        borrowed.to_object()
    }

    fn from_validated(value: Option<Validated>) -> Self {
        match value {
            Some(Validated::Json(Value::Object(object)) | Validated::Unknown(object)) => object,
            _ => Self::default(),
        }
    }

    fn write(&self, writer: &mut Writer) {
        writer.dict(self);
    }
}

impl<T: FieldType> FieldType for Option<T> {
    const KIND: Kind = T::KIND;
    const PRESENCE: Presence = Presence::Optional;
    type Borrowed<'a> = Option<T::Borrowed<'a>>;

    fn into_borrowed<'a>(self) -> Self::Borrowed<'a> {
        self.map(T::into_borrowed)
    }

    fn from_borrowed(borrowed: Self::Borrowed<'_>) -> Self {
        borrowed.map(T::from_borrowed)
    }

    fn from_validated(value: Option<Validated>) -> Self {
        value.map(|value| T::from_validated(Some(value)))
    }

    fn write(&self, writer: &mut Writer) {
        if let Some(value) = self {
            value.write(writer);
        }
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T: FieldType> FieldType for Box<T> {
    const KIND: Kind = T::KIND;
    type Borrowed<'a> = Box<T::Borrowed<'a>>;

    fn into_borrowed<'a>(self) -> Self::Borrowed<'a> {
        Box::new(T::into_borrowed(*self))
    }

    fn from_borrowed(borrowed: Self::Borrowed<'_>) -> Self {
        Self::new(T::from_borrowed(*borrowed))
    }

    fn from_validated(value: Option<Validated>) -> Self {
        Self::new(T::from_validated(value))
    }

    fn write(&self, writer: &mut Writer) {
        T::write(self, writer);
    }
}

impl<T: FieldType> FieldType for Vec<T> {
    const KIND: Kind = Kind::List(&T::KIND);
    type Borrowed<'a> = Vec<T::Borrowed<'a>>;

    fn into_borrowed<'a>(self) -> Self::Borrowed<'a> {
        self.into_iter().map(T::into_borrowed).collect()
    }

    fn from_borrowed(borrowed: Self::Borrowed<'_>) -> Self {
        borrowed.into_iter().map(T::from_borrowed).collect()
    }

    fn from_validated(value: Option<Validated>) -> Self {
        match value {
            Some(Validated::List(items)) => {
                items.into_iter().map(|item| T::from_validated(Some(item))).collect()
            }
            _ => Self::new(),
        }
    }

    fn write(&self, writer: &mut Writer) {
        let mut list = writer.list();
        for item in self {
            list.item(item);
        }
        list.end();
    }
}
