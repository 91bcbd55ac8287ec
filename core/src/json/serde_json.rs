//! Conversion between our tree and that of `serde_json`.

use serde_json::{Map, Value as Theirs};

use super::{Number, Object, Value};
use crate::error::{Code, Error};

impl From<Theirs> for Value {
    fn from(value: Theirs) -> Self {
        match value {
            Theirs::Null => Self::Null,
            Theirs::Bool(value) => Self::Bool(value),
            Theirs::Number(number) => Self::Number(Number::from(number)),
            Theirs::String(text) => Self::String(text),
            Theirs::Array(items) => Self::Array(items.into_iter().map(Self::from).collect()),
            Theirs::Object(members) => Self::Object(members.into()),
        }
    }
}

impl From<Map<String, Theirs>> for Object {
    fn from(members: Map<String, Theirs>) -> Self {
        members.into_iter().collect()
    }
}

impl From<serde_json::Number> for Number {
    fn from(number: serde_json::Number) -> Self {
        match (number.as_i64(), number.is_f64().then(|| number.as_f64()).flatten()) {
            (Some(int), _) => Self::Int(int),
            (None, Some(float)) if float.is_finite() => Self::Float(float),
            _ => Self::parse(&number.to_string()),
        }
    }
}

impl TryFrom<Value> for Theirs {
    type Error = Error;

    /// Fails at a number that `serde_json` cannot hold.
    fn try_from(value: Value) -> Result<Self, Error> {
        Ok(match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(value),
            Value::Number(number) => Self::Number(number.try_into()?),
            Value::String(text) => Self::String(text),
            Value::Array(items) => {
                Self::Array(items.into_iter().map(Self::try_from).collect::<Result<_, _>>()?)
            }
            Value::Object(members) => Self::Object(members.try_into()?),
        })
    }
}

impl TryFrom<Object> for Map<String, Theirs> {
    type Error = Error;

    fn try_from(members: Object) -> Result<Self, Error> {
        members.into_iter().map(|(key, value)| Ok((key, value.try_into()?))).collect()
    }
}

impl TryFrom<Number> for serde_json::Number {
    type Error = Error;

    fn try_from(number: Number) -> Result<Self, Error> {
        let out_of_range = || Error::new(Code::NumberOutOfRange, "`serde_json` has no number of this size");
        match number {
            Number::Int(int) => Ok(int.into()),
            Number::Float(float) => Self::from_f64(float).ok_or_else(out_of_range),
            Number::Literal(text) => text.parse::<u64>().map(Self::from).map_err(|_| out_of_range()),
        }
    }
}
