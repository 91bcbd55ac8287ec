//! The monitor of the interpreter's lock, for builds with checks. A thread counts how often it gets the lock. It must not get the
//! lock while an [`Exclusive`](super::Exclusive) lives, since objects lent by containers could be freed then.

use std::backtrace::Backtrace;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

/// The number of times that the thread has had the lock.
static TURNS: AtomicU64 = AtomicU64::new(0);
/// True once the thread has been started.
static RUNS: AtomicBool = AtomicBool::new(false);
/// True while the thread waits for the lock.
static WAITS: AtomicBool = AtomicBool::new(false);
/// After waiting this long (`sys.setswitchinterval`) a thread requests the lock. A thread that gives it up then waits until the
/// other has had it.
const ASKING: Duration = Duration::from_micros(300);

/// Starts the thread, which lives as long as the process. The process must end by `os._exit`, since the thread does not wait for
/// the interpreter's end.
pub fn start() {
    if RUNS.swap(true, SeqCst) {
        return;
    }
    thread::spawn(|| {
        loop {
            WAITS.store(true, SeqCst);
            Python::attach(|_| {
                WAITS.store(false, SeqCst);
                TURNS.fetch_add(1, SeqCst);
            });
        }
    });
}

/// Ends the process if another thread gets the lock while this value lives.
pub struct LockMonitor(u64);

impl LockMonitor {
    /// Waits until the other thread has requested the lock.
    pub fn begin() -> Self {
        if RUNS.load(SeqCst) {
            while !WAITS.load(SeqCst) {
                thread::yield_now();
            }
            thread::sleep(ASKING);
        }
        Self(TURNS.load(SeqCst))
    }
}

impl Drop for LockMonitor {
    fn drop(&mut self) {
        if TURNS.load(SeqCst) != self.0 {
            eprintln!("another thread had the interpreter's lock\n{}", Backtrace::force_capture());
            std::process::abort();
        }
    }
}
