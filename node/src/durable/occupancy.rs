//! The runs and the readers of a process, which are counted by scope.

use ag_ui_native::bindings::durable::{Occupancy, Place};
use napi::{Error, Result};
use napi_derive::napi;

/// Counts the runs and the readers of each scope in this process.
#[napi]
#[derive(Debug, Default)]
pub struct LogOccupancy {
    pub(super) occupancy: Occupancy,
}

/// A reader that is counted until this is released, or its stream is over.
#[napi]
#[derive(Debug)]
pub struct LogPlace {
    pub(super) place: Option<Place>,
}

#[napi]
impl LogOccupancy {
    /// Counts nothing yet.
    #[napi(constructor, catch_unwind)]
    #[allow(clippy::new_without_default)] // JavaScript calls it.
    pub fn new() -> Self {
        Self::default()
    }

    /// The process shuts down: it starts no more runs.
    #[napi(catch_unwind)]
    pub fn drain(&self) {
        self.occupancy.drain();
    }
}

#[napi]
impl LogPlace {
    /// The reader counts no longer.
    #[napi(catch_unwind)]
    pub fn release(&mut self) {
        self.place = None;
    }
}

impl LogPlace {
    /// The place, once.
    pub(super) fn take(&mut self) -> Result<Place> {
        self.place
            .take()
            .ok_or_else(|| Error::from_reason("the place belongs to another stream, or is released"))
    }
}
