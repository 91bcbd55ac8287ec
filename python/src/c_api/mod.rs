//! Safe functions over Python's C API: values are read without touching their reference counts.
//!
//! pyo3's safe views count references at every step. Under the stable ABI each of those is a call, and encoding 100
//! messages takes twice as long. Objects lent by a container stay alive while no Python code runs. [`Exclusive`]
//! ensures that, and lends nothing for longer. Code that may hash, compare or call anything owns its objects.
#![allow(unsafe_code)] // Each block has a SAFETY comment.

mod call;
mod container;
mod exclusive;
mod lent;
#[cfg(feature = "watched")]
pub mod lock_monitor;
mod number;
mod text;

pub use call::call;
pub use container::{get, len, remove_item, set};
pub use exclusive::{Exclusive, Items, Members, NoMemory};
pub use lent::{Lent, Obj, Owned, Plain, class_of, plain};
pub use number::{MAX_DIGITS, decimal, digits, float, int, int64, is_true};
pub use text::{append, class_name, same_text, string, text, utf8};
