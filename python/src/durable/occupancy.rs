//! The runs and the readers of a process, which are counted by scope.

use std::sync::{Mutex, PoisonError};

use ag_ui_native::bindings::durable as core;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::options::LogOptions;
use super::refusal::refused;

/// Counts the runs and the readers of each scope in this process.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct Occupancy(pub core::Occupancy);

/// A reader that is counted.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct Place(Mutex<Option<core::Place>>);

#[pymethods]
impl Occupancy {
    #[new]
    fn new() -> Self {
        Self(core::Occupancy::default())
    }

    /// Counts a reader of a scope, until its `LogStream` is closed. Raises Refused if the scope has too many.
    #[pyo3(signature = (scope: "str", options: "LogOptions") -> "Place")]
    fn reader(&self, py: Python<'_>, scope: &str, options: &LogOptions) -> PyResult<Place> {
        let place = self.0.reader(scope, options.0.max_readers);
        place.map(|place| Place(Mutex::new(Some(place)))).map_err(|error| refused(py, error))
    }
}

impl Place {
    /// The place, once.
    pub fn take(&self) -> PyResult<core::Place> {
        let place = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        place.ok_or_else(|| PyValueError::new_err("the place belongs to another stream"))
    }
}
