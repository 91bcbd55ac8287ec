//! The single stages of a stream, for event objects of any form: enforcement, chunk expansion, verification,
//! compaction.

pub mod compact;
pub mod enforce;
pub mod expand;
pub mod filter;
pub mod guard;
pub mod intake;
pub mod verify;

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::decoder::{EventReader, ReadEvent, Warning};
use ag_ui_native::bindings::expand::Expansion;
use ag_ui_native::types::Event;
use ag_ui_native::{Error, Issue, Limits, Profile};
use pyo3::prelude::*;
use pyo3::types::PyList;
use pyo3::{PyTraverseError, PyVisit};

use crate::error::guard;
use crate::events::{Form, json_of};
use crate::options::{read_limits, rules};
use crate::report::{Reporter, leave_partial};
use crate::turns::{Collected, Failure, WithWarnings, end};

/// The options of a stage.
struct StageOptions {
    profile: Profile,
    rules: Rules,
    limits: Limits,
    on_warning: Option<Py<PyAny>>,
}

impl StageOptions {
    fn read(
        profile: &str,
        limits: Option<&Bound<'_, PyAny>>,
        on_warning: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let (profile, rules) = rules(profile, false, false)?;
        Ok(Self { profile, rules, limits: read_limits(limits)?, on_warning })
    }

    fn reader(&self) -> EventReader {
        EventReader::new(self.rules, self.limits)
    }
}

/// Writes the Python function of a stage, which returns the result of `$run` for a list of events.
macro_rules! stage_function {
    ($(#[$doc:meta])+ $name:ident => $run:ident) => {
        $(#[$doc])+
        #[pyo3::pyfunction]
        #[pyo3(signature = (
            events: "Iterable[object]", *, profile: "str" = "tolerant", limits: "object | None" = None,
            on_warning: "object | None" = None
        ))]
        pub fn $name<'py>(
            events: &Bound<'py, PyAny>,
            profile: &str,
            limits: Option<&Bound<'py, PyAny>>,
            on_warning: Option<Py<PyAny>>,
        ) -> PyResult<Bound<'py, PyList>> {
            $run(events, super::StageOptions::read(profile, limits, on_warning)?)
        }
    };
}

/// Writes the constructor of a class that is a stage for one event at a time.
macro_rules! stage_constructor {
    ($class:ident, $core:ident $(, $of_profile:ident)?) => {
        #[pyo3::pymethods]
        impl $class {
            #[new]
            #[pyo3(signature = (
                *, profile: "str" = "tolerant", limits: "object | None" = None, on_warning: "object | None" = None
            ))]
            fn new(
                py: Python<'_>,
                profile: &str,
                limits: Option<&Bound<'_, PyAny>>,
                on_warning: Option<Py<PyAny>>,
            ) -> PyResult<Self> {
                let options = super::StageOptions::read(profile, limits, on_warning)?;
                let core = $core::new(options.limits)$(.$of_profile(options.profile))?;
                Ok(Self(Turns::new(Stage::new(py, core, options))))
            }
        }
    };
}

use {stage_constructor, stage_function};

/// Reads events of any form, one after the other, and passes those that the profile does not drop to `take`.
fn read_each<'py>(
    events: &Bound<'py, PyAny>,
    reader: &mut EventReader,
    mut take: impl FnMut(Bound<'py, PyAny>, ReadEvent, &mut EventReader) -> Result<(), Failure>,
) -> Result<(), Failure> {
    for object in events.try_iter()? {
        let object = object?;
        if let Some(read) = reader.read(&*json_of(&object)?)? {
            take(object, read, reader)?;
        }
    }
    Ok(())
}

/// Returns or raises the result of a function. Its callbacks come last; if Python code raises, the exception gets the
/// results as `partial`.
fn finish<'py>(
    py: Python<'py>,
    reader: &mut EventReader,
    on_warning: Option<Py<PyAny>>,
    outcome: Result<(), Failure>,
    made: Vec<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let reported = Reporter::new(py, on_warning).report(py, &reader.take_warnings());
    end(py, outcome, reported, made, |raised, made| {
        leave_partial(py, raised, made);
        Ok(())
    })
}

/// Passes events through a stage that passes on or makes events, or warns about them.
fn pass<'py>(
    events: &Bound<'py, PyAny>,
    mut reader: EventReader,
    on_warning: Option<Py<PyAny>>,
    mut stage: impl FnMut(Event, &mut Vec<Issue>) -> Result<Expansion, Error>,
) -> PyResult<Bound<'py, PyList>> {
    let py = events.py();
    guard(py, || {
        let mut made = Vec::new();
        let outcome = read_each(events, &mut reader, |object, read, reader| {
            let (index, mut issues) = (read.index, Vec::new());
            let taken = step(&object, read, &mut |event| stage(event, &mut issues), &mut made);
            for issue in issues {
                reader.warn(index, issue);
            }
            taken
        });
        finish(py, &mut reader, on_warning, outcome, made)
    })
}

/// Passes one event through a stage, and passes the result on: the object itself if it is unchanged.
fn step<'py>(
    object: &Bound<'py, PyAny>,
    read: ReadEvent,
    stage: &mut impl FnMut(Event) -> Result<Expansion, Error>,
    made: &mut Vec<Bound<'py, PyAny>>,
) -> Result<(), Failure> {
    let ReadEvent { index, event, repaired, .. } = read;
    let expansion = stage(event).map_err(|error| error.of_event(index))?;
    let form = Form::of(object)?;
    for event in expansion.made {
        made.push(form.make(object.py(), &event)?);
    }
    match expansion.passed {
        Some(event) if repaired => made.push(form.make(object.py(), &event)?),
        Some(_) => made.push(object.clone()),
        None => {}
    }
    Ok(())
}

/// The parts of a stage that takes one event at a time.
#[derive(Debug)]
struct Stage<S> {
    core: S,
    reader: EventReader,
    reporter: Reporter,
}

impl<S> Stage<S> {
    fn new(py: Python<'_>, core: S, options: StageOptions) -> Self {
        Self { core, reader: options.reader(), reporter: Reporter::new(py, options.on_warning) }
    }
}

impl<S> Collected for Stage<S> {
    fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.reporter.visit(visit)
    }

    fn clear(&mut self, py: Python<'_>) {
        self.reporter.clear(py);
    }
}

/// The core of a stage.
trait StageCore {
    /// Returns the text for `repr`.
    fn summary(&self) -> String;

    /// Returns the warnings of the core since the last call.
    fn take_warnings(&mut self) -> Vec<Warning> {
        Vec::new()
    }
}

impl<S: StageCore> WithWarnings for Stage<S> {
    fn reporter(&mut self) -> &mut Reporter {
        &mut self.reporter
    }

    fn take_warnings(&mut self) -> Vec<Warning> {
        let mut warnings = self.core.take_warnings();
        warnings.extend(self.reader.take_warnings());
        warnings
    }

    fn summary(&self, _py: Python<'_>) -> String {
        self.core.summary()
    }
}
