//! Sends waiting frames. This runs for each awaited token, so it calls as few Python functions as possible.

use std::sync::atomic::Ordering::Relaxed;

use pyo3::exceptions::PyException;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

use super::RunWriter;
use crate::c_api::call;
use crate::turns::this_thread;

/// The maximum number of sendings in a row before other tasks run.
const TURN: usize = 128;

#[pymethods]
impl RunWriter {
    /// Sends the waiting frames. Awaiting the writer waits until they are sent. In threads other than the writer's own, the write itself
    /// waits.
    fn __await__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, sending) = (slf.py(), &slf.get().sending);
        if sending.is_preceded.load(Relaxed) {
            slf.call_method0(intern!(py, "before_await"))?;
        }
        if slf.get().home == this_thread() {
            if !Self::push(slf)? {
                return slf.call_method0(intern!(py, "push_later"));
            }
            let awaits = sending.awaits.load(Relaxed).wrapping_add(1);
            sending.awaits.store(awaits, Relaxed);
            if !awaits.is_multiple_of(TURN) && !sending.is_lost.load(Relaxed) {
                return nothing(py);
            }
        }
        // A sending may never suspend; the pause lets a cancellation reach the task.
        slf.call_method0(intern!(py, "pause"))
    }

    /// Sends the waiting frames, unless a piece is being sent. Returns True if no writer has to wait.
    #[pyo3(signature = () -> "bool")]
    fn push(slf: &Bound<'_, Self>) -> PyResult<bool> {
        let (py, sending) = (slf.py(), &slf.get().sending);
        if sending.is_busy.load(Relaxed) {
            return Ok(false);
        }
        let piece = slf.get().take(py)?;
        if piece.as_bytes().is_empty() {
            return Ok(true);
        }
        sending.is_busy.store(true, Relaxed);
        let begun =
            slf.getattr(intern!(py, "begin")).and_then(|begin| call(&begin, &[piece.as_any()])?.is_truthy());
        if let Ok(false) = begun {
            return Ok(false);
        }
        if let Err(error) = &begun {
            slf.call_method1(intern!(py, "failed"), (error.value(py),))?;
        }
        Self::sent(slf)?;
        match begun {
            Err(error) if !error.is_instance_of::<PyException>(py) => Err(error),
            _ => Ok(true),
        }
    }

    /// Sends a piece. Returns True if it is sent already.
    #[pyo3(signature = (piece: "bytes") -> "bool")]
    #[allow(clippy::unused_self)] // A subclass does something.
    fn begin(&self, piece: &Bound<'_, PyAny>) -> bool {
        let _ = piece;
        true
    }

    /// Ends the sending that `begin` has started.
    #[pyo3(signature = () -> "None")]
    fn sent(slf: &Bound<'_, Self>) -> PyResult<()> {
        let sending = &slf.get().sending;
        sending.is_busy.store(false, Relaxed);
        if sending.is_expected.swap(false, Relaxed) {
            slf.call_method0(intern!(slf.py(), "let_go"))?;
        }
        Ok(())
    }

    /// Records the error that `begin` has raised.
    #[pyo3(signature = (error: "BaseException") -> "object")]
    #[allow(clippy::unused_self)] // As above.
    fn failed(&self, error: &Bound<'_, PyAny>) {
        let _ = error;
    }

    /// Requests one call of `let_go` after the next sending.
    #[pyo3(signature = () -> "None")]
    fn expect_room(&self) {
        self.sending.is_expected.store(true, Relaxed);
    }

    /// Sets whether awaiting calls `before_await` first.
    #[pyo3(signature = (is_preceded: "bool") -> "None")]
    fn precede_awaits(&self, is_preceded: bool) {
        self.sending.is_preceded.store(is_preceded, Relaxed);
    }

    /// True if something is being sent.
    #[getter]
    fn is_sending(&self) -> bool {
        self.sending.is_busy.load(Relaxed)
    }

    /// Answers `wake`: sends the waiting frames. The next write calls `wake` again.
    #[pyo3(signature = () -> "None")]
    fn tick(slf: &Bound<'_, Self>) -> PyResult<()> {
        slf.get().turns.with(slf.py(), |parts| {
            parts.is_woken = false;
            Ok(())
        })?;
        Self::push(slf).map(drop)
    }
}

impl RunWriter {
    /// True if the client has not taken the sent frames yet, or has gone.
    pub(super) fn is_behind(&self) -> bool {
        self.sending.is_busy.load(Relaxed) || self.sending.is_lost.load(Relaxed)
    }
}

/// The awaitable of a finished sending: an iterator, which `await` accepts.
fn nothing(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    static NOTHING: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let nothing =
        NOTHING.get_or_try_init(py, || PyTuple::empty(py).try_iter().map(|made| made.into_any().unbind()))?;
    Ok(nothing.bind(py).clone())
}
