//! Tools that the client answers itself: their functions, arguments and answers.

pub(super) mod answer;
pub(super) mod arguments;
pub(super) mod filter;
#[cfg(feature = "client")]
pub(super) mod partial_arguments;
pub(super) mod schema;
#[cfg(feature = "client")]
pub(super) mod tool_set;
