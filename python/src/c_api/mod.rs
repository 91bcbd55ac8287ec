//! Python's C API behind safe functions: values are read without touching their reference counts.
//!
//! pyo3's safe views count references at every step. Under the stable ABI each of those is a call, and encoding
//! 100 messages takes twice as long. What a container lends stays alive while nothing of Python's runs: [`Still`] sees to
//! that, and lends nothing for longer. Whoever may hash, compare or call anything owns what he holds.
#![allow(unsafe_code)] // Each block says why it holds.

mod call;
mod container;
mod lent;
mod number;
mod still;
mod text;
#[cfg(feature = "watched")]
pub mod watch;

pub use call::call;
pub use container::{copy_dict, get, len, remove_item, set};
pub use lent::{Lent, Obj, Owned, Plain, class_of, plain};
pub use number::{MAX_DIGITS, decimal, digits, float, int, int64, is_true};
pub use still::{Items, Members, NoMemory, Still};
pub use text::{append, class_name, same_text, string, text, utf8};
