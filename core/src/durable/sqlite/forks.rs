//! The forks of a process with open files. A child gets a copy of all memory, in which no other thread goes on: what such a
//! thread has begun with a file stays as it is for ever. So no file is used while a process is forked.

use std::cell::Cell;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Held for reading by each use of a file, and for writing during a fork.
static USES: RwLock<()> = RwLock::new(());

thread_local! {
    static HELD: Cell<Option<RwLockWriteGuard<'static, ()>>> = const { Cell::new(None) };
}

/// A use of a file, until the result is dropped. Uses are not nested.
pub fn using() -> RwLockReadGuard<'static, ()> {
    USES.read().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until no thread uses a file; none begins before [`release`], which the same thread calls.
pub fn hold() {
    HELD.set(Some(USES.write().unwrap_or_else(PoisonError::into_inner)));
}

pub fn release() {
    drop(HELD.take());
}
