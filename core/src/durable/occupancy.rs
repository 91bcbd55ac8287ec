//! The runs that a process executes, and the connections that read there.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::{Code, Error};

/// Counts the runs and the readers of each scope in this process, and knows that the process shuts down. Clones share the counts.
#[derive(Clone, Debug, Default)]
pub struct Occupancy(Arc<Mutex<Counts>>);

#[derive(Debug, Default)]
struct Counts {
    places: HashMap<(Kind, String), usize>,
    is_draining: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Run,
    Reader,
}

/// A run or a reader that is counted, until this is dropped.
#[derive(Debug)]
pub struct Place {
    occupancy: Occupancy,
    of: (Kind, String),
}

impl Occupancy {
    /// Counts a run of this scope. `is_draining` is true if the server that was asked shuts down; others may go on.
    ///
    /// # Errors
    /// `limit_exceeded`: the scope has as many. `server_draining`: the server or the process shuts down.
    pub fn run(&self, scope: &str, most: Option<usize>, is_draining: bool) -> Result<Place, Error> {
        if is_draining || self.is_draining() {
            return Err(Error::new(Code::ServerDraining, ""));
        }
        self.place((Kind::Run, scope.into()), most, "max_active_runs")
    }

    /// Counts a reader of this scope.
    ///
    /// # Errors
    /// `limit_exceeded`: the scope has as many.
    pub fn reader(&self, scope: &str, most: Option<usize>) -> Result<Place, Error> {
        self.place((Kind::Reader, scope.into()), most, "max_readers")
    }

    /// The process shuts down: it starts no more runs.
    pub fn drain(&self) {
        self.counts().is_draining = true;
    }

    /// True if the process shuts down.
    pub fn is_draining(&self) -> bool {
        self.counts().is_draining
    }

    fn place(&self, of: (Kind, String), most: Option<usize>, limit: &'static str) -> Result<Place, Error> {
        let mut counts = self.counts();
        let count = counts.places.get(&of).copied().unwrap_or_default();
        if most.is_some_and(|most| count >= most) {
            return Err(Error::of_limit(limit));
        }
        counts.places.insert(of.clone(), count + 1);
        Ok(Place { occupancy: self.clone(), of })
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// The scope that it counts for.
    pub fn scope(&self) -> &str {
        &self.of.1
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.occupancy.counts();
        if let Some(count) = counts.places.get_mut(&self.of) {
            *count -= 1;
            if *count == 0 {
                counts.places.remove(&self.of);
            }
        }
    }
}
