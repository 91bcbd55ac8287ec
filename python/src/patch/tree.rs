//! Python objects as input for core's diff and writer.

use std::cell::OnceCell;

use ag_ui_native::bindings::NumberStyle;
use ag_ui_native::bindings::json::{Input, View, Writer};
use ag_ui_native::bindings::server::Terms;
use ag_ui_native::{Code, Error, Limits, Number};
use pyo3::prelude::*;

use super::value::{no_json, number};
use crate::c_api::{self, Exclusive, Lent, Plain};

/// A value in a tree of Python objects. The tree cannot change while it is read.
#[derive(Clone, Copy)]
pub struct Tree<'a, 'py> {
    object: Lent<'a, 'py>,
    exclusive: &'a Exclusive<'py>,
    level: usize,
    /// True if a number that JSON text cannot express is a fault.
    to_write: bool,
    /// The first value that has no JSON form or nests too deeply. It reads as `null`.
    fault: &'a OnceCell<Error>,
}

impl<'a, 'py> Tree<'a, 'py> {
    /// Creates the root of a tree.
    pub fn new(exclusive: &'a Exclusive<'py>, object: Lent<'a, 'py>, fault: &'a OnceCell<Error>) -> Self {
        Self { object, exclusive, level: 0, to_write: false, fault }
    }

    /// Creates the root of a tree that will be written.
    pub fn to_write(
        exclusive: &'a Exclusive<'py>,
        object: Lent<'a, 'py>,
        fault: &'a OnceCell<Error>,
    ) -> Self {
        Self { to_write: true, ..Self::new(exclusive, object, fault) }
    }

    /// Returns the JSON text of a value, or the reason why it has none.
    pub fn json(object: &Bound<'_, PyAny>) -> Result<String, Error> {
        let (exclusive, fault) = (Exclusive::new(object.py()), OnceCell::new());
        let mut writer = Writer::new(NumberStyle::Python);
        writer.input(Tree::to_write(&exclusive, object.into(), &fault));
        fault.into_inner().map_or(Ok(writer.out), Err)
    }

    /// Returns the reason why a value has no JSON text, with the pointer to the faulty part.
    pub fn located(object: &Bound<'_, PyAny>, error: Error) -> Error {
        let limits = Limits::default().for_writing().with_depth(Limits::MAX_DEPTH);
        let (exclusive, fault) = (Exclusive::new(object.py()), OnceCell::new());
        let refused = || fault.get().cloned();
        let terms = Terms { refused: &refused, ..Terms::new(&limits) };
        let checked = terms.check("", Tree::to_write(&exclusive, object.into(), &fault));
        checked.err().filter(|located| located.code() == error.code()).unwrap_or(error)
    }

    /// Returns the Python object.
    pub fn object(&self) -> Lent<'a, 'py> {
        self.object
    }

    fn child(self, object: Lent<'a, 'py>) -> Self {
        Self { object, level: self.level + 1, ..self }
    }

    fn refuse(self, error: Error) -> View<'a, Self> {
        self.fault.get_or_init(|| error);
        View::Null
    }

    /// Checks the depth of a list or dict, which may contain itself. After a fault nothing further is read.
    fn container(self, view: View<'a, Self>) -> View<'a, Self> {
        if self.fault.get().is_some() {
            return View::Null;
        }
        if self.level < Limits::MAX_DEPTH {
            return view;
        }
        self.refuse(Error::limit("depth", Limits::MAX_DEPTH))
    }

    fn list(self) -> View<'a, Self> {
        self.container(View::List(Items { tree: self, items: self.exclusive.items(self.object) }))
    }

    fn dict(self) -> View<'a, Self> {
        self.container(View::Object(Members { tree: self, members: self.exclusive.members(self.object) }))
    }

    fn text(self) -> View<'a, Self> {
        match c_api::utf8(self.object) {
            Some(text) => View::Text(text),
            None => self.refuse(Error::new(Code::LoneSurrogate, "")),
        }
    }
}

impl<'a, 'py> Input<'a> for Tree<'a, 'py> {
    type Items = Items<'a, 'py>;
    type Members = Members<'a, 'py>;

    fn view(self) -> View<'a, Self> {
        let object = self.object;
        match object.json() {
            Plain::None => View::Null,
            Plain::Bool => View::Bool(c_api::is_true(object)),
            Plain::Int | Plain::Float => View::Number,
            Plain::Text => self.text(),
            Plain::List => self.list(),
            Plain::Dict => self.dict(),
            Plain::Other => self.refuse(no_json(object)),
        }
    }

    fn is_same_place(self, other: Self) -> bool {
        self.object.as_ptr() == other.object.as_ptr()
    }

    fn number(self) -> Number {
        let number = number(self.object);
        let is_exact = match &number {
            Number::Int(_) => true,
            Number::Float(float) => float.is_finite(),
            Number::Literal(digits) => digits.len() <= c_api::MAX_DIGITS,
        };
        if self.to_write && !is_exact {
            self.refuse(no_json(self.object));
        }
        number
    }
}

/// The items of a list or tuple.
pub struct Items<'a, 'py> {
    tree: Tree<'a, 'py>,
    items: c_api::Items<'a, 'py>,
}

impl<'a, 'py> Iterator for Items<'a, 'py> {
    type Item = Tree<'a, 'py>;

    fn next(&mut self) -> Option<Self::Item> {
        self.items.next().map(|item| self.tree.child(item))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

/// The members of a dict.
pub struct Members<'a, 'py> {
    tree: Tree<'a, 'py>,
    members: c_api::Members<'a, 'py>,
}

impl<'a, 'py> Iterator for Members<'a, 'py> {
    type Item = (&'a str, Tree<'a, 'py>);

    fn next(&mut self) -> Option<Self::Item> {
        let (key, value) = self.members.next()?;
        let is_text = key.is_text();
        let name = is_text.then(|| c_api::utf8(key)).flatten().unwrap_or_else(|| {
            let error = if is_text { Error::new(Code::LoneSurrogate, "in a key") } else { no_json(key) };
            self.tree.refuse(error);
            ""
        });
        Some((name, self.tree.child(value)))
    }
}
