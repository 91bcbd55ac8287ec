//! The engine in memory.

use ag_ui_native::bindings::durable as core;
use pyo3::prelude::*;

use super::handles::{Hint, LogKey, Operation, Reply};
use super::moment;
use crate::turns::Turns;

/// The logs of one process. Any thread may use them.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct MemoryStore(Turns<core::MemoryStore>);

#[pymethods]
impl MemoryStore {
    /// A store without logs. `None` is the default of a limit.
    #[new]
    #[pyo3(signature = (
        max_logs: "int | None" = None, max_threads: "int | None" = None, max_bytes: "int | None" = None
    ))]
    fn new(max_logs: Option<usize>, max_threads: Option<usize>, max_bytes: Option<usize>) -> Self {
        let default = core::StoreLimits::default();
        Self(Turns::new(core::MemoryStore::new(core::StoreLimits {
            max_logs: max_logs.unwrap_or(default.max_logs),
            max_threads: max_threads.unwrap_or(default.max_threads),
            max_bytes: max_bytes.unwrap_or(default.max_bytes),
        })))
    }

    /// Executes an operation at a time of one monotonic clock. Returns the reply, and hints to those who watch logs.
    #[pyo3(signature = (now: "float", operation: "Operation") -> "tuple[Reply, list[tuple[LogKey, Hint]]]")]
    fn execute(
        &self,
        py: Python<'_>,
        now: f64,
        operation: &Operation,
    ) -> PyResult<(Reply, Vec<(LogKey, Hint)>)> {
        let executed = self.0.with(py, |store| Ok(store.execute(moment(now), operation.0.clone())))?;
        let hints = executed.hints.into_iter().map(|(key, hint)| (LogKey(key), Hint(hint))).collect();
        Ok((Reply(executed.reply), hints))
    }
}
