//! Validation: one walk over a document and its type's description, for every holder and every builder.

mod build;
mod cursor;
mod describe;
mod direct;
mod exceptions;
mod fast_path;
mod nothing;
mod numbers;
mod object;
mod single_pass;
mod typed;
mod validator;
mod value;

pub use build::Build;
pub use cursor::FreeText;
pub use direct::{Direct, DirectReader};
pub use fast_path::PlainEvent;
pub use nothing::Nothing;
pub(crate) use object::MAX_FIELDS;
pub(crate) use single_pass::SinglePassBuild;
pub use typed::TypedBuild;
pub(crate) use typed::records;
pub use validator::{EventVerdict, Validator};
