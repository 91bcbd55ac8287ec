//! Python objects, as core's diff reads them.
#![allow(unsafe_code)] // Borrowed texts and items. Each block says why it holds.

use std::cell::OnceCell;

use ag_ui_native::json::{Input, View};
use ag_ui_native::{Code, Error, Limits, Number};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use pyo3::{Borrowed, ffi};

use super::objects::no_json;
use crate::raw::{self, Obj, Plain};

/// A value in a tree of Python objects. No Python code runs while it is read, so what is borrowed stays.
#[derive(Clone, Copy)]
pub struct Tree<'a, 'py> {
    object: Obj<'a, 'py>,
    level: usize,
    /// The first value that is none of JSON, or is too deep. It reads as `null`.
    fault: &'a OnceCell<Error>,
}

impl<'a, 'py> Tree<'a, 'py> {
    /// The root of a tree.
    pub fn new(object: Obj<'a, 'py>, fault: &'a OnceCell<Error>) -> Self {
        Self { object, level: 0, fault }
    }

    /// The Python object.
    pub fn object(&self) -> Bound<'py, PyAny> {
        self.object.to_owned()
    }

    fn child(self, object: Obj<'a, 'py>) -> Self {
        Self { object, level: self.level + 1, ..self }
    }

    fn refuse(self, error: Error) -> View<'a, Self> {
        self.fault.get_or_init(|| error);
        View::Null
    }

    /// A list or dict, unless it lies too deep: it may contain itself.
    fn container(self, view: View<'a, Self>) -> View<'a, Self> {
        if self.level < Limits::MAX_DEPTH {
            return view;
        }
        self.refuse(Error::limit("depth", Limits::MAX_DEPTH))
    }

    fn text(self) -> View<'a, Self> {
        match raw::utf8(self.object) {
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
        match raw::plain(object) {
            Plain::None => View::Null,
            Plain::Bool => View::Bool(raw::is_true(object)),
            Plain::Int | Plain::Float => View::Number,
            Plain::Text => self.text(),
            Plain::List => self.container(View::List(Items { tree: self, at: 0 })),
            Plain::Dict => {
                self.container(View::Object(Members { tree: self, members: raw::members(object) }))
            }
            // Classes derived from those, and tuples.
            Plain::Other if object.is_instance_of::<PyString>() => self.text(),
            Plain::Other if object.is_instance_of::<PyDict>() => {
                self.container(View::Object(Members { tree: self, members: raw::members(object) }))
            }
            Plain::Other if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() => {
                self.container(View::List(Items { tree: self, at: 0 }))
            }
            Plain::Other if object.is_instance_of::<PyInt>() || object.is_instance_of::<PyFloat>() => {
                View::Number
            }
            Plain::Other => self.refuse(no_json(&object)),
        }
    }

    fn is_same_place(self, other: Self) -> bool {
        self.object.is(other.object)
    }

    fn number(self) -> Number {
        if let Ok(float) = self.object.cast::<PyFloat>() {
            return Number::Float(float.value());
        }
        if let Ok(int) = self.object.extract::<i64>() {
            return Number::Int(int);
        }
        // Beyond 64 bits. Python refuses to write very many decimal digits; hexadecimal ones do as well for comparing.
        let digits = digits(self.object, 10).or_else(|| digits(self.object, 16));
        Number::Literal(digits.unwrap_or_default().into())
    }
}

/// The digits of an `int`, if Python writes them.
fn digits(int: Obj<'_, '_>, base: i32) -> Option<String> {
    // SAFETY: the call checks the class, and hands over a new string or sets an error.
    let digits = unsafe { Bound::from_owned_ptr_or_err(int.py(), ffi::PyNumber_ToBase(int.as_ptr(), base)) };
    digits.ok().map(|digits| digits.to_string())
}

/// The items of a list or tuple.
pub struct Items<'a, 'py> {
    tree: Tree<'a, 'py>,
    at: isize,
}

impl<'a, 'py> Iterator for Items<'a, 'py> {
    type Item = Tree<'a, 'py>;

    fn next(&mut self) -> Option<Self::Item> {
        let list = self.tree.object;
        // SAFETY: the calls check class and index; what they lend belongs to the list or tuple, which nobody changes.
        let item = unsafe {
            let item = if list.is_instance_of::<PyTuple>() {
                ffi::PyTuple_GetItem(list.as_ptr(), self.at)
            } else {
                ffi::PyList_GetItem(list.as_ptr(), self.at)
            };
            if item.is_null() {
                ffi::PyErr_Clear();
                return None;
            }
            Borrowed::from_ptr(list.py(), item)
        };
        self.at += 1;
        Some(self.tree.child(item))
    }
}

/// The members of a dict.
pub struct Members<'a, 'py> {
    tree: Tree<'a, 'py>,
    members: raw::Members<'a, 'py>,
}

impl<'a, 'py> Iterator for Members<'a, 'py> {
    type Item = (&'a str, Tree<'a, 'py>);

    fn next(&mut self) -> Option<Self::Item> {
        let (key, value) = self.members.next()?;
        let name = raw::utf8(key).unwrap_or_else(|| {
            let error = if key.is_instance_of::<PyString>() {
                Error::new(Code::LoneSurrogate, "in a key")
            } else {
                no_json(&key)
            };
            self.tree.refuse(error);
            ""
        });
        Some((name, self.tree.child(value)))
    }
}
