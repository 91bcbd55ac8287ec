//! `PartialArguments` reads the arguments of a tool call that arrive in pieces, and gives their
//! value so far.

use ag_ui_native::bindings::MAX_ISSUES;
use ag_ui_native::bindings::json::{BEYOND_DOUBLES, Grow, Growth, PartialParser};
use ag_ui_native::bindings::validate::Build;
use ag_ui_native::{Code, Error, Issue, Limits, Number, Value};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString};
use pyo3::{PyTraverseError, PyVisit};

use crate::build::Dicts;
use crate::c_api;
use crate::error::raised;
use crate::keys::Keys;
use crate::options::read_limits;
use crate::report::report_issues;
use crate::turns::{Collected, Turns, boolean, collected};

/// Reads the arguments of a tool call, or any JSON document, while they arrive.
///
/// `value` is the value of the text so far, as if everything open were closed: a string grows as it arrives; a number,
/// `true`, `false`, `null` or key counts once it is finished. The place of a number that Python reads as infinite is
/// logged. The dictionaries and lists are always the same objects and grow in place; do not change them. Until a value
/// begins, the value is an empty dictionary. It stays empty for a call without arguments, which is streamed without text.
///
/// The cost of all pieces together is linear in their text, for pieces of any size and for any number of reads of
/// `value`. A program that keeps every state of a growing string pays for the copies. Of `limits`, an
/// `ag_ui_native.limits.Limits`, two apply: `depth`, and `event_bytes` for the whole text.
#[pyclass(module = "ag_ui_native.partial", frozen)]
#[derive(Debug)]
pub struct PartialArguments(Turns<Growing>);

/// The parts of the object.
#[derive(Debug)]
struct Growing {
    parser: PartialParser,
    mirror: Mirror,
}

#[pymethods]
impl PartialArguments {
    #[new]
    #[pyo3(signature = (*, limits: "object | None" = None))]
    fn new(py: Python<'_>, limits: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Ok(Self::with_limits(py, read_limits(limits)?))
    }

    /// Reads the next piece and returns JSON pointers of the values that it completes: members, items, the whole (``""``),
    /// each as it ends.
    ///
    /// Raises AGUIValidationError and AGUILimitError, with byte offsets into the whole text; `partial` has the pointers of the values completed before. The text before the fault counts.
    /// Later calls raise AGUIStreamError, code `decoder_failed`.
    #[pyo3(signature = (delta: "str") -> "list[str]")]
    pub fn feed<'py>(&self, py: Python<'py>, delta: &str) -> PyResult<Bound<'py, PyList>> {
        self.step(py, |parser, grow| parser.feed(delta, grow))
    }

    /// Ends the text and returns the whole value.
    ///
    /// Raises AGUIValidationError if it is cut.
    #[pyo3(signature = () -> "Any")]
    pub fn finish(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.step(py, |parser, grow| parser.finish(grow))?;
        self.value(py)
    }

    /// The value so far.
    #[getter]
    pub fn value(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.with(py, |parts| Ok(parts.mirror.root.clone_ref(py)))
    }

    /// True if the value is whole. A number at the root is whole once other text follows it.
    #[getter]
    pub fn is_complete(&self, py: Python<'_>) -> PyResult<bool> {
        self.0.with(py, |parts| Ok(parts.parser.is_complete()))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        // A finalizer may call this while the thread works with the parts.
        let complete = self.is_complete(py).map_or("...", boolean);
        format!("PartialArguments(is_complete={complete})")
    }
}

collected!(PartialArguments);

impl PartialArguments {
    /// Creates an empty reader of arguments.
    pub fn with_limits(py: Python<'_>, limits: Limits) -> Self {
        Self(Turns::new(Growing { parser: PartialParser::new(limits), mirror: Mirror::new(py) }))
    }

    /// Reads more text, and reports the numbers that became infinite.
    fn step<'py>(
        &self,
        py: Python<'py>,
        run: impl FnOnce(&mut PartialParser, &mut Grow<'_>) -> Result<(), Error>,
    ) -> PyResult<Bound<'py, PyList>> {
        let (completed, lost) = self.0.with(py, |parts| {
            let completed = parts.step(py, run);
            Ok((completed, std::mem::take(&mut parts.mirror.lost)))
        })?;
        report_issues(py, &lost, None, None)?;
        completed
    }
}

impl Collected for Growing {
    fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.mirror.visit(visit)
    }

    fn clear(&mut self, py: Python<'_>) {
        self.mirror = Mirror::new(py);
    }
}

