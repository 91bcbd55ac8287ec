//! The options of a store.

use std::time::Duration;

/// The point at which a write counts as done.
///
/// ```
/// use ag_ui_native::durable::Synchronous;
///
/// assert_eq!(Synchronous::default(), Synchronous::Normal);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Synchronous {
    /// The system has it. It outlives the process; the last moments are lost if the machine loses its power.
    #[default]
    Normal,
    /// The disk has it.
    Full,
}

/// The options of a [`SqliteStore`](super::SqliteStore).
///
/// ```
/// use ag_ui_native::durable::{SqliteOptions, Synchronous};
///
/// let options = SqliteOptions { synchronous: Synchronous::Full, ..SqliteOptions::default() };
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SqliteOptions {
    /// The point at which a write counts as done.
    pub synchronous: Synchronous,
    /// The longest time to wait for a write of another process.
    pub busy_timeout: Duration,
    /// The largest size of the file, without the files beside it. What exceeds it fails.
    pub max_bytes: Option<u64>,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self { synchronous: Synchronous::default(), busy_timeout: Duration::from_secs(2), max_bytes: None }
    }
}
