//! JSON Patch operations (RFC 6902). They are open: undeclared members are legal and kept.

use std::borrow::Cow;

use crate::error::{Code, Error};

protocol_type! {
    ["Sets a member or inserts a list element."] AddOperation, Types, crate::schema::Role::Part; open yes;
    @ op "op" = "add", 1;
    /// The place in the document.
    path: JsonPointer = "path", 2;
    /// The value to add; `null` is a value.
    value: crate::Value = "value", 4;
}

protocol_type! {
    ["Removes a member or list element."] RemoveOperation, Types, crate::schema::Role::Part; open yes;
    @ op "op" = "remove", 1;
    /// The place in the document.
    path: JsonPointer = "path", 2;
}

protocol_type! {
    ["Puts another value in the place of one that is there."] ReplaceOperation, Types, crate::schema::Role::Part; open yes;
    @ op "op" = "replace", 1;
    /// The place in the document.
    path: JsonPointer = "path", 2;
    /// The new value; `null` is a value.
    value: crate::Value = "value", 4;
}

protocol_type! {
    ["Takes a value from one place to another."] MoveOperation, Types, crate::schema::Role::Part; open yes;
    @ op "op" = "move", 1;
    /// The place to move from.
    from: JsonPointer = "from", 3;
    /// The place to move to.
    path: JsonPointer = "path", 2;
}

protocol_type! {
    ["Copies a value from one place to another."] CopyOperation, Types, crate::schema::Role::Part; open yes;
    @ op "op" = "copy", 1;
    /// The place to copy from.
    from: JsonPointer = "from", 3;
    /// The place to copy to.
    path: JsonPointer = "path", 2;
}

protocol_type! {
    ["Fails the patch unless the value there equals the given one."] TestOperation, Types, crate::schema::Role::Part; open yes;
    @ op "op" = "test", 1;
    /// The place in the document.
    path: JsonPointer = "path", 2;
    /// The expected value; `null` is a value.
    value: crate::Value = "value", 4;
}

union! { Types;
    /// One operation of a JSON Patch.
    JsonPatchOperation by "op" as Numbered {
        Add(AddOperation) = "add",
        Remove(RemoveOperation) = "remove",
        Replace(ReplaceOperation) = "replace",
        Move(MoveOperation) = "move",
        Copy(CopyOperation) = "copy",
        Test(TestOperation) = "test",
    }
}

/// A JSON Pointer (RFC 6901): empty, or tokens that each start with `/`, with `~` only as `~0` and `~1`.
///
/// ```
/// use ag_ui_native::types::JsonPointer;
///
/// assert_eq!(JsonPointer::parse("/tasks/0").unwrap().as_str(), "/tasks/0");
/// assert!(!JsonPointer::is_valid("tasks"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct JsonPointer(String);

impl JsonPointer {
    /// The pointer that `text` spells, if it is one.
    pub fn parse(text: impl Into<String>) -> Option<Self> {
        let text = text.into();
        Self::is_valid(&text).then_some(Self(text))
    }

    /// The form of a pointer, as a regular expression.
    pub const PATTERN: &str = "^(/([^/~]|~[01])*)*$";

    /// True if `text` is a pointer.
    pub fn is_valid(text: &str) -> bool {
        let mut tildes = text.split('~');
        let head = tildes.next().unwrap_or_default();
        (head.is_empty() && text.is_empty() || text.starts_with('/'))
            && tildes.all(|tail| tail.starts_with('0') || tail.starts_with('1'))
    }

    /// The pointer's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A [`JsonPointer`] with a text that is borrowed from a document.
///
/// ```
/// use ag_ui_native::types::RemoveOperation;
/// use ag_ui_native::{Profile, borrow_json};
///
/// let json = r#"{"op":"remove","path":"/tasks/0"}"#;
/// let (operation, _) = borrow_json::<RemoveOperation>(json, Profile::Strict)?;
/// assert_eq!(operation.path.as_str(), "/tasks/0");
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JsonPointerRef<'a>(Cow<'a, str>);

impl JsonPointerRef<'_> {
    /// The pointer's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl crate::schema::Direct<'_> for JsonPointer {
    fn read(reader: &mut crate::validate::DirectReader<'_, '_>) -> Option<Self> {
        reader.string().and_then(Self::parse)
    }
}

impl<'a> crate::schema::Direct<'a> for JsonPointerRef<'a> {
    fn read(reader: &mut crate::validate::DirectReader<'a, '_>) -> Option<Self> {
        reader.text().filter(|text| JsonPointer::is_valid(text)).map(Self)
    }
}

impl crate::schema::FieldType for JsonPointer {
    const KIND: crate::schema::Kind = crate::schema::Kind::Pointer;

    type Borrowed<'a> = JsonPointerRef<'a>;

    fn into_borrowed<'a>(self) -> Self::Borrowed<'a> {
        JsonPointerRef(self.0.into())
    }

    fn from_borrowed(borrowed: Self::Borrowed<'_>) -> Self {
        Self(borrowed.0.into_owned())
    }

    fn from_validated(slot: Option<crate::schema::Validated>) -> Self {
        Self(String::from_validated(slot))
    }

    fn write(&self, writer: &mut crate::json::Writer) {
        writer.text(&self.0);
    }
}

impl serde::Serialize for JsonPointer {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl std::str::FromStr for JsonPointer {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text).ok_or_else(|| Error::new(Code::InvalidPointer, ""))
    }
}
