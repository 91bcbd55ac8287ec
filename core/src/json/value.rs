//! The tree of values whose form the protocol does not declare: state, raw events, results,
//! metadata.

use super::member_map::{Key, MemberIter, MemberMap};
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
    ///
    /// ```
    /// use ag_ui_native::{Object, Value};
    ///
    /// let mut state = Value::from(Object::from([("count", Value::from(3)), ("tasks", Value::from(["Buy milk"]))]));
    /// assert_eq!(state.get("count").and_then(Value::as_i64), Some(3));
    /// assert_eq!(state.get("count").and_then(Value::as_u64), Some(3));
    /// assert_eq!(state.get("count").and_then(Value::as_number).and_then(|number| number.as_int()), Some(3));
    /// if let Some(tasks) = state.get_mut("tasks").and_then(Value::as_array_mut) {
    ///     tasks.push("Call Ada".into());
    /// }
    /// if let Some(members) = state.as_object_mut() {
    ///     members.insert("done", false);
    /// }
    /// assert_eq!(state.as_object().map(|members| members.len()), Some(3));
    /// assert!(!state.is_null());
    /// ```
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

/// A JSON object: members in the order in which their keys first appeared; the last value of a key counts.
/// Equality ignores the order. An empty object allocates no memory.
///
/// ```
/// use ag_ui_native::{Object, Value};
///
/// let mut metadata = Object::from([("model", "small"), ("region", "eu")]);
/// metadata.insert("model", "large");
/// let members: Vec<_> = metadata.iter().collect();
/// assert_eq!(members, [("model", &Value::from("large")), ("region", &Value::from("eu"))]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Object(Option<Box<MemberMap<Value>>>);

impl Object {
    /// An object of these members, with memory for just as many.
    fn of(members: impl ExactSizeIterator<Item = (Key, Value)>) -> Self {
        Self((members.len() > 0).then(|| Box::new(MemberMap::of(members))))
    }

    /// Returns the number of members.
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |map| map.len())
    }

    /// True if there are no members.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the value under `key`.
    pub fn get(&self, key: &str) -> Option<&Value> {
        let members = self.0.as_ref()?;
        Some(members.value(members.place(key)?))
    }

    /// Returns the value under `key`, mutable.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        let members = self.0.as_mut()?;
        let place = members.place(key)?;
        Some(members.value_mut(place))
    }

    /// Sets the value under `key`. An existing key keeps its place.
    pub fn insert(&mut self, key: impl AsRef<str>, value: impl Into<Value>) -> Option<Value> {
        self.0.get_or_insert_default().insert(Key::new(key), value.into())
    }

    /// Returns the value under `key`, mutable. If there is none, the value of `default` is inserted first.
    pub(crate) fn get_or_insert_with(&mut self, key: &str, default: impl FnOnce() -> Value) -> &mut Value {
        let members = self.0.get_or_insert_default();
        let place = members.place(key).unwrap_or_else(|| {
            members.insert_at(members.len(), key.into(), default());
            members.len() - 1
        });
        members.value_mut(place)
    }

    /// Removes the member `key`; the others keep their order.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        self.remove_at(key).map(|(value, _)| value)
    }

    /// Removes the member `key` and returns its place, too; the others keep their order.
    pub(crate) fn remove_at(&mut self, key: &str) -> Option<(Value, usize)> {
        let members = self.0.as_mut()?;
        let place = members.place(key)?;
        Some((members.remove_at(place)?, place))
    }

    /// Returns the number of members from `key` to the end.
    pub(crate) fn members_behind(&self, key: &str) -> usize {
        let place = self.0.as_ref().and_then(|members| members.place(key));
        place.map_or(0, |place| self.len() - place)
    }

    /// Inserts a new member at a place among the others.
    pub(crate) fn insert_at(&mut self, place: usize, key: &str, value: Value) {
        self.0.get_or_insert_default().insert_at(place, key.into(), value);
    }

    /// Returns the values, mutable.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.0.iter_mut().flat_map(|members| members.values_mut())
    }

    /// Returns the members, in order.
    pub fn iter(&self) -> Members<'_> {
        Members(self.0.as_ref().map(|map| map.iter()))
    }
}

/// The members of an object, in order.
#[derive(Clone, Debug)]
pub struct Members<'a>(Option<MemberIter<'a, Value>>);

impl<'a> Iterator for Members<'a> {
    type Item = (&'a str, &'a Value);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.as_mut()?.next()
    }
}

impl<'a> IntoIterator for &'a Object {
    type Item = (&'a str, &'a Value);
    type IntoIter = Members<'a>;

    fn into_iter(self) -> Members<'a> {
        self.iter()
    }
}

impl Extend<(String, Value)> for Object {
    fn extend<I: IntoIterator<Item = (String, Value)>>(&mut self, members: I) {
        for (key, value) in members {
            self.insert(key, value);
        }
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl IntoIterator for Object {
    type Item = (String, Value);
    type IntoIter = IntoMembers;

    fn into_iter(self) -> IntoMembers {
        IntoMembers(self.0.map(|members| members.into_members()).unwrap_or_default().into_iter())
    }
}

/// The members of an object, in order, with their values.
#[derive(Debug)]
pub struct IntoMembers(std::vec::IntoIter<(Key, Value)>);

impl Iterator for IntoMembers {
    type Item = (String, Value);

    fn next(&mut self) -> Option<Self::Item> {
        let (key, value) = self.0.next()?;
        Some((key.into(), value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<K: AsRef<str>, V: Into<Value>> FromIterator<(K, V)> for Object {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(members: I) -> Self {
        let mut object = Self::default();
        for (key, value) in members {
            object.insert(key, value);
        }
        object
    }
}

impl<K: AsRef<str>, V: Into<Value>, const N: usize> From<[(K, V); N]> for Object {
    fn from(members: [(K, V); N]) -> Self {
        members.into_iter().collect()
    }
}
