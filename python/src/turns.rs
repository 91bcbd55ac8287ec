//! Stream objects work in turns: one call at a time, a few milliseconds a turn. Between turns others may look at the
//! object and use the interpreter; callbacks come last, when nobody has its parts.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, TryLockError};

use ag_ui_native::host::decoder::Warning;
use ag_ui_native::{Code, Error};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyList;
use pyo3::{PyTraverseError, PyVisit};

use crate::error::{guard, raised};
use crate::report::{Reporter, is_exit};

/// What holds Python objects: it takes part in their garbage collection.
pub trait Collected {
    /// Shows the collector the objects held that can be part of a cycle.
    fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError>;
    /// Lets go of them.
    fn clear(&mut self, py: Python<'_>);
}

/// What the garbage collector asks of a class around [`Turns`]: a block of `#[pymethods]`.
macro_rules! collected {
    ($class:ident) => {
        #[pyo3::pymethods]
        impl $class {
            fn __traverse__(&self, visit: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
                self.0.traverse(visit)
            }

            fn __clear__(&self, py: Python<'_>) {
                self.0.clear(py);
            }
        }
    };
}

pub(crate) use collected;

/// What an object works with whose calls may warn.
pub trait Parts: Collected {
    /// Where warnings go.
    fn reporter(&mut self) -> &mut Reporter;
    /// The warnings since the last call, in the order of events.
    fn take_warnings(&mut self) -> Vec<Warning>;
    /// What `repr` shows: counts and flags, never what somebody has sent.
    fn summary(&self, py: Python<'_>) -> String;
}

/// A flag as Python writes it.
pub fn boolean(flag: bool) -> &'static str {
    if flag { "True" } else { "False" }
}

/// Why a call ends early.
#[derive(Debug)]
pub enum Failure {
    /// Core says so.
    Core(Error),
    /// Python code has raised.
    Host(PyErr),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Core(error)
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self::Host(error)
    }
}

/// What becomes of a call after a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Another turn.
    Turn,
    /// It has done what it was called for.
    Done,
}

/// The parts of an object, for one at a time.
#[derive(Debug)]
pub struct Turns<T> {
    /// The thread that has the parts now, or 0.
    holder: AtomicUsize,
    shared: Mutex<Shared<T>>,
}

#[derive(Debug)]
struct Shared<T> {
    parts: T,
    /// A call is between two turns, or at its callbacks.
    busy: bool,
}

/// Ends a call of more than one turn, however it ends.
struct Call<'a, 'py, T> {
    turns: &'a Turns<T>,
    py: Python<'py>,
}

impl<T> Drop for Call<'_, '_, T> {
    fn drop(&mut self) {
        let _ = self.turns.have(self.py, |shared| {
            shared.busy = false;
            Ok(())
        });
    }
}

impl<T> Turns<T> {
    /// An object with these parts.
    pub fn new(parts: T) -> Self {
        Self { holder: AtomicUsize::new(0), shared: Mutex::new(Shared { parts, busy: false }) }
    }

    /// Has the parts for a moment. Another thread that has them is waited for.
    ///
    /// Fails with `reentrant_call` if it is this one: a finalizer ran in the midst of the work.
    #[inline]
    pub fn with<R>(&self, py: Python<'_>, work: impl FnOnce(&mut T) -> PyResult<R>) -> PyResult<R> {
        self.have(py, |shared| work(&mut shared.parts))
    }

    #[inline]
    fn have<R>(&self, py: Python<'_>, work: impl FnOnce(&mut Shared<T>) -> PyResult<R>) -> PyResult<R> {
        let me = this_thread();
        // Only this thread writes its own name there.
        if self.holder.load(Ordering::Relaxed) == me {
            return Err(reentrant(py));
        }
        let mut shared = self.shared.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        self.holder.store(me, Ordering::Relaxed);
        let result = guard(py, || work(&mut shared));
        self.holder.store(0, Ordering::Relaxed);
        result
    }
}

impl<T: Collected> Turns<T> {
    /// See `__traverse__`. Parts that somebody works with are in use, so they need not be shown.
    #[allow(clippy::needless_pass_by_value)] // As Python hands it over.
    pub fn traverse(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.shared.try_lock() {
            Ok(shared) => shared.parts.visit(&visit),
            Err(TryLockError::Poisoned(shared)) => shared.into_inner().parts.visit(&visit),
            Err(TryLockError::WouldBlock) => Ok(()),
        }
    }

    /// See `__clear__`.
    pub fn clear(&self, py: Python<'_>) {
        if let Ok(mut shared) = self.shared.try_lock() {
            self.holder.store(this_thread(), Ordering::Relaxed);
            shared.parts.clear(py);
            self.holder.store(0, Ordering::Relaxed);
        }
    }
}

