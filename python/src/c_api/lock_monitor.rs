//! The build that notices: a thread counts how often it gets the interpreter's lock. While an [`Exclusive`](super::Exclusive) lives it
//! must not get it, for what containers lend may go then.

use std::backtrace::Backtrace;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

/// How often the thread has had the lock.
static TURNS: AtomicU64 = AtomicU64::new(0);
/// Whether there is such a thread, and whether it waits for the lock.
static RUNS: AtomicBool = AtomicBool::new(false);
static WAITS: AtomicBool = AtomicBool::new(false);
/// A thread that waits as long (`sys.setswitchinterval`) asks for the lock; who gives it up then waits until the other has had it.
const ASKING: Duration = Duration::from_micros(300);

/// Starts the thread, which ends with the process. `os._exit` has to end that: the thread does not wait for the interpreter's end.
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

/// Ends the process if another thread has the lock between its beginning and its end.
pub struct LockMonitor(u64);

impl LockMonitor {
    /// The other thread waits for the lock by now, and has asked for it.
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
