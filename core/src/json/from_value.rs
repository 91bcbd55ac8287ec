//! Reads a program's own types from free-form values by serde, as `serde_json` does.

use std::str::FromStr;

use serde::de::value::{MapAccessDeserializer, MapDeserializer, StrDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Unexpected, Visitor,
};

use super::mismatch::Mismatch;
use super::serde::{EXACT, NUMBER_TEXT, number};
use super::value::Members;
use super::{Number, Value};
use crate::error::{Code, Error};

/// Converts the value to a type of the program.
pub fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T, Error> {
    value.to_serde()
}

impl Value {
    /// Converts the value to a type of the program, as `serde_json` does.
    ///
    /// # Errors
    /// `wrong_type`, `missing_field` and similar codes, with the path, for a value of another type.
    pub fn to_serde<T: DeserializeOwned>(&self) -> Result<T, Error> {
        Ok(T::deserialize(Held(self))?)
    }
}

/// A value and its content, as a deserializer of serde.
struct Held<'de>(&'de Value);

impl Held<'_> {
    /// Returns an integer of more than 64 bits, as a type of 128 bits.
    fn big_int<T: FromStr>(&self) -> Option<T> {
        match self.0 {
            Value::Number(Number::Literal(text)) => text.parse().ok(),
            _ => None,
        }
    }
}

impl<'de> Deserializer<'de> for Held<'de> {
    type Error = Mismatch;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(number) => visit_number(number, visitor),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => {
                let mut items = Items { items: items.iter(), index: 0 };
                let visited = visitor.visit_seq(&mut items)?;
                nothing_left(items.items.len(), "no more items")?;
                Ok(visited)
            }
            Value::Object(object) => {
                let mut entries = Entries { members: object.iter(), member: None };
                let visited = visitor.visit_map(&mut entries)?;
                nothing_left(entries.members.count(), "no more members")?;
                Ok(visited)
            }
        }
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        match self.big_int() {
            Some(int) => visitor.visit_i128(int),
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        match self.big_int() {
            Some(int) => visitor.visit_u128(int),
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        if matches!(self.0, Value::Null) { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        match self.0 {
            // Our own tree keeps the digits of the number.
            Value::Number(Number::Literal(text)) if name == EXACT => {
                visitor.visit_map(MapDeserializer::new([(NUMBER_TEXT, &**text)].into_iter()))
            }
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        match self.0 {
            Value::String(text) => visitor.visit_enum(StrDeserializer::new(text)),
            Value::Object(object) if object.len() == 1 => {
                let entries = Entries { members: object.iter(), member: None };
                visitor.visit_enum(MapAccessDeserializer::new(entries))
            }
            Value::Object(_) => {
                Err(Mismatch::invalid_value(Unexpected::Map, &"an object with a single member"))
            }
            _ => Err(Mismatch::invalid_type(Unexpected::Other(""), &"a string or an object")),
        }
    }

    /// Reads variants by name only: a number is not a variant.
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        match self.0 {
            Value::String(text) => visitor.visit_borrowed_str(text),
            _ => Err(Mismatch::invalid_type(Unexpected::Other(""), &visitor)),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct ignored_any
    }
}

/// Passes a number to the visitor in the form that a type most likely accepts. A number beyond 64 bits reads as the
/// nearest double.
fn visit_number<'de, V: Visitor<'de>>(number: &Number, visitor: V) -> Result<V::Value, Mismatch> {
    match number {
        Number::Int(int) => match u64::try_from(*int) {
            Ok(int) => visitor.visit_u64(int),
            Err(_) => visitor.visit_i64(*int),
        },
        Number::Float(float) => visitor.visit_f64(*float),
        Number::Literal(text) => match (text.parse::<u64>(), number.as_f64()) {
            (Ok(int), _) => visitor.visit_u64(int),
            (_, float) if float.is_finite() => visitor.visit_f64(float),
            _ => Err(Mismatch::new(Code::NumberOutOfRange, "")),
        },
    }
}

/// Refuses items that the type does not take, instead of dropping them silently.
fn nothing_left(left: usize, expected: &'static str) -> Result<(), Mismatch> {
    if left == 0 { Ok(()) } else { Err(Mismatch::invalid_length(left, &expected)) }
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

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
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
        let key = self.member.map(|(key, _)| seed.deserialize(Key(key)).map_err(|error| error.within(key)));
        key.transpose()
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Mismatch> {
        let Some((key, value)) = self.member.take() else { return Err(Mismatch::custom("")) };
        seed.deserialize(Held(value)).map_err(|mismatch| mismatch.within(key))
    }
}

/// The key of a member. Maps with numbers or booleans as keys have the text of those as keys.
struct Key<'de>(&'de str);

macro_rules! number_keys {
    ($($method:ident)+) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
            match number(self.0) {
                Some(number) => visit_number(&number, visitor),
                None => Err(Mismatch::invalid_type(Unexpected::Other(""), &visitor)),
            }
        })+
    };
}

impl<'de> Deserializer<'de> for Key<'de> {
    type Error = Mismatch;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        visitor.visit_borrowed_str(self.0)
    }

    number_keys! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8 deserialize_u16 deserialize_u32
        deserialize_u64 deserialize_f32 deserialize_f64
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        match self.0.parse() {
            Ok(int) if number(self.0).is_some() => visitor.visit_i128(int),
            _ => self.deserialize_i64(visitor),
        }
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        match self.0.parse() {
            Ok(int) if number(self.0).is_some() => visitor.visit_u128(int),
            _ => self.deserialize_u64(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        match self.0 {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            _ => Err(Mismatch::invalid_type(Unexpected::Other(""), &visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        visitor.visit_some(self)
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
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        StrDeserializer::new(self.0).deserialize_enum(name, variants, visitor)
    }

    serde::forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
