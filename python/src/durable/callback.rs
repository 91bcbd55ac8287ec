//! Functions of Python that threads of a store call. Each attaches to the interpreter and leaves it again, and no process is forked in
//! the midst of that: a lock of CPython 3.11 or of pyo3 that another thread holds then stays locked in the child.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{PoisonError, RwLock, RwLockWriteGuard};
use std::thread::sleep;
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// Held for reading while a callback is called or dropped, and for writing during a fork.
static CALLS: RwLock<()> = RwLock::new(());

/// True when the interpreter ends: nothing is called back any more.
static HAS_ENDED: AtomicBool = AtomicBool::new(false);

/// The longest wait for callbacks at the end.
const END_PATIENCE: Duration = Duration::from_secs(1);

thread_local! {
    static IS_CALLING: Cell<bool> = const { Cell::new(false) };
    static HELD: Cell<Option<RwLockWriteGuard<'static, ()>>> = const { Cell::new(None) };
}

/// A function of Python. It is called and dropped by threads that are not attached to the interpreter.
pub struct Callback(Option<Py<PyAny>>);

impl Callback {
    pub fn new(function: Py<PyAny>) -> Self {
        Self(Some(function))
    }

    /// Calls the function with these arguments, unless the interpreter ends. What it raises is unraisable.
    pub fn call<A>(&self, arguments: impl FnOnce() -> A)
    where
        A: for<'py> pyo3::call::PyCallArgs<'py>,
    {
        let Some(function) = &self.0 else { return };
        attached(|py| {
            if let Err(error) = function.call1(py, arguments()) {
                error.write_unraisable(py, None);
            }
        });
    }
}

impl Drop for Callback {
    fn drop(&mut self) {
        let function = self.0.take();
        attached(|_| drop(function));
    }
}

/// Works with the interpreter, unless it ends.
fn attached(work: impl FnOnce(Python<'_>)) {
    let _calls = CALLS.read().unwrap_or_else(PoisonError::into_inner);
    if !HAS_ENDED.load(SeqCst) {
        IS_CALLING.set(true);
        let _ = Python::try_attach(work);
        IS_CALLING.set(false);
    }
}

/// Waits until no callback is called; none begins before [`release`], which the same thread calls.
pub fn hold() {
    // A callback that forks goes on in the child.
    if !IS_CALLING.get() {
        HELD.set(Some(CALLS.write().unwrap_or_else(PoisonError::into_inner)));
    }
}

pub fn release() {
    drop(HELD.take());
}

/// Calls nothing back from now on, and waits for the callbacks that are called now: an interpreter that ends tears down a thread that
/// waits for it, which would abort the process.
pub fn end() {
    HAS_ENDED.store(true, SeqCst);
    let until = Instant::now() + END_PATIENCE;
    while CALLS.try_write().is_err() && Instant::now() < until {
        sleep(Duration::from_millis(1));
    }
}
