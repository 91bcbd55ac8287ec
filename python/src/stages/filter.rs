//! Filters the calls of certain tools.

use ag_ui_native::bindings::client::ToolCallFilter as CoreFilter;
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::{Stage, StageCore, StageOptions, step};
use crate::events::json_of;
use crate::members::shown;
use crate::turns::{Next, Turns, collected};

/// Takes the events of one run, one at a time, and returns those that pass. `ToolCallFilter` is its public form.
#[pyclass(module = "ag_ui_native.client", frozen)]
#[derive(Debug)]
pub struct ToolCalls(Turns<Stage<CoreFilter>>);

#[pymethods]
impl ToolCalls {
    /// Lets only the named tools pass, or all others.
    #[new]
    #[pyo3(signature = (names: "list[str]", allows: "bool"))]
    #[allow(clippy::needless_pass_by_value)] // pyo3 hands it over.
    fn new(py: Python<'_>, names: Vec<String>, allows: bool) -> PyResult<Self> {
        let filter = if allows { CoreFilter::allow(names) } else { CoreFilter::deny(names) };
        // The agent's own profile decides about the parts that the filter does not read.
        let options = StageOptions::read("relay", None, None)?;
        Ok(Self(Turns::new(Stage::new(py, filter, options))))
    }

    /// The events for `event`: itself, its expansion if it is a chunk, or nothing.
    ///
    /// Raises AGUISequenceError (a C rule).
    #[pyo3(signature = (event: "object") -> "list")]
    fn push<'py>(&self, event: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let json = json_of(event)?;
        self.0.call(event.py(), |parts, made| {
            let Stage { core, reader, .. } = parts;
            if let Some(read) = reader.read(&*json)? {
                step(event, read, &mut |event| core.filter(event), made)?;
            }
            Ok(Next::Done)
        })
    }
}

collected!(ToolCalls);
shown!(ToolCalls);

impl StageCore for CoreFilter {
    fn summary(&self) -> String {
        String::new()
    }
}
