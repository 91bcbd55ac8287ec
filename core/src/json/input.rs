//! One view of JSON values in any holder: the parser's tape, core's own tree, a host's objects.

use super::{Assemble, Number, Tree, Value};

/// A holder of a JSON value.
pub trait Input<'a>: Copy {
    /// The items of a list.
    type Items: Iterator<Item = Self>;
    /// The members of an object.
    type Members: Iterator<Item = (&'a str, Self)>;

    /// Returns the kind of the value, with access to its content.
    fn view(self) -> View<'a, Self>;

    /// True if the value is `null`.
    #[inline]
    fn is_null(self) -> bool {
        matches!(self.view(), View::Null)
    }

    /// Returns the value under `key` of an object. If a key occurs several times, the last one counts.
    fn member(self, key: &str) -> Option<Self> {
        match self.view() {
            View::Object(members) => members.filter(|(name, _)| *name == key).last().map(|(_, value)| value),
            _ => None,
        }
    }

    /// Returns the number, if the value is one.
    fn number(self) -> Number;

    /// True if both are the same value at the same place, which makes them equal. A holder that does not know it returns false.
    fn is_same_place(self, _other: Self) -> bool {
        false
    }

    /// True if a number in it may be beyond the range of a double. Objects of hosts hold no such
    /// number.
    fn may_hold_infinite(self) -> bool {
        false
    }

    /// Returns the value's own JSON text, if the holder keeps it.
    fn source(self) -> Option<&'a str> {
        None
    }

    /// Returns the value in the form that `to` builds.
    fn assemble<A: Assemble>(self, to: &mut A) -> A::Value {
        match self.view() {
            View::Null => to.null(),
            View::Bool(value) => to.bool(value),
            View::Number => to.number(self.number()),
            View::Text(text) => to.text(text),
            View::List(items) => {
                let items = items.map(|item| item.assemble(to)).collect();
                to.list(items)
            }
            View::Object(members) => {
                let mut object = to.object();
                for (key, member) in members {
                    let value = member.assemble(to);
                    to.member(&mut object, key, value);
                }
                to.end(object)
            }
        }
    }

    /// Converts the value to core's own tree.
    fn to_value(self) -> Value {
        self.assemble(&mut Tree::default())
    }
}

/// The kind of a value, with access to its content.
#[derive(Debug)]
pub enum View<'a, I: Input<'a>> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number; [`Input::number`] returns it.
    Number,
    /// A string.
    Text(&'a str),
    /// A list.
    List(I::Items),
    /// An object.
    Object(I::Members),
}

impl<'a> Input<'a> for &'a Value {
    type Items = std::slice::Iter<'a, Value>;
    type Members = super::value::Members<'a>;

    fn view(self) -> View<'a, Self> {
        match self {
            Value::Null => View::Null,
            Value::Bool(value) => View::Bool(*value),
            Value::Number(_) => View::Number,
            Value::String(text) => View::Text(text),
            Value::Array(items) => View::List(items.iter()),
            Value::Object(object) => View::Object(object.iter()),
        }
    }

    fn number(self) -> Number {
        match self {
            Value::Number(number) => number.clone(),
            _ => Number::Float(f64::NAN),
        }
    }

    fn is_same_place(self, other: Self) -> bool {
        std::ptr::eq(self, other)
    }

    fn may_hold_infinite(self) -> bool {
        true
    }

    fn to_value(self) -> Value {
        self.clone()
    }
}
