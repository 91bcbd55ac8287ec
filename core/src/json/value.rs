//! The tree of values whose form the protocol does not declare: state, raw events, results,
//! metadata.

use super::member_map::Key;
use super::object::Object;
use super::{Assemble, Number};

/// Any JSON value. It keeps the order of keys, integers of any size, and doubles exactly.
///
/// ```
/// use ag_ui_native::{Object, Value, to_json};
///
/// let mut plan = Object::from([("steps", vec!["look", "leap"])]);
/// plan.insert("done", false);
/// plan.insert("budget", 12);
/// assert_eq!(plan.get("steps").and_then(Value::as_array).map(<[Value]>::len), Some(2));
///
/// let value = Value::from(plan);
/// assert_eq!(to_json(&value), r#"{"steps":["look","leap"],"done":false,"budget":12}"#);
/// ```
///
/// A double that is not finite has no JSON form. A value that contains one can be made, but sending it is refused with the path.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(String),
    /// A list.
    Array(Vec<Value>),
    /// An object.
    Object(Object),
}

impl Value {
    /// True if it is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Returns the boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the number, if it is one.
    pub fn as_number(&self) -> Option<&Number> {
        match self {
            Self::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the integer, if the value is one of 64 bits. A number with a fraction or an exponent is not
    /// an integer here.
    pub fn as_i64(&self) -> Option<i64> {
        match self.as_number()? {
            Number::Int(int) => Some(*int),
            Number::Float(_) | Number::Literal(_) => None,
        }
    }

    /// Returns the integer, if the value is one of 64 bits without a sign.
    pub fn as_u64(&self) -> Option<u64> {
        match self.as_number()? {
            Number::Int(int) => u64::try_from(*int).ok(),
            Number::Literal(text) => text.parse().ok(),
            Number::Float(_) => None,
        }
    }

    /// Returns the nearest double, if it is a number within the range of doubles.
    pub fn as_f64(&self) -> Option<f64> {
        self.as_number().map(Number::as_f64).filter(|double| double.is_finite())
    }

    /// Returns the string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the object, if it is one.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Returns the object, mutable, if the value is one.
    pub fn as_object_mut(&mut self) -> Option<&mut Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Returns the list, if it is one.
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the list, mutable, if the value is one.
    pub fn as_array_mut(&mut self) -> Option<&mut Vec<Value>> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the value under `key`, if this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_object()?.get(key)
    }

    /// Returns the value under `key`, mutable, if this is an object that has it.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        self.as_object_mut()?.get_mut(key)
    }

    /// Takes the value and leaves `null` in its place.
    #[must_use]
    pub fn take(&mut self) -> Value {
        std::mem::take(self)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

macro_rules! integers {
    (small: $($small:ident)+; large: $($large:ident)+;) => {
        $(impl From<$small> for Value {
            fn from(value: $small) -> Self {
                Self::Number(Number::Int(value.into()))
            }
        })+
        $(impl From<$large> for Value {
            fn from(value: $large) -> Self {
                let beyond = |_| Number::Literal(value.to_string().into());
                Self::Number(i64::try_from(value).map_or_else(beyond, Number::Int))
            }
        })+
    };
}

integers! {
    small: i8 i16 i32 i64 u8 u16 u32;
    large: u64 i128 u128 isize usize;
}

impl From<f64> for Value {
    /// Converts a double. One that is not finite has no JSON form; it is refused when it is sent.
    fn from(value: f64) -> Self {
        Self::Number(Number::Float(value))
    }
}

impl From<f32> for Value {
    /// Converts a float like a double.
    fn from(value: f32) -> Self {
        Self::from(f64::from(value))
    }
}

impl From<()> for Value {
    fn from((): ()) -> Self {
        Self::Null
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl From<Number> for Value {
    fn from(value: Number) -> Self {
        Self::Number(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::String(value)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(value: Vec<T>) -> Self {
        value.into_iter().collect()
    }
}

impl<T: Into<Value>, const N: usize> From<[T; N]> for Value {
    fn from(value: [T; N]) -> Self {
        value.into_iter().collect()
    }
}

impl<T: Clone + Into<Value>> From<&[T]> for Value {
    fn from(value: &[T]) -> Self {
        value.iter().cloned().collect()
    }
}

impl<T: Into<Value>> FromIterator<T> for Value {
    /// Collects a list.
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self::Array(items.into_iter().map(Into::into).collect())
    }
}

impl From<Object> for Value {
    fn from(value: Object) -> Self {
        Self::Object(value)
    }
}

/// Builds core's own tree.
#[derive(Debug, Default)]
pub struct Tree {
    /// The members of the objects that are not finished, so that each object gets its memory at once.
    members: Vec<(Key, Value)>,
}

impl Assemble for Tree {
    type Value = Value;
    /// The number of members before its own.
    type Object = usize;

    fn null(&mut self) -> Value {
        Value::Null
    }

    fn bool(&mut self, value: bool) -> Value {
        Value::Bool(value)
    }

    fn number(&mut self, number: Number) -> Value {
        Value::Number(number)
    }

    fn text(&mut self, text: &str) -> Value {
        Value::String(text.to_owned())
    }

    fn list(&mut self, items: Vec<Value>) -> Value {
        Value::Array(items)
    }

    fn object(&mut self) -> usize {
        self.members.len()
    }

    fn member(&mut self, _: &mut usize, key: &str, value: Value) {
        self.members.push((key.into(), value));
    }

    fn end(&mut self, start: usize) -> Value {
        Value::Object(Object::of(self.members.drain(start..)))
    }
}
