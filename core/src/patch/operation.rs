//! The operations of a patch, and the pointers in them.

use std::borrow::Cow;

use super::holder::{Key, Shape};
use crate::Value;
use crate::error::{Code, Error};
use crate::types::{JsonPatchOperation, JsonPointer};

/// One operation. `G` is the holder's form of a value.
#[derive(Clone, Copy, Debug)]
pub struct Operation<'p, G> {
    /// The JSON pointer of the place.
    pub path: &'p str,
    /// The action at the place.
    pub action: Action<'p, G>,
}

/// The action of an operation.
#[derive(Clone, Copy, Debug)]
pub enum Action<'p, G> {
    /// Sets a member or inserts an item.
    Add(G),
    /// Removes the value at the path.
    Remove,
    /// Replaces the value at the path.
    Replace(G),
    /// Moves the value from the pointer `from`.
    Move {
        /// The pointer to move from.
        from: &'p str,
    },
    /// Copies the value at the pointer `from`.
    Copy {
        /// The pointer to copy from.
        from: &'p str,
    },
    /// Fails unless the value at the path equals this one.
    Test(G),
}

impl<'p, G> Operation<'p, G> {
    /// Reads an operation from the members of an object. Members that must be strings are given as strings.
    ///
    /// # Errors
    /// `patch_invalid` with the member at fault (RFC 6902, section 4).
    pub fn read(
        op: Option<&str>,
        path: Option<&'p str>,
        from: Option<&'p str>,
        value: Option<G>,
    ) -> Result<Self, Error> {
        let from = || pointer(from, "/from");
        let value = || value.ok_or_else(|| invalid("/value", "the operation has no `value`"));
        let action = match op {
            Some("add") => Action::Add(value()?),
            Some("remove") => Action::Remove,
            Some("replace") => Action::Replace(value()?),
            Some("move") => Action::Move { from: from()? },
            Some("copy") => Action::Copy { from: from()? },
            Some("test") => Action::Test(value()?),
            _ => return Err(unknown()),
        };
        Ok(Self { path: pointer(path, "/path")?, action })
    }

    /// Returns the same operation with its value converted by `to`.
    pub fn map<H>(self, to: impl FnOnce(G) -> H) -> Operation<'p, H> {
        let action = match self.action {
            Action::Add(value) => Action::Add(to(value)),
            Action::Remove => Action::Remove,
            Action::Replace(value) => Action::Replace(to(value)),
            Action::Move { from } => Action::Move { from },
            Action::Copy { from } => Action::Copy { from },
            Action::Test(value) => Action::Test(to(value)),
        };
        Operation { path: self.path, action }
    }
}

fn pointer<'p>(text: Option<&'p str>, member: &str) -> Result<&'p str, Error> {
    text.filter(|text| JsonPointer::is_valid(text)).ok_or_else(|| invalid(member, "expected a JSON Pointer"))
}

fn unknown() -> Error {
    invalid("/op", "expected add, remove, replace, move, copy, test")
}

fn invalid(member: &str, detail: &str) -> Error {
    Error::at(Code::PatchInvalid, member.into(), detail)
}

impl<'p> TryFrom<&'p JsonPatchOperation> for Operation<'p, &'p Value> {
    type Error = Error;

    fn try_from(operation: &'p JsonPatchOperation) -> Result<Self, Error> {
        let (path, action) = match operation {
            JsonPatchOperation::Add(it) => (&it.path, Action::Add(&it.value)),
            JsonPatchOperation::Remove(it) => (&it.path, Action::Remove),
            JsonPatchOperation::Replace(it) => (&it.path, Action::Replace(&it.value)),
            JsonPatchOperation::Move(it) => (&it.path, Action::Move { from: it.from.as_str() }),
            JsonPatchOperation::Copy(it) => (&it.path, Action::Copy { from: it.from.as_str() }),
            JsonPatchOperation::Test(it) => (&it.path, Action::Test(&it.value)),
            JsonPatchOperation::Unknown(_) => return Err(unknown()),
        };
        Ok(Self { path: path.as_str(), action })
    }
}

/// An operation as any JSON value; members that it does not need are ignored.
impl<'p> TryFrom<&'p Value> for Operation<'p, &'p Value> {
    type Error = Error;

    fn try_from(value: &'p Value) -> Result<Self, Error> {
        let object = value.as_object().ok_or_else(|| invalid("", "expected an object"))?;
        let text = |name| object.get(name).and_then(Value::as_str);
        Self::read(text("op"), text("path"), text("from"), object.get("value"))
    }
}

/// Returns the number of tokens of a pointer.
pub fn depth(pointer: &str) -> usize {
    pointer.bytes().filter(|byte| *byte == b'/').count()
}

/// Splits a pointer into the pointer to the parent and the last token. The root has no parent.
pub fn split_last(pointer: &str) -> (&str, &str) {
    pointer.rsplit_once('/').unwrap_or_default()
}

/// Returns the tokens of a pointer, as written.
pub fn tokens(pointer: &str) -> impl Iterator<Item = &str> {
    pointer.split('/').skip(1)
}

/// True if the place at `inner` lies within the value at `outer`.
pub fn is_within(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'))
}

/// Returns the key that `token` names in a container of `kind`: a member's name, or the index of an item or of the
/// place after the last one.
pub fn key_in(kind: Shape, token: &str) -> Result<Key<'_>, Code> {
    match (kind, Token::of(token)) {
        (Shape::Object, _) => Ok(Key::Member(unescaped(token))),
        (Shape::List(length), Token::End) => Ok(Key::Item(length)),
        (Shape::List(length), Token::Index(index)) if index <= length => Ok(Key::Item(index)),
        (Shape::List(_), _) => Err(Code::PatchIndexInvalid),
        (Shape::Scalar, _) => Err(Code::PatchTargetMissing),
    }
}

/// A step of a pointer, before its container is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token<'p> {
    /// The name of a member.
    Name(Cow<'p, str>),
    /// The index of an item; or, as digits, the name of a member.
    Index(usize),
    /// `-`: the place after the last item; or the name of a member.
    End,
}

impl<'p> Token<'p> {
    /// Returns the meaning of a token.
    pub fn of(token: &'p str) -> Self {
        match index(token) {
            Some(index) => Self::Index(index),
            None if token == "-" => Self::End,
            None => Self::Name(unescaped(token)),
        }
    }
}

/// Returns the index that a token spells: digits without leading zeros (RFC 6901, section 4).
fn index(token: &str) -> Option<usize> {
    let plain = token.bytes().all(|byte| byte.is_ascii_digit()) && (token == "0" || !token.starts_with('0'));
    if plain { token.parse().ok() } else { None }
}

fn unescaped(token: &str) -> Cow<'_, str> {
    if token.contains('~') { token.replace("~1", "/").replace("~0", "~").into() } else { token.into() }
}
