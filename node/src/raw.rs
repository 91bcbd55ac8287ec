//! The hot function, written against Node-API itself: the generated glue around a method would cost as much as
//! decoding an event. All unsafe code of the face is here.
#![allow(unsafe_code)] // Node-API is a C interface. Each block says why it holds.

use std::cell::RefCell;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use ag_ui_native::error::{Code, Error};
use napi::bindgen_prelude::{FromNapiValue, Unknown};
use napi::{Env, Error as NapiError, Result, Status, sys};

use crate::problems;
use crate::stream::Decoder;

/// The decoder's state belongs to its function; no call of it can happen within another.
type State = RefCell<Decoder>;

/// What JavaScript asks for: see `Ask` in `lib/native.cts`.
const CLOSE: u32 = 0;
const AGAIN: u32 = 1;
const ERROR: u32 = 2;
const WARNINGS: u32 = 3;
/// For the test that a panic stays inside.
const PANIC: u32 = u32::MAX;

/// Bits of `marks[0]`: see `lib/tape.cts`.
const FAILED: u32 = 1;
const WARNED: u32 = 2;
const SHORT: u32 = 4;

/// The function that feeds `decoder`: `(chunk or request, marks) => text`.
pub fn decoder_function(env: Env, decoder: Decoder) -> Result<Unknown<'static>> {
    let state: *mut State = Box::into_raw(Box::new(RefCell::new(decoder)));
    let mut function = ptr::null_mut();
    // SAFETY: `env` is the environment of the running call. The state lives until the function is collected: `free`
    // is registered right below, and if that fails the state is freed here and the function never handed out.
    unsafe {
        let name = c"feed";
        let status = sys::napi_create_function(
            env.raw(),
            name.as_ptr(),
            -1,
            Some(feed),
            state.cast::<c_void>(),
            &raw mut function,
        );
        let status = if status == sys::Status::napi_ok {
            let nothing = ptr::null_mut();
            sys::napi_add_finalizer(env.raw(), function, state.cast(), Some(free), nothing, ptr::null_mut())
        } else {
            status
        };
        if status != sys::Status::napi_ok {
            drop(Box::from_raw(state));
            return Err(NapiError::new(Status::GenericFailure, "the decoder could not be made"));
        }
        Unknown::from_napi_value(env.raw(), function)
    }
}

/// A string as a JavaScript value.
pub fn text(env: Env, text: &str) -> Result<Unknown<'static>> {
    // SAFETY: `env` is the environment of the running call, and the value was just made in it.
    unsafe { Unknown::from_napi_value(env.raw(), string(env.raw(), text)) }
}

unsafe extern "C" fn free(_: sys::napi_env, state: *mut c_void, _: *mut c_void) {
    // SAFETY: made by `Box::into_raw` in `decoder_function`; Node-API calls a finalizer once, when nobody can call
    // the function any more.
    drop(unsafe { Box::from_raw(state.cast::<State>()) });
}

unsafe extern "C" fn feed(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let mut count = 2;
    let mut arguments = [ptr::null_mut(); 2];
    let mut state = ptr::null_mut();
    // SAFETY: `env` and `info` are those of the running call; the array has room for `count` values.
    unsafe {
        sys::napi_get_cb_info(
            env,
            info,
            &raw mut count,
            arguments.as_mut_ptr(),
            ptr::null_mut(),
            &raw mut state,
        );
    }
    // SAFETY: the function was made with a `State` as its data, which lives as long as the function.
    let state = unsafe { &*state.cast::<State>() };
    let call = || {
        let Ok(mut decoder) = state.try_borrow_mut() else { return ptr::null_mut() };
        // SAFETY: the values are arguments of the running call.
        unsafe { answer(env, &mut decoder, arguments[0], arguments[1]) }
    };
    // A panic must not cross into C. It is reported as a failure of the stream.
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| {
        if let Ok(mut decoder) = state.try_borrow_mut() {
            decoder.fail(Error::new(Code::Internal, "panic"));
            // SAFETY: as above.
            return unsafe { deliver(env, &decoder, arguments[1]) };
        }
        ptr::null_mut()
    })
}

/// # Safety
/// `env`, `input` and `marks` must be of the running call.
unsafe fn answer(
    env: sys::napi_env,
    decoder: &mut Decoder,
    input: sys::napi_value,
    marks: sys::napi_value,
) -> sys::napi_value {
    // SAFETY: by the caller. The bytes are read before control returns to JavaScript, which alone could change or
    // detach them; memory that threads share is refused, and copied by `lib/stream.cts`.
    if let Some(chunk) = unsafe { bytes(env, input) } {
        decoder.read(Some(chunk));
        // SAFETY: by the caller.
        return unsafe { deliver(env, decoder, marks) };
    }
    let mut request = 0;
    // SAFETY: by the caller; a value that is no number gives an error status.
    if unsafe { sys::napi_get_value_uint32(env, input, &raw mut request) } != sys::Status::napi_ok {
        return ptr::null_mut();
    }
    match request {
        PANIC => panic!("asked for"),
        // SAFETY: by the caller.
        ERROR => unsafe { string(env, &decoder.error.as_ref().map(problems::describe).unwrap_or_default()) },
        // SAFETY: by the caller.
        WARNINGS => unsafe { string(env, &decoder.take_warnings()) },
        CLOSE | AGAIN => {
            if request == CLOSE {
                decoder.read(None);
            }
            // SAFETY: by the caller.
            unsafe { deliver(env, decoder, marks) }
        }
        // SAFETY: by the caller.
        _ => unsafe { string(env, &decoder.resume()) },
    }
}

