//! Answers to interrupts.

use std::time::{SystemTime, UNIX_EPOCH};

use ag_ui_native::Limits;
use ag_ui_native::types::{Interrupt, ResumeEntry};
use pyo3::prelude::*;

use crate::error::{guard, raised};
use crate::events::typed_all;

/// Checks the answers of a run before it is requested: each pending interrupt needs one, and an expired one can only
/// be cancelled. Takes instances or dictionaries; `now` is in milliseconds since the Unix epoch.
///
/// Raises AGUISequenceError with rule L01 or L02.
#[pyfunction]
#[pyo3(signature = (
    pending_interrupts: "Iterable[object]", resume: "Iterable[object]", now: "int | None" = None
) -> "None")]
pub fn check_resume(
    pending_interrupts: &Bound<'_, PyAny>,
    resume: &Bound<'_, PyAny>,
    now: Option<i64>,
) -> PyResult<()> {
    guard(resume.py(), || {
        let pending: Vec<Interrupt> = typed_all(pending_interrupts, Limits::default())?;
        let answers: Vec<ResumeEntry> = typed_all(resume, Limits::default())?;
        let now = now.unwrap_or_else(unix_millis);
        ag_ui_native::bindings::resume::check(&pending, &answers, now)
            .map_err(|error| raised(resume.py(), &error, None))
    })
}

/// The time in milliseconds since the Unix epoch.
pub fn unix_millis() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
