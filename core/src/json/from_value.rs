//! A program's own types out of free-form values, by serde.

use std::fmt::{self, Display};

use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, Expected, MapAccess, SeqAccess, Unexpected,
    Visitor,
};

use super::value::Members;
use super::{Number, Value};
use crate::error::{Code, Error, push_token};

/// The value as a type of the program's.
pub fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T, Error> {
    T::deserialize(Held(value)).map_err(|Mismatch { code, path, detail }| Error::at(code, path, detail))
}

/// Why a value is not of a type. It says what was expected, never what was found.
#[derive(Debug)]
struct Mismatch {
    code: Code,
    path: String,
    detail: String,
}

impl Mismatch {
    fn new(code: Code, detail: String) -> Self {
        Self { code, path: String::new(), detail }
    }

    /// The same, met inside the member or item `token`.
    fn within(mut self, token: &str) -> Self {
        let inner = std::mem::take(&mut self.path);
        push_token(&mut self.path, token);
        self.path.push_str(&inner);
        self
    }
}

impl de::Error for Mismatch {
    /// What a type says itself may quote what was found.
    fn custom<T: Display>(_message: T) -> Self {
        Self::new(Code::WrongType, String::new())
    }

    fn invalid_type(_found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(Code::WrongType, format!("expected {expected}"))
    }

    fn invalid_value(_found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(Code::InvalidValue, format!("expected {expected}"))
    }

    fn invalid_length(_length: usize, expected: &dyn Expected) -> Self {
        Self::new(Code::WrongType, format!("expected {expected}"))
    }

    fn unknown_variant(_found: &str, expected: &'static [&'static str]) -> Self {
        Self::new(Code::InvalidValue, format!("expected {}", expected.join(", ")))
    }

    fn unknown_field(_found: &str, expected: &'static [&'static str]) -> Self {
        Self::new(Code::UnknownField, format!("expected {}", expected.join(", ")))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(Code::MissingField, String::new()).within(field)
    }
}

impl Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code.as_str())
    }
}

impl std::error::Error for Mismatch {}

/// A value, and what is inside it, for serde.
struct Held<'de>(&'de Value);

impl<'de> Deserializer<'de> for Held<'de> {
    type Error = Mismatch;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(Number::Int(int)) => visitor.visit_i64(*int),
            Value::Number(Number::Float(float)) => visitor.visit_f64(*float),
            Value::Number(Number::Literal(text)) => match (text.parse::<u64>(), text.parse::<i128>()) {
                (Ok(int), _) => visitor.visit_u64(int),
                (_, Ok(int)) => visitor.visit_i128(int),
                _ => Err(Mismatch::new(Code::NumberOutOfRange, String::new())),
            },
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => visitor.visit_seq(Items { items: items.iter(), index: 0 }),
            Value::Object(object) => visitor.visit_map(Entries { members: object.iter(), member: None }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        if matches!(self.0, Value::Null) { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        match self.0 {
            Value::String(text) => visitor.visit_enum(StrDeserializer::new(text)),
            Value::Object(object) => {
                let entries = Entries { members: object.iter(), member: None };
                visitor.visit_enum(MapAccessDeserializer::new(entries))
            }
            _ => Err(de::Error::invalid_type(Unexpected::Other(""), &"a string or an object")),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

struct Items<'de> {
    items: std::slice::Iter<'de, Value>,
    index: usize,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Mismatch;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Mismatch> {
        let Some(item) = self.items.next() else { return Ok(None) };
        let index = self.index;
        self.index += 1;
        seed.deserialize(Held(item)).map(Some).map_err(|mismatch| mismatch.within(&index.to_string()))
    }
}

struct Entries<'de> {
    members: Members<'de>,
    member: Option<(&'de str, &'de Value)>,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Mismatch;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Mismatch> {
        self.member = self.members.next();
        self.member.map(|(key, _)| seed.deserialize(StrDeserializer::new(key))).transpose()
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Mismatch> {
        let Some((key, value)) = self.member.take() else { return Err(de::Error::custom("")) };
        seed.deserialize(Held(value)).map_err(|mismatch| mismatch.within(key))
    }
}
