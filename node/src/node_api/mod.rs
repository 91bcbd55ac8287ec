//! Safe functions over Node-API. The glue that napi generates around a method would cost as much as decoding an event. Only this module of
//! the binding has unsafe code.
//!
//! Functions that run JavaScript borrow the [`JsCall`] mutably, and so do functions that borrow JavaScript's memory: so the two never
//! overlap. A value lives as long as its call, by its lifetime.
#![allow(unsafe_code)] // Node-API is a C interface. Each block says why it holds.

mod call;
mod function;
mod memory;
mod text;

pub use call::{Handle, JsCall, Reference};
pub use function::function;
