//! The protocol classes: pydantic models with a native engine under them.
//!
//! [`metaclass`] gives a class room for a plan and a constructor, [`plan`] says what is known of a class, [`registry`] has all
//! plans. A [`call`] of a class [`construct`]s an [`instance`], [`encode`] writes one, and [`json`] has the methods of a class.
//! [`engine`] starts it all.

mod call;
mod construct;
pub mod encode;
pub mod engine;
pub mod instance;
mod json;
pub mod metaclass;
pub mod method;
pub mod package;
pub mod plan;
pub mod registry;
