//! Conversion between the tree and types that support serde.

use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};

use super::number::NO_NUMBER;
use super::{Input, Number, Object, ParseOptions, Tape, Value, View};
use crate::error::Code;
use crate::limits::Limits;

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number) => number.serialize(serializer),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(item)?;
                }
                list.end()
            }
            Self::Object(object) => object.serialize(serializer),
        }
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.len()))?;
        for (key, value) in self {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl Serialize for Number {
    /// Fails for a number beyond 128 bits and doubles, which serde does not have, and for a double that is not
    /// finite, which JSON does not have.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Int(int) => serializer.serialize_i64(*int),
            Self::Float(float) if !float.is_finite() => {
                Err(S::Error::custom(format!("{}: {NO_NUMBER}", Code::WrongType)))
            }
            Self::Float(float) => serializer.serialize_f64(*float),
            Self::Literal(text) => match (text.parse::<u64>(), text.parse::<i128>()) {
                (Ok(int), _) => serializer.serialize_u64(int),
                (_, Ok(int)) => serializer.serialize_i128(int),
                _ => Err(S::Error::custom(
                    "number_out_of_range: serde has no number of this size; use `to_json`",
                )),
            },
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    /// Fails if the value nests deeper than the default of [`Limits::depth`].
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        ValueAt { depth: Limits::default().effective_depth() }.deserialize(deserializer)
    }
}

/// Reads a value that may nest `depth` lists and objects.
#[derive(Clone, Copy)]
struct ValueAt {
    depth: usize,
}

impl ValueAt {
    fn inside<E: Error>(self) -> Result<Self, E> {
        let too_deep = || E::custom(crate::Error::limit("depth", Limits::default().effective_depth()));
        self.depth.checked_sub(1).map(|depth| Self { depth }).ok_or_else(too_deep)
    }
}

impl<'de> DeserializeSeed<'de> for ValueAt {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_newtype_struct(EXACT, self)
    }
}

/// The name by which one of our trees recognizes another as its source, which then passes on
/// numbers exactly.
pub(super) const EXACT: &str = "$ag_ui_native::Value";

/// The only key of the object by which `serde_json` passes on a number whose text it keeps.
pub(super) const NUMBER_TEXT: &str = "$serde_json::private::Number";

impl<'de> Visitor<'de> for ValueAt {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        DeserializeSeed::deserialize(self, deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i128<E>(self, value: i128) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u128<E>(self, value: u128) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        if value.is_finite() { Ok(value.into()) } else { Err(E::custom(NO_NUMBER)) }
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let inside = self.inside()?;
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(inside)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let inside = self.inside()?;
        let mut object = Object::default();
        while let Some(key) = map.next_key::<String>()? {
            if key == NUMBER_TEXT && object.is_empty() {
                let text = map.next_value::<String>()?;
                return number(&text).map(Value::Number).ok_or_else(|| A::Error::custom("not a number"));
            }
            object.insert(key, map.next_value_seed(inside)?);
        }
        Ok(Value::Object(object))
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Object(object) => Ok(object),
            _ => Err(D::Error::custom("expected an object")),
        }
    }
}

/// Parses the text of a number.
pub(super) fn number(text: &str) -> Option<Number> {
    let mut tape = Tape::default();
    let node = tape.parse(text, ParseOptions { depth: 0, replace_invalid_text: false }).ok()?;
    // The text must have no white space around the number.
    let is_number = matches!(node.view(), View::Number) && node.source().len() == text.len();
    is_number.then(|| node.number())
}
