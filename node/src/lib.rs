//! The Node face: conversion between core and JavaScript values, nothing else.

use napi_derive::napi;

/// The protocol version this module speaks.
#[napi(catch_unwind)]
pub fn protocol_version() -> &'static str {
    ag_ui_native::PROTOCOL_VERSION
}
