//! Builds Python objects from validated documents: dictionaries, and the free values of any object.

use ag_ui_native::Number;
use ag_ui_native::bindings::json::{Assemble, Input};
use ag_ui_native::bindings::schema::{EnumDef, TypeDef};
use ag_ui_native::bindings::validate::{Build, FreeText};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList};

use crate::c_api;
use crate::keys::Keys;

/// Builds Python's own objects from free values: exact classes, with cached keys.
pub struct Values<'py, 'k> {
    /// The interpreter's token.
    pub py: Python<'py>,
    /// The cache of keys.
    pub keys: &'k mut Keys,
    /// True if a number has more digits than Python reads.
    pub too_many_digits: bool,
    /// True if a number became infinite.
    pub lost_number: bool,
}

impl<'py, 'k> Values<'py, 'k> {
    /// Creates a builder of free values.
    pub fn new(py: Python<'py>, keys: &'k mut Keys) -> Self {
        Self { py, keys, too_many_digits: false, lost_number: false }
    }

    /// Makes an `int`.
    pub fn int(&self, value: i64) -> Bound<'py, PyAny> {
        value.into_pyobject(self.py).map_or_else(|never| match never {}, Bound::into_any)
    }
}

impl<'py> Assemble for Values<'py, '_> {
    type Value = Bound<'py, PyAny>;
    type Object = Bound<'py, PyDict>;

    fn null(&mut self) -> Self::Value {
        self.py.None().into_bound(self.py)
    }

    fn bool(&mut self, value: bool) -> Self::Value {
        PyBool::new(self.py, value).to_owned().into_any()
    }

    /// Makes a number of any size. One with more digits than Python reads, or beyond the range of a double, becomes
    /// infinite; the flags report that.
    fn number(&mut self, number: Number) -> Self::Value {
        match &number {
            Number::Int(int) => return self.int(*int),
            Number::Literal(text) if number.is_whole() => {
                if let Ok(int) = self.py.get_type::<PyInt>().call1((&**text,)) {
                    return int;
                }
                self.too_many_digits = true;
                self.lost_number = true;
            }
            Number::Literal(_) => self.lost_number = true,
            Number::Float(_) => {}
        }
        PyFloat::new(self.py, number.as_f64()).into_any()
    }

    fn text(&mut self, text: &str) -> Self::Value {
        c_api::string(self.py, text)
    }

    fn list(&mut self, items: Vec<Self::Value>) -> Self::Value {
        PyList::new(self.py, items).expect("memory").into_any()
    }

    fn object(&mut self) -> Self::Object {
        PyDict::new(self.py)
    }

    #[inline]
    fn member(&mut self, object: &mut Self::Object, key: &str, value: Self::Value) {
        let key = self.keys.get(self.py, key);
        object.set_item(key, value).expect("memory");
    }

    fn end(&mut self, object: Self::Object) -> Self::Value {
        object.into_any()
    }
}

/// Builds dictionaries with the keys of the wire. Unlike instances, they can hold undeclared events, and
/// `null` where the protocol has no value.
pub struct Dicts<'py, 'k> {
    values: Values<'py, 'k>,
}

impl<'py, 'k> Dicts<'py, 'k> {
    /// Creates a builder of dictionaries.
    pub fn new(py: Python<'py>, keys: &'k mut Keys) -> Self {
        Self { values: Values::new(py, keys) }
    }

    /// True if a number became infinite that is finite in the text.
    pub fn has_lost_number(&self) -> bool {
        self.values.lost_number
    }
}

impl<'py> Build for Dicts<'py, '_> {
    type Value = Bound<'py, PyAny>;
    type Object = (&'static TypeDef, Bound<'py, PyDict>);

    fn text(&mut self, text: &str) -> Self::Value {
        self.values.keys.text(self.values.py, text)
    }

    fn literal(&mut self, text: &'static str) -> Self::Value {
        self.values.keys.get(self.values.py, text).into_any()
    }

    fn bool(&mut self, value: bool) -> Self::Value {
        self.values.bool(value)
    }

    fn int(&mut self, value: i64) -> Self::Value {
        self.values.int(value)
    }

    fn choice(&mut self, set: &'static EnumDef, index: usize) -> Self::Value {
        self.values.keys.get(self.values.py, set.values[index]).into_any()
    }

    fn json<'a, I: Input<'a>>(&mut self, input: I) -> Self::Value {
        input.assemble(&mut self.values)
    }

    fn json_text(&mut self, text: FreeText<'_, '_>) -> Option<Self::Value> {
        text.assemble(&mut self.values)
    }

    fn unknown<'a, I: Input<'a>>(&mut self, input: I) -> Self::Value {
        input.assemble(&mut self.values)
    }

    fn list(&mut self, items: Vec<Self::Value>) -> Self::Value {
        self.values.list(items)
    }

    fn object(&mut self, ty: &'static TypeDef) -> Self::Object {
        (ty, PyDict::new(self.values.py))
    }

    fn member(&mut self, object: &mut Self::Object, index: usize, value: Self::Value) {
        self.values.member(&mut object.1, object.0.fields[index].wire, value);
    }

    fn extra<'a, I: Input<'a>>(&mut self, object: &mut Self::Object, key: &str, input: I) {
        let value = input.assemble(&mut self.values);
        self.values.member(&mut object.1, key, value);
    }

    fn end(&mut self, object: Self::Object) -> Self::Value {
        object.1.into_any()
    }
}
