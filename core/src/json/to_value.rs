//! Makes free-form values of a program's own types by serde, as `serde_json` does. Numbers that JSON cannot express are errors.

use std::fmt::Display;

use serde::ser::{self, Error as _, Serialize, Serializer};

use super::mismatch::Mismatch;
use super::number::NO_NUMBER;
use super::{Object, Value, Writer};
use crate::error::{Code, Error};
use crate::limits::Limits;

impl Value {
    /// Makes a value from a type of the program, by serde.
    ///
    /// ```
    /// use ag_ui_native::Value;
    ///
    /// #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug)]
    /// struct Plan {
    ///     steps: Vec<String>,
    ///     budget: f64,
    /// }
    ///
    /// let plan = Plan { steps: vec!["look".to_owned()], budget: 1.5 };
    /// let value = Value::from_serde(&plan)?;
    /// assert_eq!(value.get("budget").and_then(Value::as_f64), Some(1.5));
    /// assert_eq!(value.to_serde::<Plan>()?, plan);
    /// let error = Value::from_serde(&Plan { budget: f64::INFINITY, ..plan }).unwrap_err();
    /// assert_eq!(error.path(), "/budget");
    /// # Ok::<(), ag_ui_native::Error>(())
    /// ```
    ///
    /// # Errors
    /// `wrong_type` with the path for a number that JSON does not have, for keys that have no text, and if the type itself fails.
    /// `limit_exceeded` for a value that nests deeper than the default of [`Limits::depth`](crate::Limits::depth).
    pub fn from_serde<T: Serialize + ?Sized>(value: &T) -> Result<Self, Error> {
        let depth = Limits::default().effective_depth();
        value.serialize(Making { depth }).map_err(|failed| match failed {
            Failed::Mismatch(mismatch) => mismatch.into(),
            Failed::TooDeep => Error::limit("depth", depth),
        })
    }
}

/// The reason why there is no value.
#[derive(Debug)]
enum Failed {
    Mismatch(Mismatch),
    TooDeep,
}

impl Failed {
    fn new(detail: &str) -> Self {
        Self::Mismatch(Mismatch::new(Code::WrongType, detail))
    }

    fn within(self, token: &str) -> Self {
        match self {
            Self::Mismatch(mismatch) => Self::Mismatch(mismatch.within(token)),
            Self::TooDeep => self,
        }
    }
}

impl ser::Error for Failed {
    /// Drops the message of a type, since it may quote its content.
    fn custom<T: Display>(_message: T) -> Self {
        Self::new("")
    }
}

impl Display for Failed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the value cannot be written as JSON")
    }
}

impl std::error::Error for Failed {}

/// Makes a value that may nest `depth` lists and objects.
#[derive(Clone, Copy)]
struct Making {
    depth: usize,
}

impl Making {
    fn inside(self) -> Result<Self, Failed> {
        self.depth.checked_sub(1).map(|depth| Self { depth }).ok_or(Failed::TooDeep)
    }

    fn list(self, around: Around) -> Result<List, Failed> {
        let outer = if around.is_some() { self.inside()? } else { self };
        Ok(List { making: outer.inside()?, items: Vec::new(), around })
    }

    fn members(self, around: Around) -> Result<Members, Failed> {
        let outer = if around.is_some() { self.inside()? } else { self };
        Ok(Members { making: outer.inside()?, object: Object::default(), key: None, around })
    }
}

/// The variant around a list or an object.
type Around = Option<&'static str>;

/// Puts the content of a variant into an object, as its only member.
fn tagged(around: Around, value: impl Into<Value>) -> Value {
    match around {
        Some(variant) => Object::from([(variant, value)]).into(),
        None => value.into(),
    }
}

macro_rules! plain {
    ($($method:ident: $type:ty,)+) => {
        $(fn $method(self, value: $type) -> Result<Value, Failed> {
            Ok(value.into())
        })+
    };
}

impl Serializer for Making {
    type Ok = Value;
    type Error = Failed;
    type SerializeSeq = List;
    type SerializeTuple = List;
    type SerializeTupleStruct = List;
    type SerializeTupleVariant = List;
    type SerializeMap = Members;
    type SerializeStruct = Members;
    type SerializeStructVariant = Members;

    plain! {
        serialize_bool: bool,
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_i128: i128,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64,
        serialize_u128: u128,
        serialize_str: &str,
    }

