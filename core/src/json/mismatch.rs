//! The mismatch between a value and a type of the program.

use std::fmt::{self, Display};

use serde::de::{self, Expected, Unexpected};
use serde::ser;

use crate::error::{Code, Error, push_token};

/// The reason why a value does not fit a type, or a type has no JSON form. It names the expected
/// type and never quotes the value.
#[derive(Debug)]
pub(super) struct Mismatch {
    code: Code,
    path: String,
    detail: String,
}

impl Mismatch {
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, path: String::new(), detail: detail.into() }
    }

    /// Returns the same mismatch, inside the member or item `token`.
    pub fn within(mut self, token: &str) -> Self {
        let inner = std::mem::take(&mut self.path);
        push_token(&mut self.path, token);
        self.path.push_str(&inner);
        self
    }
}

impl From<Mismatch> for Error {
    fn from(Mismatch { code, path, detail }: Mismatch) -> Self {
        Self::at(code, path, detail)
    }
}

impl de::Error for Mismatch {
    /// Drops the message of a type, since it may quote the value.
    fn custom<T: Display>(_message: T) -> Self {
        Self::new(Code::WrongType, "")
    }

    fn invalid_type(_found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(Code::WrongType, format!("expected {expected}"))
    }

    fn invalid_value(_found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(Code::InvalidValue, format!("expected {expected}"))
    }

    fn invalid_length(_length: usize, expected: &dyn Expected) -> Self {
        Self::new(Code::WrongType, format!("expected {expected}"))
    }

    fn unknown_variant(_found: &str, expected: &'static [&'static str]) -> Self {
        Self::new(Code::InvalidValue, format!("expected {}", expected.join(", ")))
    }

    fn unknown_field(_found: &str, expected: &'static [&'static str]) -> Self {
        Self::new(Code::UnknownField, format!("expected {}", expected.join(", ")))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(Code::MissingField, "").within(field)
    }
}

impl ser::Error for Mismatch {
    fn custom<T: Display>(_message: T) -> Self {
        Self::new(Code::WrongType, "")
    }
}

impl Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code.as_str())
    }
}

impl std::error::Error for Mismatch {}
