//! The hot function, written against Node-API itself: the generated glue around a method would cost as much as
//! decoding an event. All unsafe code of the face is here.
#![allow(unsafe_code)] // Node-API is a C interface. Each block says why it holds.

use std::cell::RefCell;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use ag_ui_native::{Code, Error};
use napi::bindgen_prelude::{FromNapiValue, Unknown};
use napi::{Env, Error as NapiError, Result, Status, sys};

use crate::border::{Ask, FAILED, SHORT, STRINGS, WARNED};
use crate::engine::Engine;
use crate::problems;
use crate::tape::{Tape, to_u32};

/// The engine belongs to its function; no call of it can happen within another.
type State = RefCell<Machine>;

/// An engine, and room for the text that it is to read.
struct Machine {
    engine: Box<dyn Engine>,
    text: Vec<u8>,
}

/// No event has more required members.
const MAX_STRINGS: usize = 3;
/// For the test that a panic stays inside.
const PANIC: u32 = u32::MAX;

/// The function that runs `engine`: `(input or request, marks, extra) => text`.
pub fn engine_function(env: Env, engine: Box<dyn Engine>) -> Result<Unknown<'static>> {
    let machine = Machine { engine, text: Vec::new() };
    let state: *mut State = Box::into_raw(Box::new(RefCell::new(machine)));
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
            return Err(NapiError::new(Status::GenericFailure, "the function could not be made"));
        }
        Unknown::from_napi_value(env.raw(), function)
    }
}

/// JavaScript's side of a running call.
pub struct Host {
    env: sys::napi_env,
    marks: sys::napi_value,
    extra: sys::napi_value,
    strings: [sys::napi_value; MAX_STRINGS],
}

impl Host {
    /// Whether the third argument is `true`.
    pub fn flag(&self) -> bool {
        let mut flag = false;
        // SAFETY: a `Host` exists only during its call.
        unsafe {
            kind_of(self.env, self.extra) == sys::ValueType::napi_boolean
                && sys::napi_get_value_bool(self.env, self.extra, &raw mut flag) == sys::Status::napi_ok
                && flag
        }
    }

    /// Hands the tape over to the function that is the third argument, and empties it. Returns what that answers, if
    /// it is text.
    pub fn carry(&mut self, tape: &mut Tape) -> std::result::Result<Option<String>, Error> {
        tape.finish();
        // SAFETY: a `Host` exists only during its call.
        let answer = unsafe { self.call(tape) };
        tape.clear();
        answer
    }

    /// # Safety
    /// The call must be running. No slice of JavaScript's memory may be alive.
    unsafe fn call(&mut self, tape: &Tape) -> std::result::Result<Option<String>, Error> {
        let (mut scope, mut this, mut answer) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        let mut read = Vec::new();
        // SAFETY: by the caller; the scope is closed below. A value that is no function gives an error status.
        let (status, length) = unsafe {
            sys::napi_open_handle_scope(self.env, &raw mut scope);
            sys::napi_get_undefined(self.env, &raw mut this);
            let text = hand_over(self.env, tape, 0, self.marks);
            if text.is_null() {
                sys::napi_close_handle_scope(self.env, scope);
                // It is longer than a string of JavaScript can be.
                return Err(Error::limit("event_bytes", tape.text.out.len()));
            }
            let status =
                sys::napi_call_function(self.env, this, self.extra, 1, &raw const text, &raw mut answer);
            let is_text = kind_of(self.env, answer) == sys::ValueType::napi_string;
            let length = if is_text { text_into(self.env, answer, &mut read, 0) } else { None };
            sys::napi_close_handle_scope(self.env, scope);
            (status, length)
        };
        if status != sys::Status::napi_ok {
            // An exception is still to be thrown when the call is over.
            return Err(Error::new(Code::Internal, "JavaScript did not take what was handed over"));
        }
        Ok(length.map(|length| String::from_utf8_lossy(&read[..length]).into_owned()))
    }
}

/// What kind of value it is. Not every host of Node-API refuses to read a value as one of another kind: Deno takes anything for
/// a number.
///
/// # Safety
/// `env` and `value` must be of the running call.
unsafe fn kind_of(env: sys::napi_env, value: sys::napi_value) -> sys::napi_valuetype {
    let mut kind = sys::ValueType::napi_undefined;
    // SAFETY: by the caller.
    unsafe { sys::napi_typeof(env, value, &raw mut kind) };
    kind
}

/// A string as a JavaScript value.
pub fn text(env: Env, text: &str) -> Result<Unknown<'static>> {
    // SAFETY: `env` is the environment of the running call, and the value was just made in it.
    unsafe { Unknown::from_napi_value(env.raw(), string(env.raw(), text)) }
}