impl Growing {
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        run: impl FnOnce(&mut PartialParser, &mut Grow<'_>) -> Result<(), Error>,
    ) -> PyResult<Bound<'py, PyList>> {
        let completed = PyList::empty(py);
        let mut grown = Ok(());
        let Self { parser, mirror } = self;
        let read = run(parser, &mut |growth| {
            if grown.is_ok() {
                grown = mirror.grow(py, growth, &completed);
            }
        });
        grown?;
        read.map_err(|error| raised(py, &error, Some(completed.clone())))?;
        Ok(completed)
    }
}

/// A value of Python's own objects that grows in place.
#[derive(Debug)]
struct Mirror {
    root: Py<PyAny>,
    open: Vec<Open>,
    /// The string that began last.
    text: Py<PyAny>,
    keys: Keys,
    /// Issues about numbers that became infinite, with their places.
    lost: Vec<Issue>,
    /// True if the last number became infinite.
    is_lost: bool,
}

/// An open dictionary or list.
#[derive(Debug)]
enum Open {
    /// An object, with the key of its last member.
    Dict(Py<PyDict>, Py<PyString>),
    /// A list, with the index of its next item.
    List(Py<PyList>, usize),
}

impl Mirror {
    fn new(py: Python<'_>) -> Self {
        let root = PyDict::new(py).into_any().unbind();
        Self {
            root,
            open: Vec::new(),
            text: py.None(),
            keys: Keys::default(),
            lost: Vec::new(),
            is_lost: false,
        }
    }

    fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.root)?;
        self.open.iter().try_for_each(|open| match open {
            Open::Dict(dict, _) => visit.call(dict),
            Open::List(list, _) => visit.call(list),
        })
    }

    fn grow(&mut self, py: Python<'_>, growth: Growth<'_>, completed: &Bound<'_, PyList>) -> PyResult<()> {
        match growth {
            Growth::Key(text) => {
                let new = self.keys.get(py, text).unbind();
                if let Some(Open::Dict(_, key)) = self.open.last_mut() {
                    *key = new;
                }
            }
            Growth::Object => {
                let dict = PyDict::new(py);
                self.put(dict.as_any())?;
                self.open.push(Open::Dict(dict.unbind(), PyString::new(py, "").unbind()));
            }
            Growth::List => {
                let list = PyList::empty(py);
                self.put(list.as_any())?;
                self.open.push(Open::List(list.unbind(), 0));
            }
            Growth::Text(text) => {
                let text = c_api::string(py, text);
                self.put(&text)?;
                self.text = text.unbind();
            }
            Growth::Append(text) => self.append(py, &c_api::string(py, text))?,
            Growth::Null => self.put(py.None().bind(py))?,
            Growth::Bool(value) => self.put(PyBool::new(py, value).as_any())?,
            Growth::Number(text) => {
                let mut dicts = Dicts::new(py, &mut self.keys);
                let number = dicts.json(&Value::Number(Number::parse(text)));
                self.is_lost = dicts.has_lost_number();
                self.put(&number)?;
            }
            Growth::Close => _ = self.open.pop(),
            Growth::Complete(pointer) => {
                if std::mem::take(&mut self.is_lost) && self.lost.len() < MAX_ISSUES {
                    self.lost.push(Issue::new(Code::NumberOutOfRange, pointer, BEYOND_DOUBLES));
                }
                completed.append(pointer)?;
            }
        }
        Ok(())
    }

    /// Puts a new value at its place.
    fn put(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Some(Open::List(list, next)) = self.open.last_mut() {
            *next += 1;
            return list.bind(value.py()).append(value);
        }
        self.put_again(value)
    }

    /// Replaces the last value.
    fn put_again(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = value.py();
        match self.open.last() {
            None => self.root = value.clone().unbind(),
            Some(Open::Dict(dict, key)) => dict.bind(py).set_item(key, value)?,
            Some(Open::List(list, next)) => list.bind(py).set_item(next.saturating_sub(1), value)?,
        }
        Ok(())
    }

    /// Appends to the last string. It has no other reference meanwhile, so it is not copied.
    fn append(&mut self, py: Python<'_>, more: &Bound<'_, PyAny>) -> PyResult<()> {
        let none = py.None();
        self.put_again(none.bind(py))?;
        let known = std::mem::replace(&mut self.text, none).into_bound(py);
        let text = c_api::append(known, more.as_borrowed())?;
        self.put_again(&text)?;
        self.text = text.unbind();
        Ok(())
    }
}
