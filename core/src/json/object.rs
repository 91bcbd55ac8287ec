//! Objects of free form.

use super::Value;
use super::member_map::{Key, MemberIter, MemberMap};

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
pub struct Object(Option<Box<MemberMap>>);

impl Object {
    /// An object of these members, with memory for just as many.
    pub(super) fn of(members: impl ExactSizeIterator<Item = (Key, Value)>) -> Self {
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
        Some((members.remove_at(place), place))
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
pub struct Members<'a>(Option<MemberIter<'a>>);

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