unsafe extern "C" fn free(_: sys::napi_env, state: *mut c_void, _: *mut c_void) {
    // SAFETY: made by `Box::into_raw` in `engine_function`; Node-API calls a finalizer once, when nobody can call
    // the function any more.
    drop(unsafe { Box::from_raw(state.cast::<State>()) });
}

unsafe extern "C" fn feed(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let mut count = 3 + MAX_STRINGS;
    let mut arguments = [ptr::null_mut(); 3 + MAX_STRINGS];
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
    let [input, marks, extra, strings @ ..] = arguments;
    let host = || Host { env, marks, extra, strings };
    // SAFETY: the function was made with a `State` as its data, which lives as long as the function.
    let state = unsafe { &*state.cast::<State>() };
    let call = || {
        let Ok(mut machine) = state.try_borrow_mut() else { return ptr::null_mut() };
        // SAFETY: the values are arguments of the running call.
        unsafe { answer(&mut machine, input, &mut host()) }
    };
    // A panic must not cross into C. It is reported as a failure of the stream.
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| {
        if let Ok(mut machine) = state.try_borrow_mut() {
            machine.engine.output().fail(Error::new(Code::Internal, "panic"));
            // SAFETY: as above.
            return unsafe { deliver(&mut *machine.engine, &host()) };
        }
        ptr::null_mut()
    })
}

/// # Safety
/// `input` and the values of `host` must be of the running call.
unsafe fn answer(machine: &mut Machine, input: sys::napi_value, host: &mut Host) -> sys::napi_value {
    let Machine { engine, text } = machine;
    // SAFETY: by the caller.
    let kind = unsafe { kind_of(host.env, input) };
    if kind == sys::ValueType::napi_number {
        let mut request = 0;
        // SAFETY: by the caller.
        unsafe { sys::napi_get_value_uint32(host.env, input, &raw mut request) };
        // SAFETY: by the caller.
        return unsafe { respond(&mut **engine, text, request, host) };
    }
    // SAFETY: by the caller. JavaScript alone could change or detach the bytes: they are read before it has control, or
    // copied; memory that threads share is refused, and copied by JavaScript.
    if let Some(chunk) = unsafe { bytes(host.env, input) } {
        if engine.calls_back() {
            let length = chunk.len();
            text.resize(length.max(text.len()), 0);
            text[..length].copy_from_slice(chunk);
            run(&mut **engine, Some(&text[..length]), host);
            trim(text);
        } else {
            run(&mut **engine, Some(chunk), host);
        }
    } else {
        // SAFETY: by the caller.
        let Some(length) = (unsafe { text_into(host.env, input, text, 0) }) else { return ptr::null_mut() };
        run(&mut **engine, Some(&text[..length]), host);
        trim(text);
    }
    // SAFETY: by the caller.
    unsafe { deliver(&mut **engine, host) }
}

/// Does what JavaScript asks for.
///
/// # Safety
/// The values of `host` must be of the running call.
unsafe fn respond(
    engine: &mut dyn Engine,
    text: &mut Vec<u8>,
    request: u32,
    host: &mut Host,
) -> sys::napi_value {
    if (STRINGS..PANIC).contains(&request) {
        // SAFETY: by the caller.
        return unsafe { answer_strings(engine, text, (request - STRINGS) as usize, host) };
    }
    assert!(request != PANIC, "asked for");
    let Some(ask) = Ask::of(request) else { return ptr::null_mut() };
    let answer = match ask {
        Ask::Close | Ask::Again => {
            if ask == Ask::Close {
                run(engine, None, host);
            }
            // SAFETY: by the caller.
            return unsafe { deliver(engine, host) };
        }
        Ask::Error => engine.output().error.as_ref().map(problems::describe).unwrap_or_default(),
        Ask::Warnings => engine.output().take_warnings(),
        Ask::Unpatched => {
            // SAFETY: by the caller; `extra` is an argument of the running call.
            let length = unsafe { text_into(host.env, host.extra, text, 0) }.unwrap_or_default();
            let failure = String::from_utf8_lossy(&text[..length]);
            engine.unpatched(&failure).err().as_ref().map(problems::describe).unwrap_or_default()
        }
        _ => engine.ask(ask),
    };
    // SAFETY: by the caller.
    unsafe { string(host.env, &answer) }
}

