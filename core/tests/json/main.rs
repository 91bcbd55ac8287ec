//! JSON: values, numbers, text and documents.

#[path = "../support/spelling.rs"]
mod spelling;
#[path = "../support/mod.rs"]
mod support;
#[path = "../support/ways.rs"]
mod ways;

mod direct;
mod documents;
mod fast_paths;
mod handler;
mod json_properties;
mod json_test_suite;
mod limits;
mod lost_numbers;
#[cfg(all(feature = "client", feature = "server"))]
mod not_finite;
mod objects;
mod serde;
#[cfg(feature = "serde_json")]
mod serde_types;
mod strings;
mod utf8;
mod values;
