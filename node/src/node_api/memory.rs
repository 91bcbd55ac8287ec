//! JavaScript's memory, while no JavaScript runs.

use std::ffi::c_void;
use std::ptr;

use napi::sys;

use super::{Call, Handle};

impl Call<'_> {
    /// Shows the bytes of a `Uint8Array`. Nothing if it is none, or if other threads may write to it.
    pub fn with_bytes<R>(&mut self, value: Handle<'_>, look: impl FnOnce(&[u8]) -> R) -> Option<R> {
        let (mut buffer, mut is_own) = (ptr::null_mut(), false);
        let (kind, data, length) = self.typed_array(value, &raw mut buffer)?;
        // SAFETY: the buffer is of the running call; memory that threads share is no array buffer to Node-API.
        unsafe { sys::napi_is_arraybuffer(self.env, buffer, &raw mut is_own) };
        if kind != sys::TypedarrayType::uint8_array || !is_own {
            return None;
        }
        // SAFETY: Node-API says where the bytes are and how many. Only JavaScript could change or detach them, and it needs the
        // call, which is borrowed until `look` is over.
        let bytes: &[u8] =
            if length == 0 { &[] } else { unsafe { std::slice::from_raw_parts(data.cast(), length) } };
        Some(look(bytes))
    }

    /// Has the bytes of a `Uint8Array` filled. Nothing if it is none, or empty, or if other threads may read it.
    pub fn fill_bytes<R>(&mut self, value: Handle<'_>, fill: impl FnOnce(&mut [u8]) -> R) -> Option<R> {
        let (mut buffer, mut is_own) = (ptr::null_mut(), false);
        let (kind, data, length) = self.typed_array(value, &raw mut buffer)?;
        // SAFETY: as above.
        unsafe { sys::napi_is_arraybuffer(self.env, buffer, &raw mut is_own) };
        if kind != sys::TypedarrayType::uint8_array || !is_own || length == 0 {
            return None;
        }
        // SAFETY: as above; what else borrows JavaScript's memory would need the call too.
        Some(fill(unsafe { std::slice::from_raw_parts_mut(data.cast(), length) }))
    }

    /// Has the words of a `Uint32Array` filled. Nothing if it is none or empty.
    pub fn with_words<R>(&mut self, value: Handle<'_>, fill: impl FnOnce(&mut [u32]) -> R) -> Option<R> {
        let (kind, data, length) = self.typed_array(value, ptr::null_mut())?;
        if kind != sys::TypedarrayType::uint32_array || length == 0 {
            return None;
        }
        // SAFETY: as above; typed arrays are aligned to their elements, and what else borrows JavaScript's memory would need the
        // call too.
        Some(fill(unsafe { std::slice::from_raw_parts_mut(data.cast(), length) }))
    }

    /// Kind, place and length of a typed array, and its buffer if that is asked for.
    fn typed_array(
        &self,
        value: Handle<'_>,
        buffer: *mut sys::napi_value,
    ) -> Option<(sys::napi_typedarray_type, *mut c_void, usize)> {
        let (mut kind, mut length, mut data, offset) = (-1, 0, ptr::null_mut(), ptr::null_mut());
        // SAFETY: the value is of the running call; one that is no typed array gives an error status.
        let status = unsafe {
            sys::napi_get_typedarray_info(
                self.env,
                value.value,
                &raw mut kind,
                &raw mut length,
                &raw mut data,
                buffer,
                offset,
            )
        };
        (status == sys::Status::napi_ok).then_some((kind, data, length))
    }
}
