//! Chunk expansion.

use ag_ui_native::bindings::expand::ChunkExpander as CoreExpander;
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::{Stage, StageCore, StageOptions, pass, stage_constructor, stage_function, step};
use crate::events::json_of;
use crate::members::shown;
use crate::turns::{Next, Turns, collected};

stage_function! {
    /// Turns chunk events into the START, CONTENT and END events they stand for; all others pass.
    ///
    /// Takes events of any form and returns a list of the same form. Raises AGUISequenceError (a C rule) with
    /// `event_index`; its `partial` holds the events before.
    expand_chunks => expand
}

fn expand<'py>(events: &Bound<'py, PyAny>, options: StageOptions) -> PyResult<Bound<'py, PyList>> {
    let mut expander = CoreExpander::new(options.limits);
    pass(events, options.reader(), options.on_warning, |event, _| expander.expand(event))
}

/// Turns chunk events into the START, CONTENT and END events they stand for, one event at a time.
#[pyclass(module = "ag_ui_native.stream", frozen)]
#[derive(Debug)]
pub struct ChunkExpander(Turns<Stage<CoreExpander>>);

#[pymethods]
impl ChunkExpander {
    /// The expansion of `event`: the ENDs of the streams that it closes, then the event itself unless it is a chunk.
    ///
    /// Raises AGUISequenceError (a C rule).
    #[pyo3(signature = (event: "object") -> "list")]
    fn push<'py>(&self, event: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let json = json_of(event)?;
        self.0.call(event.py(), |parts, made| {
            let Stage { core, reader, .. } = parts;
            if let Some(read) = reader.read(&*json)? {
                step(event, read, &mut |event| core.expand(event), made)?;
            }
            Ok(Next::Done)
        })
    }
}

stage_constructor!(ChunkExpander, CoreExpander);
collected!(ChunkExpander);
shown!(ChunkExpander);

impl StageCore for CoreExpander {
    fn summary(&self) -> String {
        format!("open={}, ", self.open_count())
    }
}
