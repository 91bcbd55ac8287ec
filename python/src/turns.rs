//! The turns of stream objects: one call at a time, a few milliseconds a turn. Between turns other threads may use
//! the object and the interpreter. Callbacks come last, when the parts are not locked.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, TryLockError};

use ag_ui_native::bindings::decoder::Warning;
use ag_ui_native::{Code, Error};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyList;
use pyo3::{PyTraverseError, PyVisit};

use crate::error::{guard, raised};
use crate::report::{Reporter, is_exit};

/// An object that holds Python objects and takes part in their garbage collection.
pub trait Collected {
    /// Reports to the collector the held objects that can be part of a cycle.
    fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError>;
    /// Releases them.
    fn clear(&mut self, py: Python<'_>);
}

/// The garbage collection methods of a class around [`Turns`], as a block of `#[pymethods]`.
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

/// The parts of an object whose calls may warn.
pub trait WithWarnings: Collected {
    /// Returns the reporter of the object's warnings.
    fn reporter(&mut self) -> &mut Reporter;
    /// Returns the warnings since the last call, in the order of events.
    fn take_warnings(&mut self) -> Vec<Warning>;
    /// Returns the text for `repr`: counts and flags, never received content.
    fn summary(&self, py: Python<'_>) -> String;
}

/// Returns a flag as Python writes it.
pub fn boolean(flag: bool) -> &'static str {
    if flag { "True" } else { "False" }
}

/// The reason why a call ends early.
#[derive(Debug)]
pub enum Failure {
    /// An error of core.
    Core(Error),
    /// An exception of Python code.
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

/// The continuation after a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Another turn.
    Turn,
    /// The call is done.
    Done,
}

/// The parts of an object, for one user at a time.
#[derive(Debug)]
pub struct Turns<T> {
    /// The thread that uses the parts, or 0.
    holder: AtomicUsize,
    shared: Mutex<Shared<T>>,
}

#[derive(Debug)]
struct Shared<T> {
    parts: T,
    /// True between two turns of a call, and during its callbacks.
    busy: bool,
}

/// Ends a call of more than one turn when it is dropped.
struct CallInTurns<'a, 'py, T> {
    turns: &'a Turns<T>,
    py: Python<'py>,
}

impl<T> Drop for CallInTurns<'_, '_, T> {
    fn drop(&mut self) {
        let _ = self.turns.have(self.py, |shared| {
            shared.busy = false;
            Ok(())
        });
    }
}

impl<T> Turns<T> {
    /// Creates an object from these parts.
    pub fn new(parts: T) -> Self {
        Self { holder: AtomicUsize::new(0), shared: Mutex::new(Shared { parts, busy: false }) }
    }

    /// Gives access to the parts for a moment. It waits for another thread that uses them.
    ///
    /// Fails with `reentrant_call` if this thread uses them: a finalizer ran during the work.
    #[inline]
    pub fn with<R>(&self, py: Python<'_>, work: impl FnOnce(&mut T) -> PyResult<R>) -> PyResult<R> {
        self.have(py, |shared| work(&mut shared.parts))
    }

    #[inline]
    fn have<R>(&self, py: Python<'_>, work: impl FnOnce(&mut Shared<T>) -> PyResult<R>) -> PyResult<R> {
        let me = this_thread();
        // Only this thread writes its own number there.
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
    /// Implements `__traverse__`. Parts that are in use are alive, so the collector need not see them.
    #[allow(clippy::needless_pass_by_value)] // As Python hands it over.
    pub fn traverse(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.shared.try_lock() {
            Ok(shared) => shared.parts.visit(&visit),
            Err(TryLockError::Poisoned(shared)) => shared.into_inner().parts.visit(&visit),
            Err(TryLockError::WouldBlock) => Ok(()),
        }
    }

    /// Implements `__clear__`.
    pub fn clear(&self, py: Python<'_>) {
        if let Ok(mut shared) = self.shared.try_lock() {
            self.holder.store(this_thread(), Ordering::Relaxed);
            shared.parts.clear(py);
            self.holder.store(0, Ordering::Relaxed);
        }
    }
}

impl<T: WithWarnings> Turns<T> {
    /// Implements `__repr__`.
    pub fn repr(&self, py: Python<'_>, class: &str) -> String {
        // A finalizer may call this while the thread works with the parts.
        let summary = self.with(py, |parts| {
            let warnings = parts.reporter().warnings.bind(py).len();
            Ok(format!("{}warnings={warnings}", parts.summary(py)))
        });
        format!("{class}({})", summary.as_deref().unwrap_or("..."))
    }

    /// Takes turns until the call is done, and returns the results.
    ///
    /// No result is lost: an error of core has the results as `partial`, and after an exception of Python code
    /// the next call returns them first.
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
            // The turn has not begun, or a panic ended it. The results before it count.
            turn.unwrap_or_else(|raised| (Err(Failure::Host(raised)), false))
        };
        // Most calls take one turn, so no other code can see the time between two.
        let (mut next, busy) = turn();
        let _call = busy.then(|| CallInTurns { turns: self, py });
        while let Ok(Next::Turn) = next {
            // Other threads run here. A signal's handler is a callback, too.
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

/// Returns or raises the result of a call with this `outcome`; `reported` is the result of passing on its warnings. If
/// Python code has raised, `keep` gets the results.
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

/// Minimum number of bytes of work during which other threads may run. Releasing and taking the lock costs as much
/// as working on a few bytes.
const LONG_WORK: usize = 32 << 10;

/// Runs work on `bytes` bytes that uses no Python object. Other threads run during long work.
pub fn aside<R: Send>(py: Python<'_>, bytes: usize, work: impl FnOnce() -> R + Send) -> R {
    if bytes < LONG_WORK { work() } else { py.detach(work) }
}

fn reentrant(py: Python<'_>) -> PyErr {
    raised(py, &Error::new(Code::ReentrantCall, ""), None)
}

/// Returns a number that no other living thread has; never 0.
#[inline]
pub fn this_thread() -> usize {
    thread_local!(static HERE: u8 = const { 0 });
    HERE.with(|here| std::ptr::from_ref(here).addr())
}
