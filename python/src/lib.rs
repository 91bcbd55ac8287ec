//! The Python face: conversion between core and Python objects, nothing else.

use pyo3::prelude::*;

/// The native part of `ag_ui_native`.
#[pymodule]
mod _native {
    #[pymodule_export]
    const PROTOCOL_VERSION: &str = ag_ui_native::PROTOCOL_VERSION;
}