/// Hands the tape over: the marks into the caller's array, the text as the result.
///
/// # Safety
/// `env` and `marks` must be of the running call.
unsafe fn deliver(env: sys::napi_env, decoder: &Decoder, marks: sys::napi_value) -> sys::napi_value {
    let tape = &decoder.tape;
    // SAFETY: by the caller. JavaScript does not run while the slice is alive.
    let Some(place) = (unsafe { words(env, marks) }) else { return ptr::null_mut() };
    let [status, length, rest @ ..] = place else { return ptr::null_mut() };
    *status =
        if decoder.error.is_some() { FAILED } else { 0 } | if decoder.has_warnings() { WARNED } else { 0 };
    *length = u32::try_from(tape.marks.len()).unwrap_or(u32::MAX);
    let Some(rest) = rest.get_mut(..tape.marks.len()) else {
        *status |= SHORT;
        // SAFETY: by the caller.
        return unsafe { string(env, "") };
    };
    rest.copy_from_slice(&tape.marks);
    let mut value = ptr::null_mut();
    if tape.wide.is_empty() {
        // SAFETY: the text is ASCII, which is Latin-1, and the pointer is valid for its length.
        unsafe {
            sys::napi_create_string_latin1(
                env,
                tape.text.as_ptr().cast(),
                length_of(tape.text.len()),
                &raw mut value,
            );
        }
    } else {
        // SAFETY: the pointer is valid for its length.
        unsafe {
            sys::napi_create_string_utf16(
                env,
                tape.wide.as_ptr(),
                length_of(tape.wide.len()),
                &raw mut value,
            );
        }
    }
    value
}

/// # Safety
/// `env` must be of the running call.
unsafe fn string(env: sys::napi_env, text: &str) -> sys::napi_value {
    let mut value = ptr::null_mut();
    // SAFETY: by the caller; the pointer is valid for its length.
    unsafe { sys::napi_create_string_utf8(env, text.as_ptr().cast(), length_of(text.len()), &raw mut value) };
    value
}

/// Node-API takes lengths as `isize`; no Rust value is longer.
fn length_of(length: usize) -> isize {
    isize::try_from(length).unwrap_or(isize::MAX)
}

/// The bytes of a typed array.
///
/// # Safety
/// `env` and `value` must be of the running call, and JavaScript must not run while the slice is alive.
unsafe fn bytes<'a>(env: sys::napi_env, value: sys::napi_value) -> Option<&'a [u8]> {
    let (mut buffer, mut own) = (ptr::null_mut(), false);
    // SAFETY: by the caller.
    let (kind, data, length) = unsafe { typed_array(env, value, &raw mut buffer) }?;
    // SAFETY: by the caller; memory that threads share is no array buffer to Node-API.
    unsafe { sys::napi_is_arraybuffer(env, buffer, &raw mut own) };
    if kind != sys::TypedarrayType::uint8_array || !own {
        return None;
    }
    // SAFETY: Node-API says where the bytes are and how many; they are not written to while the slice is alive.
    Some(if length == 0 { &[] } else { unsafe { std::slice::from_raw_parts(data.cast(), length) } })
}

/// The words of a `Uint32Array`, to be filled.
///
/// # Safety
/// As [`bytes`], and no other reference to the same memory may be alive.
unsafe fn words<'a>(env: sys::napi_env, value: sys::napi_value) -> Option<&'a mut [u32]> {
    // SAFETY: by the caller.
    let (kind, data, length) = unsafe { typed_array(env, value, ptr::null_mut()) }?;
    if kind != sys::TypedarrayType::uint32_array || length == 0 {
        return None;
    }
    // SAFETY: as in `bytes`; typed arrays are aligned to their elements.
    Some(unsafe { std::slice::from_raw_parts_mut(data.cast(), length) })
}

/// Kind, place and length of a typed array, and its buffer.
///
/// # Safety
/// `env` and `value` must be of the running call.
unsafe fn typed_array(
    env: sys::napi_env,
    value: sys::napi_value,
    buffer: *mut sys::napi_value,
) -> Option<(i32, *mut c_void, usize)> {
    let (mut kind, mut length, mut data, offset) = (-1, 0, ptr::null_mut(), ptr::null_mut());
    // SAFETY: by the caller; a value that is no typed array gives an error status.
    let status = unsafe {
        sys::napi_get_typedarray_info(
            env,
            value,
            &raw mut kind,
            &raw mut length,
            &raw mut data,
            buffer,
            offset,
        )
    };
    (status == sys::Status::napi_ok).then_some((kind, data, length))
}