    fn serialize_f32(self, value: f32) -> Result<Value, Failed> {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Result<Value, Failed> {
        if value.is_finite() { Ok(value.into()) } else { Err(Failed::new(NO_NUMBER)) }
    }

    fn serialize_char(self, value: char) -> Result<Value, Failed> {
        Ok(Value::String(value.into()))
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Value, Failed> {
        Ok(value.into())
    }

    fn serialize_none(self) -> Result<Value, Failed> {
        Ok(Value::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, Failed> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Value, Failed> {
        Ok(Value::Null)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<Value, Failed> {
        Ok(Value::Null)
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<Value, Failed> {
        Ok(variant.into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<Value, Failed> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Value, Failed> {
        let value = value.serialize(self.inside()?).map_err(|failed| failed.within(variant))?;
        Ok(tagged(Some(variant), value))
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<List, Failed> {
        self.list(None)
    }

    fn serialize_tuple(self, _length: usize) -> Result<List, Failed> {
        self.list(None)
    }

    fn serialize_tuple_struct(self, _name: &'static str, _length: usize) -> Result<List, Failed> {
        self.list(None)
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<List, Failed> {
        self.list(Some(variant))
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Members, Failed> {
        self.members(None)
    }

    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<Members, Failed> {
        self.members(None)
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Members, Failed> {
        self.members(Some(variant))
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<Value, Failed> {
        Ok(Value::String(value.to_string()))
    }
}

/// Adds the place inside the content of a variant to a failure.
fn inside(around: Around, failed: Failed, token: &str) -> Failed {
    let failed = failed.within(token);
    match around {
        Some(variant) => failed.within(variant),
        None => failed,
    }
}

/// A list under construction.
struct List {
    making: Making,
    items: Vec<Value>,
    around: Around,
}

impl List {
    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failed> {
        let item = value.serialize(self.making);
        let token = |failed| inside(self.around, failed, &self.items.len().to_string());
        self.items.push(item.map_err(token)?);
        Ok(())
    }

    fn finish(self) -> Value {
        tagged(self.around, self.items)
    }
}

/// An object under construction.
struct Members {
    making: Making,
    object: Object,
    /// The key of the member whose value follows.
    key: Option<String>,
    around: Around,
}

impl Members {
    fn insert<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<(), Failed> {
        let value = value.serialize(self.making).map_err(|failed| inside(self.around, failed, key))?;
        self.object.insert(key, value);
        Ok(())
    }

    fn finish(self) -> Value {
        tagged(self.around, self.object)
    }
}

macro_rules! lists {
    ($($kind:ident $method:ident)+) => {
        $(impl ser::$kind for List {
            type Ok = Value;
            type Error = Failed;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failed> {
                self.push(value)
            }

            fn end(self) -> Result<Value, Failed> {
                Ok(self.finish())
            }
        })+
    };
}

lists! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
    SerializeTupleVariant serialize_field
}

macro_rules! structs {
    ($($kind:ident)+) => {
        $(impl ser::$kind for Members {
            type Ok = Value;
            type Error = Failed;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), Failed> {
                self.insert(key, value)
            }

            fn end(self) -> Result<Value, Failed> {
                Ok(self.finish())
            }
        })+
    };
}

structs! { SerializeStruct SerializeStructVariant }

impl ser::SerializeMap for Members {
    type Ok = Value;
    type Error = Failed;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Failed> {
        self.key = Some(key_of(key)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failed> {
        let key = self.key.take().ok_or_else(|| Failed::custom("the map has a value without a key"))?;
        self.insert(&key, value)
    }

    fn end(self) -> Result<Value, Failed> {
        Ok(self.finish())
    }
}

/// Returns the text of a key. Numbers and booleans have a text, too.
fn key_of<T: Serialize + ?Sized>(key: &T) -> Result<String, Failed> {
    let no_key = || Failed::new("expected a key that is a string, a number or a boolean");
    match key.serialize(Making { depth: 0 }).map_err(|_| no_key())? {
        Value::String(text) => Ok(text),
        Value::Bool(value) => Ok(value.to_string()),
        Value::Number(number) => {
            let mut writer = Writer::default();
            writer.number(&number);
            Ok(writer.out)
        }
        _ => Err(no_key()),
    }
}
