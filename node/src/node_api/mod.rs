//! Node-API behind safe functions: the glue that napi generates around a method would cost as much as decoding an event.
//! Only here the face has unsafe code.
//!
//! Whatever lets JavaScript run needs the [`Call`] for itself, and so does whatever borrows JavaScript's memory: neither happens
//! during the other. A value lives as long as its call, which its lifetime says.
#![allow(unsafe_code)] // Node-API is a C interface. Each block says why it holds.

mod call;
mod function;
mod memory;
mod text;

pub use call::{Call, Handle, Reference};
pub use function::function;
