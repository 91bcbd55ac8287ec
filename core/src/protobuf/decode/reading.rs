//! The state of reading a message, and its errors.

use std::cell::Cell;

use crate::error::{Code, Error, Issue};
use crate::json::Writer;
use crate::path::Path;
use crate::protobuf::wire::Malformed;

/// The result of reading.
pub(super) type Result<T> = std::result::Result<T, Error>;

/// One message being read.
pub(super) struct Reading<'m, 'r> {
    pub(super) message: &'m [u8],
    pub(super) json: &'r mut Writer,
    pub(super) issues: &'r mut Vec<Issue>,
    pub(super) options: DecodingOptions,
    /// Number of bytes that may still be copied to merge messages that come in parts.
    pub(super) room: Cell<usize>,
}

/// DecodingOptions of reading.
#[derive(Clone, Copy, Debug)]
pub(super) struct DecodingOptions {
    pub(super) depth: usize,
    pub(super) replace_invalid_text: bool,
}

impl Reading<'_, '_> {
    pub(super) fn key(&mut self, key: &str) {
        self.comma();
        self.json.out.push_str(key);
    }

    pub(super) fn key_of(&mut self, name: &str) {
        self.comma();
        self.json.text(name);
        self.json.out.push(':');
    }

    pub(super) fn comma(&mut self) {
        if !self.json.out.ends_with('{') {
            self.json.out.push(',');
        }
    }

    #[cold]
    pub(super) fn malformed(&self, bytes: &[u8], malformed: Malformed, path: &Path<'_>) -> Error {
        let offset = self.offset_of(bytes).map(|start| start + bytes.len() - malformed.left);
        let at = offset.map_or_else(String::new, |offset| format!(" at byte {offset}"));
        let detail = format!("{}{at}", malformed.what);
        Error { offset, ..Error::at(Code::InvalidProtobuf, path.pointer(), detail) }
    }

    /// Returns the offset of `bytes` in the message, unless they were merged from several places.
    pub(super) fn offset_of(&self, bytes: &[u8]) -> Option<usize> {
        let offset = bytes.as_ptr().addr().checked_sub(self.message.as_ptr().addr())?;
        (offset + bytes.len() <= self.message.len()).then_some(offset)
    }
}

#[cold]
pub(super) fn invalid(path: &Path<'_>, what: &str) -> Error {
    Error::at(Code::InvalidProtobuf, path.pointer(), what)
}
