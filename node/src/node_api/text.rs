//! Strings.

use std::ptr;

use napi::sys;

use super::{Handle, JsCall};

/// The size of the buffer for most texts.
const SMALL: usize = 1024;
/// The longest character in UTF-8, and the zero after it.
const MAX_CHARACTER: usize = 5;

impl<'c> JsCall<'c> {
    /// Reads a string as UTF-8 into `text`, from `start` on. Returns its length; `None` if it is no string.
    pub fn text_into(&self, value: Handle<'_>, text: &mut Vec<u8>, start: usize) -> Option<usize> {
        // Most texts fit into the buffer of the last one, so their length is not asked for.
        if text.len() < start + SMALL {
            text.resize(start + SMALL, 0);
        }
        let mut length = self.fill(value, &mut text[start..])?;
        // Node-API writes whole characters, and a zero after them.
        if start + length + MAX_CHARACTER >= text.len() {
            // SAFETY: the value is a string of the running call. Without a buffer Node-API says how long it is.
            unsafe {
                sys::napi_get_value_string_utf8(self.env, value.value, ptr::null_mut(), 0, &raw mut length)
            };
            text.resize(start + length + MAX_CHARACTER + 1, 0);
            length = self.fill(value, &mut text[start..])?;
        }
        Some(length)
    }

    /// Returns the text of a string. `room` is the buffer for reading it.
    pub fn text(&self, value: Handle<'_>, room: &mut Vec<u8>) -> Option<String> {
        let length = self.text_into(value, room, 0)?;
        String::from_utf8(room[..length].to_vec()).ok()
    }

    /// Writes as much of a string as fits. Returns the written length; `None` if it is no string.
    fn fill(&self, value: Handle<'_>, text: &mut [u8]) -> Option<usize> {
        let (room, mut length) = (text.as_mut_ptr().cast(), 0);
        // SAFETY: the value is of the running call, and the buffer has as many bytes as it is said to have; a value that is no
        // string gives an error status.
        let status = unsafe {
            sys::napi_get_value_string_utf8(self.env, value.value, room, text.len(), &raw mut length)
        };
        (status == sys::Status::napi_ok).then_some(length)
    }

    /// Makes a string. Returns `None` if it is longer than a string of JavaScript can be.
    pub fn string(&self, text: &str) -> Option<Handle<'c>> {
        let mut value = ptr::null_mut();
        // SAFETY: the environment is that of the running call; the pointer is valid for its length.
        unsafe {
            sys::napi_create_string_utf8(self.env, text.as_ptr().cast(), length(text.len()), &raw mut value)
        };
        made(value)
    }

    /// Makes a string from Latin-1.
    pub fn latin1(&self, text: &[u8]) -> Option<Handle<'c>> {
        let mut value = ptr::null_mut();
        // SAFETY: as above.
        unsafe {
            sys::napi_create_string_latin1(self.env, text.as_ptr().cast(), length(text.len()), &raw mut value)
        };
        made(value)
    }

    /// Makes a string from UTF-16.
    pub fn utf16(&self, text: &[u16]) -> Option<Handle<'c>> {
        let mut value = ptr::null_mut();
        // SAFETY: as above.
        unsafe { sys::napi_create_string_utf16(self.env, text.as_ptr(), length(text.len()), &raw mut value) };
        made(value)
    }
}

fn made<'c>(value: sys::napi_value) -> Option<Handle<'c>> {
    (!value.is_null()).then(|| Handle::new(value))
}

/// Converts a length to `isize`, as Node-API takes it; no Rust value is longer.
fn length(length: usize) -> isize {
    isize::try_from(length).unwrap_or(isize::MAX)
}
