//! The operations that turn one document into another.

use std::convert::Infallible;

use crate::json::{Input, NumberStyle, Writer};
use crate::types::{
    AddOperation, JsonPatchOperation, JsonPointer, MoveOperation, RemoveOperation, ReplaceOperation,
};
use crate::{Object, Value};

/// One operation of a patch, whose value still belongs to the holder.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit<I> {
    /// `add`
    Add(String, I),
    /// `remove`
    Remove(String),
    /// `replace`
    Replace(String, I),
    /// `move`: from, to.
    Move(String, String),
}

impl<I> Edit<I> {
    /// Returns the same operation with the value converted by `make`.
    pub fn map<T>(self, make: impl FnOnce(I) -> T) -> Edit<T> {
        self.try_map(|value| Ok::<_, Infallible>(make(value))).unwrap_or_else(|never| match never {})
    }

    /// Returns the same operation with the value converted by `make`, which may fail.
    pub fn try_map<T, E>(self, make: impl FnOnce(I) -> Result<T, E>) -> Result<Edit<T>, E> {
        Ok(match self {
            Self::Add(path, value) => Edit::Add(path, make(value)?),
            Self::Remove(path) => Edit::Remove(path),
            Self::Replace(path, value) => Edit::Replace(path, make(value)?),
            Self::Move(from, path) => Edit::Move(from, path),
        })
    }
}

/// Returns the operations with their own copies of the values.
pub fn operations(edits: Vec<Edit<&Value>>) -> Vec<JsonPatchOperation> {
    let pointer = |text| JsonPointer::parse(text).unwrap_or_default();
    let operation = |edit| match edit {
        Edit::Add(path, value) => JsonPatchOperation::Add(AddOperation {
            path: pointer(path),
            value: Value::clone(value),
            extra: Object::default(),
        }),
        Edit::Remove(path) => {
            JsonPatchOperation::Remove(RemoveOperation { path: pointer(path), extra: Object::default() })
        }
        Edit::Replace(path, value) => JsonPatchOperation::Replace(ReplaceOperation {
            path: pointer(path),
            value: Value::clone(value),
            extra: Object::default(),
        }),
        Edit::Move(from, path) => JsonPatchOperation::Move(MoveOperation {
            from: pointer(from),
            path: pointer(path),
            extra: Object::default(),
        }),
    };
    edits.into_iter().map(operation).collect()
}

/// Returns the operations as JSON.
pub fn json<'a, I: Input<'a>>(edits: &[Edit<I>], style: NumberStyle) -> String {
    let mut writer = Writer::new(style);
    let mut list = writer.list();
    for edit in edits {
        write(list.next(), edit);
    }
    list.end();
    writer.out
}

fn write<'a, I: Input<'a>>(writer: &mut Writer, edit: &Edit<I>) {
    let (op, from, path, value) = match edit {
        Edit::Add(path, value) => ("add", None, path, Some(value)),
        Edit::Remove(path) => ("remove", None, path, None),
        Edit::Replace(path, value) => ("replace", None, path, Some(value)),
        Edit::Move(from, path) => ("move", Some(from), path, None),
    };
    let mut operation = writer.object();
    operation.key("\"op\":").text(op);
    if let Some(from) = from {
        operation.key("\"from\":").text(from);
    }
    operation.key("\"path\":").text(path);
    if let Some(value) = value {
        operation.member("value", *value);
    }
    operation.end();
}
