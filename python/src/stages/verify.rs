//! Verification: the order of events.

use ag_ui_native::Error;
use ag_ui_native::bindings::decoder::ReadEvent;
use ag_ui_native::bindings::expand::Expansion;
use ag_ui_native::bindings::verify::{EntityKind, EventVerifier as CoreVerifier};
use ag_ui_native::types::Event;
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::{Stage, StageCore, StageOptions, pass, stage_constructor, stage_function};
use crate::events::json_of;
use crate::members::{shown, warnings};
use crate::turns::{Next, Turns, WithWarnings, boolean, collected};

stage_function! {
    /// Verifies the order of events. The end of the list is not checked: EventVerifier.finish does that.
    ///
    /// Takes events of any form and returns them as a list. Raises AGUISequenceError (a V rule) with `event_index`; its
    /// `partial` holds the events before.
    verify_events => verify
}

fn verify<'py>(events: &Bound<'py, PyAny>, options: StageOptions) -> PyResult<Bound<'py, PyList>> {
    let mut verifier = CoreVerifier::new(options.limits).with_profile(options.profile);
    pass(events, options.reader(), options.on_warning, |event, issues| {
        verifier.check(&event)?;
        issues.extend(verifier.take_warnings());
        Ok(Expansion { made: Vec::new(), passed: Some(event) })
    })
}

/// Verifies the order of events, one at a time: of a stream that is read, or of one that is about to be sent.
#[pyclass(module = "ag_ui_native.stream", frozen)]
#[derive(Debug)]
pub struct EventVerifier(Turns<Stage<CoreVerifier>>);

#[pymethods]
impl EventVerifier {
    /// Takes the next event. After a failure the verifier takes no more.
    ///
    /// Raises AGUISequenceError (a V rule).
    #[pyo3(signature = (event: "object") -> "None")]
    fn check(&self, event: &Bound<'_, PyAny>) -> PyResult<()> {
        self.take(event, CoreVerifier::check)
    }

    /// Takes the next event. A refused event changes nothing, and others may follow.
    ///
    /// Raises AGUISequenceError (a V rule).
    #[pyo3(signature = (event: "object") -> "None")]
    fn admit(&self, event: &Bound<'_, PyAny>) -> PyResult<()> {
        self.take(event, CoreVerifier::admit)
    }

    /// Ends the stream.
    ///
    /// Raises AGUIStreamError `stream_truncated` if no run has begun or one has not ended.
    #[pyo3(signature = () -> "None")]
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        let ended = self.0.call(py, |Stage { core, reader, .. }, _| {
            core.finish()?;
            if let Some(issue) = core.end_warning() {
                reader.warn(reader.count(), issue);
            }
            Ok(Next::Done)
        });
        ended.map(|_| ())
    }

    /// True if a run has begun and not ended.
    #[getter]
    fn is_running(&self, py: Python<'_>) -> PyResult<bool> {
        self.0.with(py, |parts| Ok(parts.core.is_running()))
    }

    /// The open entities, in order of opening: (kind, id or name, subagent run id or None). The kinds are `step`,
    /// `message`, `reasoning message`, `reasoning span`, `tool call` and `subagent`.
    #[getter]
    fn open(&self, py: Python<'_>) -> PyResult<Vec<(&'static str, String, Option<String>)>> {
        self.0.with(py, |parts| {
            let of_kind = |kind: &EntityKind| {
                let open = parts.core.open(*kind).into_iter();
                open.map(|open| (kind.as_str(), open.id.to_owned(), open.subagent_run_id.map(str::to_owned)))
                    .collect::<Vec<_>>()
            };
            Ok(EntityKind::ALL.iter().flat_map(of_kind).collect())
        })
    }
}

stage_constructor!(EventVerifier, CoreVerifier, with_profile);
collected!(EventVerifier);
shown!(EventVerifier);
warnings!(EventVerifier);

impl StageCore for CoreVerifier {
    fn summary(&self) -> String {
        let open: usize = EntityKind::ALL.iter().map(|kind| self.open(*kind).len()).sum();
        format!("is_running={}, open={open}, ", boolean(self.is_running()))
    }
}

impl EventVerifier {
    fn take(
        &self,
        event: &Bound<'_, PyAny>,
        judge: impl Fn(&mut CoreVerifier, &Event) -> Result<(), Error>,
    ) -> PyResult<()> {
        let json = json_of(event)?;
        let judged = self.0.call(event.py(), |parts, _| {
            let Stage { core, reader, .. } = parts;
            if let Some(ReadEvent { index, event, .. }) = reader.read(&*json)? {
                judge(core, &event).map_err(|error| error.of_event(index))?;
                core.take_warnings().into_iter().for_each(|issue| reader.warn(index, issue));
            }
            Ok(Next::Done)
        });
        judged.map(|_| ())
    }
}
