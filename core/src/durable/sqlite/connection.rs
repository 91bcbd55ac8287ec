//! The connections of a store.

use std::sync::{Arc, Mutex, PoisonError, TryLockError};

use rusqlite::Connection;

use super::failure::unavailable;
use super::forks::using;
use crate::error::Error;

/// A connection that its thread uses, or a child that closes it after a fork.
#[derive(Clone)]
pub struct SharedConnection(Arc<Mutex<Option<Connection>>>);

impl SharedConnection {
    pub fn new(connection: Connection) -> Self {
        Self(Arc::new(Mutex::new(Some(connection))))
    }

    /// Gives the connection, unless it is closed.
    pub fn with<T>(&self, work: impl FnOnce(&mut Connection) -> T) -> Option<T> {
        let _using = using();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).as_mut().map(work)
    }

    pub fn close(&self) {
        let _using = using();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Closes the connection in a child, after a fork. It fails if its thread has used it at that moment.
    ///
    /// SQLite must not find it open: it takes the locks of the parent's connections for its own.
    pub fn close_after_fork(&self) -> Result<(), Error> {
        match self.0.try_lock() {
            Ok(mut connection) => drop(connection.take()),
            Err(TryLockError::Poisoned(poisoned)) => drop(poisoned.into_inner().take()),
            Err(TryLockError::WouldBlock) => {
                let detail = "the process was forked while its parent used the file; open it after the fork";
                return Err(unavailable(detail));
            }
        }
        Ok(())
    }
}
