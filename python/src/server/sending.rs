//! Sending what waits. All of this happens once for each token that is awaited, so it calls as few Python functions as may be.

use std::sync::atomic::Ordering::Relaxed;

use pyo3::exceptions::PyException;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

use super::RunWriter;
use crate::c_api::call;
use crate::turns::this_thread;

/// So many sends may follow each other before other tasks have their turn.
const TURN: usize = 128;

#[pymethods]
impl RunWriter {
    /// Sends what waits. Awaiting it waits until it is sent; in other threads than the writer's own, writing itself waits.
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
        // Sending may never suspend; who is cancelled is to hear of it.
        slf.call_method0(intern!(py, "pause"))
    }

    /// Sends what waits, unless a piece is being sent. True if no writer has to wait.
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

    /// Sends a piece. Whether that is done.
    #[pyo3(signature = (piece: "bytes") -> "bool")]
    #[allow(clippy::unused_self)] // A subclass does something.
    fn begin(&self, piece: &Bound<'_, PyAny>) -> bool {
        let _ = piece;
        true
    }

    /// Ends the sending that `begin` has begun: it has succeeded, or failed.
    #[pyo3(signature = () -> "None")]
    fn sent(slf: &Bound<'_, Self>) -> PyResult<()> {
        let sending = &slf.get().sending;
        sending.is_busy.store(false, Relaxed);
        if sending.is_expected.swap(false, Relaxed) {
            slf.call_method0(intern!(slf.py(), "let_go"))?;
        }
        Ok(())
    }

    /// `begin` has raised this.
    #[pyo3(signature = (error: "BaseException") -> "object")]
    #[allow(clippy::unused_self)] // As above.
    fn failed(&self, error: &Bound<'_, PyAny>) {
        let _ = error;
    }

    /// Has `let_go` called, once, when something has been sent.
    #[pyo3(signature = () -> "None")]
    fn expect_room(&self) {
        self.sending.is_expected.store(true, Relaxed);
    }

    /// Has `before_await` called by who awaits, or no longer.
    #[pyo3(signature = (is_preceded: "bool") -> "None")]
    fn precede_awaits(&self, is_preceded: bool) {
        self.sending.is_preceded.store(is_preceded, Relaxed);
    }

    /// True if something is being sent.
    #[getter]
    fn is_sending(&self) -> bool {
        self.sending.is_busy.load(Relaxed)
    }

    /// Answers `wake`: sends what waits; the next write calls `wake` again.
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
    /// True if the client has not taken yet what was sent, or never will.
    pub(super) fn is_behind(&self) -> bool {
        self.sending.is_busy.load(Relaxed) || self.sending.is_lost.load(Relaxed)
    }

    /// Does what may write. It is woken for behind that, if something waits still.
    pub(super) fn within<R>(slf: &Bound<'_, Self>, work: impl FnOnce() -> PyResult<R>) -> PyResult<R> {
        let (py, turns) = (slf.py(), &slf.get().turns);
        let was_woken = turns.with(py, |parts| Ok(std::mem::replace(&mut parts.is_woken, true)))?;
        let result = work();
        if !was_woken {
            let waits = turns.with(py, |parts| {
                parts.is_woken = !parts.core.waiting().is_empty();
                Ok(parts.is_woken)
            })?;
            if waits {
                slf.call_method0(intern!(py, "wake"))?;
            }
        }
        result
    }
}

/// The awaitable for a sending that is done. An iterator serves `await` as well as a generator.
fn nothing(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    static NOTHING: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let nothing =
        NOTHING.get_or_try_init(py, || PyTuple::empty(py).try_iter().map(|made| made.into_any().unbind()))?;
    Ok(nothing.bind(py).clone())
}
