//! Validated members, before they become Rust structs.

use super::TypeDef;
use crate::json::Writer;
use crate::{Object, Value};

/// A validated member on its way into a Rust struct.
#[derive(Debug)]
pub enum Validated {
    /// A string.
    Text(String),
    /// A boolean.
    Bool(bool),
    /// An integer of either range.
    Int(i64),
    /// Any JSON value, a free object included.
    Json(Value),
    /// Any JSON value that the builder keeps under this number, in its own form.
    Kept(usize),
    /// Index into an [`EnumDef`](super::EnumDef)'s values.
    Choice(usize),
    /// An object of a declared type.
    Record(Record),
    /// An object of an undeclared variant.
    Unknown(Object),
    /// A list.
    List(Vec<Validated>),
}

/// An object of a declared type with validated members, before it becomes a struct.
#[derive(Debug)]
pub struct Record {
    /// The type.
    pub ty: &'static TypeDef,
    /// Its members, in declaration order. Absent members and the tag are `None`.
    pub members: Vec<Option<Validated>>,
    /// Undeclared members.
    pub extra: Object,
}

/// A declared object type.
pub trait Typed: Sized {
    /// Its description.
    const TYPE_DEF: &'static TypeDef;

    /// Makes the struct from a validated record.
    fn from_record(record: Record) -> Self;

    /// Writes it as JSON, members in declaration order.
    fn write(&self, writer: &mut Writer);
}
