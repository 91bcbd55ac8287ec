//! The protocol classes: pydantic models with a native engine under them.
//!
//! [`metaclass`] gives a class space for a plan and a constructor, [`plan`] says what is known of a class, [`registry`] has all
//! plans. A [`call`] of a class [`construct`]s an [`instance`], [`build`] makes one of a document of [`documents`], [`encode`]
//! writes one, and [`json`] has the methods that do so. [`engine`] starts it all.

pub mod build;
mod call;
mod construct;
pub mod documents;
pub mod encode;
pub mod engine;
pub mod instance;
mod json;
pub mod metaclass;
pub mod method;
pub mod official;
pub mod package;
pub mod plan;
pub mod registry;