impl<T: Parts> Turns<T> {
    /// See `__repr__`.
    pub fn repr(&self, py: Python<'_>, class: &str) -> String {
        // While this thread works with the parts, a finalizer may ask.
        let summary = self.with(py, |parts| {
            let warnings = parts.reporter().warnings.bind(py).len();
            Ok(format!("{}warnings={warnings}", parts.summary(py)))
        });
        format!("{class}({})", summary.as_deref().unwrap_or("..."))
    }

    /// Takes turns until one says that the call is done, and returns what they have made.
    ///
    /// Nothing made is lost: a failure of core's has it as `partial`, and after an exception of Python code it is
    /// returned by the next call, in front of what that makes.
    pub fn call<'py>(
        &self,
        py: Python<'py>,
        mut turn: impl FnMut(&mut T, &mut Vec<Bound<'py, PyAny>>) -> Result<Next, Failure>,
    ) -> PyResult<Bound<'py, PyList>> {
        let (mut made, mut warnings) = (Vec::new(), Vec::new());
        let mut is_first = true;
        let mut turn = || {
            let turn = self.have(py, |shared| {
                if std::mem::take(&mut is_first) {
                    if shared.busy {
                        return Err(reentrant(py));
                    }
                    shared.parts.reporter().take_kept(py, &mut made);
                }
                let next = turn(&mut shared.parts, &mut made);
                warnings.append(&mut shared.parts.take_warnings());
                shared.busy = matches!(next, Ok(Next::Turn)) || !warnings.is_empty();
                Ok((next, shared.busy))
            });
            // Not begun, or ended by a panic: what was made before it counts.
            turn.unwrap_or_else(|raised| (Err(Failure::Host(raised)), false))
        };
        // Most calls are one turn, and nobody sees them between two.
        let (mut next, busy) = turn();
        let _call = busy.then(|| Call { turns: self, py });
        while let Ok(Next::Turn) = next {
            // Somebody else's turn. A signal's handler is a callback, too.
            py.detach(|| ());
            next = match py.check_signals() {
                Ok(()) => turn().0,
                Err(raised) => Err(Failure::Host(raised)),
            };
        }
        let outcome = next.map(|_| ());
        let reported = if warnings.is_empty() {
            Ok(())
        } else {
            let reporter = self.with(py, |parts| Ok(parts.reporter().clone_ref(py)));
            reporter.and_then(|reporter| reporter.report(py, &warnings))
        };
        end(py, outcome, reported, made, |_, made| {
            self.with(py, |parts| {
                parts.reporter().keep(made);
                Ok(())
            })
        })
    }
}

/// What a call returns or raises that has come to `outcome`, and to `reported` when its warnings were handed over. Where
/// Python code has raised, `keep` gets what was made.
pub fn end<'py>(
    py: Python<'py>,
    outcome: Result<(), Failure>,
    reported: PyResult<()>,
    made: Vec<Bound<'py, PyAny>>,
    keep: impl FnOnce(&PyErr, Vec<Bound<'py, PyAny>>) -> PyResult<()>,
) -> PyResult<Bound<'py, PyList>> {
    match (outcome, reported) {
        (Ok(()), Ok(())) => guard(py, || PyList::new(py, made)),
        (Err(Failure::Core(_)), Err(exit)) if is_exit(py, &exit) => {
            keep(&exit, made)?;
            Err(exit)
        }
        (Err(Failure::Core(error)), reported) => {
            let error = raised(py, &error, Some(PyList::new(py, made)?));
            error.set_cause(py, reported.err());
            Err(error)
        }
        (Err(Failure::Host(raised)), _) | (Ok(()), Err(raised)) => {
            keep(&raised, made)?;
            Err(raised)
        }
    }
}

/// Bytes of work for which others are let in: giving the lock away and getting it back costs as much as a few.
const LONG_WORK: usize = 32 << 10;

/// Does work on so many bytes that touches no Python object. Others run meanwhile if it is much.
pub fn aside<R: Send>(py: Python<'_>, bytes: usize, work: impl FnOnce() -> R + Send) -> R {
    if bytes < LONG_WORK { work() } else { py.detach(work) }
}

fn reentrant(py: Python<'_>) -> PyErr {
    raised(py, &Error::new(Code::ReentrantCall, ""), None)
}

/// A number that no other living thread has; never 0.
#[inline]
pub fn this_thread() -> usize {
    thread_local!(static HERE: u8 = const { 0 });
    HERE.with(|here| std::ptr::from_ref(here).addr())
}
