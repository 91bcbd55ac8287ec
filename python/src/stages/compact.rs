//! Compaction.

use ag_ui_native::bindings::compact::{Compacted, compact};
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::{StageOptions, finish, read_each, stage_function};
use crate::error::guard;
use crate::events::Form;

stage_function! {
    /// Shortens a list of events without changing its meaning: pieces of text and arguments are joined, states applied.
    ///
    /// Takes events of any form and returns a list of the same form. Chunks are not expanded.
    /// Raises AGUIValidationError with `event_index` for an invalid event; its `partial` holds the events before, compacted.
    compact_events => compacted
}

fn compacted<'py>(events: &Bound<'py, PyAny>, options: StageOptions) -> PyResult<Bound<'py, PyList>> {
    let py = events.py();
    let mut reader = options.reader();
    guard(py, || {
        let (mut objects, mut origins, mut typed) = (Vec::new(), Vec::new(), Vec::new());
        let outcome = read_each(events, &mut reader, |object, read, _| {
            objects.push(object);
            origins.push((read.index, read.repaired));
            typed.push(read.event);
            Ok(())
        });
        let form = objects.first().map(Form::of).transpose()?.unwrap_or_default();
        let compaction = py.detach(|| compact(&typed));
        for warning in compaction.warnings {
            reader.warn(origins[warning.event_index].0, warning.issue);
        }
        let made = compaction.events.into_iter().map(|event| match event {
            Compacted::Kept(place) if !origins[place].1 => Ok(objects[place].clone()),
            Compacted::Kept(place) => form.make(py, &typed[place]),
            Compacted::Made(event) => form.make(py, &*event),
        });
        let made = made.collect::<PyResult<Vec<_>>>()?;
        finish(py, &mut reader, options.on_warning, outcome, made)
    })
}
