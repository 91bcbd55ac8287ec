//! JSON Patch (RFC 6902) on documents of any holder, and its inverse.
//!
//! The algorithms are generic: [`apply_to`] runs on whatever implements [`Holder`], [`changes`] on whatever implements
//! [`Input`](crate::json::Input). [`apply`] and [`diff`] are the two for core's own tree.

mod apply;
mod diff;
mod direct;
mod holder;
mod operation;
mod value;

pub use apply::{apply, apply_to};
pub use diff::{Edit, changes, diff};
pub use direct::{Direct, MAX_DIRECT_PARTS, MAX_DIRECT_SHIFTS, direct};
pub use holder::{Access, Holder, Key, Kind, Removed, Room};
pub use operation::{Action, Operation, Step};
pub use value::Tree;
