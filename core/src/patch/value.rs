//! Core's own tree as the holder of a document.

use super::holder::{Budget, Holder, Key, Purpose, Shape};
use crate::Value;
use crate::error::Error;

/// Patches a [`Value`] in place.
#[derive(Clone, Copy, Debug)]
pub struct InPlace;

impl Holder for InPlace {
    type Value = Value;
    type Operand<'p> = &'p Value;
    type Location<'v> = &'v mut Value;
    type Position = usize;

    fn null(&mut self) -> Value {
        Value::Null
    }

    fn enter<'v>(&mut self, document: &'v mut Value, _: Purpose) -> Result<&'v mut Value, Error> {
        Ok(document)
    }

    fn kind(&mut self, at: &&mut Value) -> Result<Shape, Error> {
        Ok(match at {
            Value::Object(_) => Shape::Object,
            Value::Array(items) => Shape::List(items.len()),
            _ => Shape::Scalar,
        })
    }

    fn step<'v>(
        &mut self,
        at: Self::Location<'v>,
        key: &Key<'_>,
        _: Purpose,
    ) -> Result<Option<Self::Location<'v>>, Error> {
        Ok(match (at, key) {
            (Value::Object(object), Key::Member(name)) => object.get_mut(name),
            (Value::Array(items), Key::Item(index)) => items.get_mut(*index),
            _ => None,
        })
    }

    fn insert(
        &mut self,
        at: &mut Value,
        key: &Key<'_>,
        value: Value,
        place: Option<usize>,
    ) -> Result<(), Error> {
        match (at, key) {
            (Value::Object(object), Key::Member(name)) => {
                object.insert_at(place.unwrap_or(object.len()), name.as_ref(), value);
            }
            (Value::Array(items), Key::Item(index)) => items.insert(*index.min(&items.len()), value),
            _ => {}
        }
        Ok(())
    }

    fn set(&mut self, at: &mut Value, key: &Key<'_>, value: Value) -> Result<Option<Value>, Error> {
        Ok(match (at, key) {
            (Value::Object(object), Key::Member(name)) => object.insert(name.as_ref(), value),
            _ => None,
        })
    }

    fn replace(&mut self, at: &mut Value, key: &Key<'_>, value: Value) -> Result<Option<Value>, Error> {
        let place = self.step(at, key, Purpose::Write)?;
        Ok(place.map(|place| std::mem::replace(place, value)))
    }

    fn members_behind(&self, at: &&mut Value, name: &str) -> usize {
        at.as_object().map_or(0, |object| object.members_behind(name))
    }

    fn remove(&mut self, at: &mut Value, key: &Key<'_>) -> Result<Option<(Value, usize)>, Error> {
        Ok(match (at, key) {
            (Value::Object(object), Key::Member(name)) => object.remove_at(name),
            (Value::Array(items), Key::Item(index)) if *index < items.len() => {
                Some((items.remove(*index), *index))
            }
            _ => None,
        })
    }

    fn copy(&mut self, at: &&mut Value, room: &mut Budget) -> Result<Value, Error> {
        self.adopt(at, room)
    }

    fn adopt(&mut self, given: &Value, room: &mut Budget) -> Result<Value, Error> {
        self.measure(given, room)?;
        Ok(given.clone())
    }

    fn measure(&mut self, value: &Value, room: &mut Budget) -> Result<(), Error> {
        room.take(1)?;
        match value {
            Value::Array(items) => {
                room.open()?;
                items.iter().try_for_each(|item| self.measure(item, room))?;
                room.close();
            }
            Value::Object(object) => {
                room.open()?;
                object.iter().try_for_each(|(_, member)| self.measure(member, room))?;
                room.close();
            }
            _ => {}
        }
        Ok(())
    }

    fn equals(&mut self, at: &&mut Value, given: &Value, room: &mut Budget) -> Result<bool, Error> {
        equal(at, given, room)
    }
}

/// True if two values are the same JSON.
fn equal(one: &Value, other: &Value, room: &mut Budget) -> Result<bool, Error> {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => Ok(one.same_value(other)),
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            room.open()?;
            for (one, other) in one.iter().zip(other) {
                if !equal(one, other, room)? {
                    return Ok(false);
                }
            }
            room.close();
            Ok(true)
        }
        (Value::Object(one), Value::Object(other)) if one.len() == other.len() => {
            room.open()?;
            for (key, value) in one {
                match other.get(key) {
                    Some(other) if equal(value, other, room)? => {}
                    _ => return Ok(false),
                }
            }
            room.close();
            Ok(true)
        }
        (Value::Array(_) | Value::Object(_), _) => Ok(false),
        (one, other) => Ok(one == other),
    }
}
