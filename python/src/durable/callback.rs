//! Functions of Python that threads of a store call. Each attaches to the interpreter and leaves it again, and no process is forked in
//! the midst of that: a lock of CPython 3.11 or of pyo3 that another thread holds then stays locked in the child.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};
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
pub struct Callback {
    function: Option<Py<PyAny>>,
    is_over: Arc<AtomicBool>,
}

/// Ends the calls of a function: no call begins after that. A thread that is attached to the interpreter sets it.
pub struct Calls(Arc<AtomicBool>);

impl Calls {
    pub fn end(&self) {
        self.0.store(true, SeqCst);
    }
}

impl Callback {
    pub fn new(function: Py<PyAny>) -> Self {
        Self { function: Some(function), is_over: Arc::default() }
    }

    pub fn calls(&self) -> Calls {
        Calls(Arc::clone(&self.is_over))
    }

    /// Calls the function with these arguments, unless its calls are over or the interpreter ends. What it raises is unraisable.
    pub fn call<A>(&self, arguments: impl FnOnce() -> A)
    where
        A: for<'py> pyo3::call::PyCallArgs<'py>,
    {
        let Some(function) = &self.function else { return };
        attached(|py| {
            // This thread may have waited for the one that has ended the calls.
            if self.is_over.load(SeqCst) {
                return;
            }
            if let Err(error) = function.call1(py, arguments()) {
                error.write_unraisable(py, None);
            }
        });
    }
}

impl Drop for Callback {
    fn drop(&mut self) {
        let function = self.function.take();
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
