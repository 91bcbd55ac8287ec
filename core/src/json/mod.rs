//! JSON: the tree of free-form values, the parser, and the writer. The parser keeps every number
//! exactly.

mod assemble;
mod count;
mod from_value;
mod input;
mod member_map;
mod mismatch;
mod number;
mod partial;
mod raw;
mod scan;
mod serde;
#[cfg(feature = "serde_json")]
mod serde_json;
mod tape;
mod text;
mod to_value;
mod value;
mod writer;

pub use assemble::Assemble;
pub(crate) use assemble::NoValue;
pub(crate) use count::has_more_values;
pub(crate) use from_value::from_value;
pub use input::{Input, View};
pub(crate) use number::NO_NUMBER;
pub use number::{BEYOND_DOUBLES, MAX_SAFE_INTEGER, Number, NumberStyle};
pub use partial::{Grow, Growth, PartialJson, PartialParser};
pub use raw::{RawObject, RawValue};
pub(crate) use scan::Scanner;
pub use tape::{Node, ParseOptions, Syntax, Tape};
pub(crate) use text::{plain_len, unescaped, write as write_text};
pub use value::{Object, Tree, Value};
pub(crate) use writer::NotFinite;
pub use writer::{ListWriter, ObjectWriter, Writer};
