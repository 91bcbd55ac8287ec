//! JSON Patch (RFC 6902): applied as a whole or not at all, and its inverse.
//!
//! ```
//! use ag_ui_native::{Limits, Object, Value, patch};
//!
//! let before = Value::from(Object::from([("steps", vec!["look"])]));
//! let after = Value::from(Object::from([("steps", vec!["look", "leap"])]));
//! let operations = patch::diff(&before, &after);
//! assert_eq!(ag_ui_native::to_json(&operations), r#"[{"op":"add","path":"/steps/1","value":"leap"}]"#);
//!
//! let mut document = before;
//! patch::apply(&mut document, &operations, &Limits::default())?;
//! assert_eq!(document, after);
//! # Ok::<(), ag_ui_native::Error>(())
//! ```
// The algorithms are generic: `apply_to` runs on any `Holder`, `changes` on any `Input`; `apply` and `diff` are their forms for
// core's own tree.

mod apply;
mod diff;
mod holder;
mod operation;
mod scalar_patch;
mod value;

pub use apply::apply;
#[doc(hidden)]
pub use apply::{apply_and, apply_to};
pub use diff::diff;
#[doc(hidden)]
pub use diff::{Edit, Place, changes, changes_at, equal_values, json};
pub(crate) use diff::{is_within, operations};
#[doc(hidden)]
pub use holder::{Budget, Holder, Key, Purpose, Removed, Shape};
#[doc(hidden)]
pub use operation::{Action, Operation, Token};
#[doc(hidden)]
pub use scalar_patch::{MAX_SCALAR_PARTS, MAX_SCALAR_SHIFTS, ScalarEdit, scalar_edits};
#[doc(hidden)]
pub use value::InPlace;
