//! The protocol classes: pydantic models with a native engine under them.
//!
//! [`metaclass`] gives a class room for a plan and a constructor. A [`plan`] holds the data of a class, with the [`names`] of its
//! members, and the [`registry`] holds all plans. The [`slots`] of pydantic's models are found once. A [`call`] of a class [`construct`]s an [`instance`], [`build`] makes one from a document of [`documents`], [`encode`] writes
//! one, copying its [`written_keys`], and [`json`] has the methods for both. [`validate`] makes one from a dictionary; it and [`json`] have [`class_method`]s. A [`handler`] shows whether
//! a validation has options; a [`union`] has a validator of its own. [`dump`]
//! makes dictionaries, [`compare`] compares two instances, [`copy`] copies one, [`deepcopy`] with all that it holds, and [`methods`] has the
//! methods for these. Each [`method`] leaves the unusual to those of [`pydantic`], dumps to its [`serializer`]. [`engine`] starts
//! all of this.

pub mod build;
mod call;
mod class_method;
mod compare;
mod construct;
pub mod copy;
mod deepcopy;
pub mod documents;
mod dump;
pub mod encode;
pub mod engine;
pub mod handler;
pub mod instance;
mod json;
pub mod metaclass;
pub mod method;
mod methods;
mod names;
pub mod official;
pub mod package;
pub mod plan;
mod pydantic;
pub mod registry;
mod serializer;
mod slots;
pub mod union;
pub mod validate;
mod written_keys;
