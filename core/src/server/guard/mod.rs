//! The guard of another producer's events, as events or encoded.

mod events;
mod frames;

pub use events::{Guard, GuardMode, Guarded};
pub use frames::FrameGuard;
