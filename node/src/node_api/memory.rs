//! Access to JavaScript's memory while no JavaScript runs.

use std::ffi::c_void;
use std::ptr;

use napi::sys;

use super::{Handle, JsCall};

impl JsCall<'_> {
    /// Lends the bytes of a `Uint8Array` to `look`. Returns `None` for another value, and for shared memory.
    pub fn with_bytes<R>(&mut self, value: Handle<'_>, look: impl FnOnce(&[u8]) -> R) -> Option<R> {
        let (data, length) = self.own_array(value, sys::TypedarrayType::uint8_array)?;
        // SAFETY: Node-API says where the bytes are and how many. Only JavaScript could change or detach them, and it needs the
        // call, which is borrowed until `look` is over.
        let bytes: &[u8] =
            if length == 0 { &[] } else { unsafe { std::slice::from_raw_parts(data.cast(), length) } };
        Some(look(bytes))
    }

    /// Lends the bytes of a `Uint8Array` to `fill`. Returns `None` for another value, an empty array, and shared memory.
    pub fn fill_bytes<R>(&mut self, value: Handle<'_>, fill: impl FnOnce(&mut [u8]) -> R) -> Option<R> {
        let (data, length) = self.own_array(value, sys::TypedarrayType::uint8_array)?;
        // SAFETY: as above; what else borrows JavaScript's memory would need the call too.
        (length > 0).then(|| fill(unsafe { std::slice::from_raw_parts_mut(data.cast(), length) }))
    }

    /// Lends the words of a `Uint32Array` to `fill`. Returns `None` for another value, an empty array, and shared memory.
    pub fn with_words<R>(&mut self, value: Handle<'_>, fill: impl FnOnce(&mut [u32]) -> R) -> Option<R> {
        let (data, length) = self.own_array(value, sys::TypedarrayType::uint32_array)?;
        // SAFETY: as above; typed arrays are aligned to their elements.
        (length > 0).then(|| fill(unsafe { std::slice::from_raw_parts_mut(data.cast(), length) }))
    }

    /// Returns the address and length of a typed array of this kind. Returns `None` for another value, and for shared memory.
    fn own_array(
        &self,
        value: Handle<'_>,
        expected: sys::napi_typedarray_type,
    ) -> Option<(*mut c_void, usize)> {
        let (mut kind, mut length, mut data, offset) = (-1, 0, ptr::null_mut(), ptr::null_mut());
        let (mut buffer, mut is_own) = (ptr::null_mut(), false);
        // SAFETY: the value is of the running call; one that is no typed array gives an error status.
        let status = unsafe {
            sys::napi_get_typedarray_info(
                self.env,
                value.value,
                &raw mut kind,
                &raw mut length,
                &raw mut data,
                &raw mut buffer,
                offset,
            )
        };
        if status != sys::Status::napi_ok || kind != expected {
            return None;
        }
        // SAFETY: the buffer is of the running call; memory that threads share is no array buffer to Node-API.
        let status = unsafe { sys::napi_is_arraybuffer(self.env, buffer, &raw mut is_own) };
        (status == sys::Status::napi_ok && is_own).then_some((data, length))
    }
}
