//! Enforcement: brings events into the form of AG-UI 1.0.

use ag_ui_native::bindings::decoder::EventReader;
use ag_ui_native::bindings::expand::Expansion;
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::{StageOptions, pass, stage_function};

stage_function! {
    /// Brings events into the form of AG-UI 1.0: unknown parts are dropped, with a warning each; malformed known parts
    /// fail.
    ///
    /// Takes events of any form and returns a list of the same form; an event that needs no repairing is the caller's own
    /// object. Raises AGUIValidationError with `event_index`; its `partial` holds the events before.
    enforce_events => enforce
}

fn enforce<'py>(events: &Bound<'py, PyAny>, options: StageOptions) -> PyResult<Bound<'py, PyList>> {
    let reader = EventReader::enforcing(options.rules, options.limits);
    pass(events, reader, options.on_warning, |event, _| {
        Ok(Expansion { made: Vec::new(), passed: Some(event) })
    })
}