/// Has the engine read an event that is strings.
///
/// # Safety
/// The values of `host` must be of the running call.
unsafe fn answer_strings(
    engine: &mut dyn Engine,
    text: &mut Vec<u8>,
    place: usize,
    host: &mut Host,
) -> sys::napi_value {
    let mut ends = [0; MAX_STRINGS];
    let mut count = 0;
    for value in host.strings {
        let start = if count == 0 { 0 } else { ends[count - 1] };
        // SAFETY: by the caller.
        let Some(length) = (unsafe { text_into(host.env, value, text, start) }) else { break };
        ends[count] = start + length;
        count += 1;
    }
    let mut start = 0;
    let strings = ends.map(|end| {
        let piece = text.get(start..end).and_then(|piece| std::str::from_utf8(piece).ok());
        start = end;
        piece.unwrap_or_default()
    });
    let result = engine.strings(place, &strings[..count], host);
    trim(text);
    let Some(result) = result else { return ptr::null_mut() };
    engine.output().error = result.err();
    // SAFETY: by the caller.
    unsafe { deliver(engine, host) }
}

fn run(engine: &mut dyn Engine, input: Option<&[u8]>, host: &mut Host) {
    let result = engine.run(input, host);
    engine.output().error = result.err();
}

/// Hands over what is in the output.
///
/// # Safety
/// The values of `host` must be of the running call.
unsafe fn deliver(engine: &mut dyn Engine, host: &Host) -> sys::napi_value {
    let output = engine.output();
    let failed = if output.error.is_some() { FAILED } else { 0 };
    let warned = if output.warnings.is_empty() { 0 } else { WARNED };
    // SAFETY: by the caller.
    unsafe { hand_over(host.env, &output.tape, failed | warned, host.marks) }
}

/// Hands the tape over: the marks into the caller's array, the text as the result.
///
/// # Safety
/// `env` and `marks` must be of the running call.
unsafe fn hand_over(env: sys::napi_env, tape: &Tape, flags: u32, marks: sys::napi_value) -> sys::napi_value {
    // SAFETY: by the caller. JavaScript does not run while the slice is alive.
    let Some(place) = (unsafe { words(env, marks) }) else { return ptr::null_mut() };
    let [status, length, rest @ ..] = place else { return ptr::null_mut() };
    *status = flags;
    *length = to_u32(tape.marks.len());
    let Some(rest) = rest.get_mut(..tape.marks.len()) else {
        *status |= SHORT;
        // SAFETY: by the caller.
        return unsafe { string(env, "") };
    };
    rest.copy_from_slice(&tape.marks);
    let mut value = ptr::null_mut();
    if tape.wide.is_empty() {
        let text = &tape.text.out;
        // SAFETY: the text is ASCII, which is Latin-1, and the pointer is valid for its length.
        unsafe {
            sys::napi_create_string_latin1(env, text.as_ptr().cast(), length_of(text.len()), &raw mut value);
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

/// Reads a JavaScript string as UTF-8 into `text`, from `start` on, and returns its length; nothing if it is no string.
///
/// # Safety
/// `env` and `value` must be of the running call.
unsafe fn text_into(
    env: sys::napi_env,
    value: sys::napi_value,
    text: &mut Vec<u8>,
    start: usize,
) -> Option<usize> {
    // Most texts fit into what the last one needed, and their length need not be asked for.
    if text.len() < start + SMALL_TEXT {
        text.resize(start + SMALL_TEXT, 0);
    }
    // SAFETY: by the caller; a value that is no string gives an error status.
    let mut length = unsafe { fill(env, value, &mut text[start..]) }?;
    // Node-API writes whole characters, and a zero behind them.
    if start + length + MAX_CHARACTER >= text.len() {
        // SAFETY: by the caller. Without a buffer Node-API says how long the text is.
        unsafe { sys::napi_get_value_string_utf8(env, value, ptr::null_mut(), 0, &raw mut length) };
        text.resize(start + length + MAX_CHARACTER + 1, 0);
        // SAFETY: by the caller.
        length = unsafe { fill(env, value, &mut text[start..]) }.unwrap_or_default();
    }
    Some(length)
}

/// Gives back the memory of a long text.
fn trim(text: &mut Vec<u8>) {
    if text.len() > KEPT_TEXT {
        text.truncate(KEPT_TEXT);
        text.shrink_to_fit();
    }
}

/// Room for most texts.
const SMALL_TEXT: usize = 1024;
/// Room that is kept from one text to the next.
const KEPT_TEXT: usize = 64 * 1024;

/// Longest character in UTF-8, and the zero.
const MAX_CHARACTER: usize = 5;

/// Writes as much of a string as fits, and returns how much that is; nothing if it is no string.
///
/// # Safety
/// `env` and `value` must be of the running call.
unsafe fn fill(env: sys::napi_env, value: sys::napi_value, text: &mut [u8]) -> Option<usize> {
    let mut length = 0;
    // SAFETY: by the caller; the buffer has as many bytes as it is said to have.
    let status = unsafe {
        sys::napi_get_value_string_utf8(env, value, text.as_mut_ptr().cast(), text.len(), &raw mut length)
    };
    (status == sys::Status::napi_ok).then_some(length)
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
