//! Node-API, as patching needs it: a function that is called with objects and calls back.
#![allow(unsafe_code)] // Node-API is a C interface. Each block says why it holds.

use std::cell::Cell;
use std::ffi::{c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use ag_ui_native::host::patch::Kind;
use ag_ui_native::{Code, Error};
use napi::bindgen_prelude::{FromNapiValue, Unknown};
use napi::{Env, Error as NapiError, JsValue, Result, Status, sys};

use crate::problems;

/// A JavaScript value of the running call.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Handle(sys::napi_value);

/// What JavaScript does for us: places in the list of functions that `lib/patching.cts` hands over.
#[derive(Clone, Copy, Debug)]
pub enum Hand {
    /// `(container, context)`: the container, or its copy, to be changed.
    Own,
    /// `(container, key)`: the member or item; undefined if there is none.
    Look,
    /// `(container, key, context)`: the same, to be changed.
    Reach,
    /// `(object, name, value)`: sets a member and returns what was there, or undefined.
    Set,
    /// `(container, key, value)`: replaces what is there and returns it, or undefined.
    Replace,
    /// `(container, key, value, order?)`: inserts what is not there.
    Insert,
    /// `(container, key)`: removes what is there and returns it, and the order of names before; or undefined.
    Remove,
    /// `(value, levels, values, context?)`: a deep copy and how many values it has; or a refusal. With the context, the
    /// value itself if the context says so.
    Copy,
    /// `(value, levels, values)`: how many values it has; or a refusal.
    Measure,
    /// `(one, other, levels)`: 1 if both are the same JSON, 0 if not; or a refusal.
    Equal,
    /// `(value)`: its length, if it is a list; or undefined.
    Length,
    /// No function that is called: the constructor of lists.
    Array,
}

const HANDS: usize = 12;

/// JavaScript's functions, kept as long as the function that uses them.
struct Hands([sys::napi_ref; HANDS]);

/// JavaScript during one call.
pub struct Host<'c> {
    env: sys::napi_env,
    hands: &'c Hands,
    /// The exception that a function of JavaScript threw. It goes on when everything is as it was.
    thrown: Cell<sys::napi_value>,
}

/// The function that patches: `(document, flat operations, limits, context) => document`. It throws an error with the code
/// `AGUI` and core's error as its message.
pub fn patch_function(env: Env, hands: Unknown<'_>) -> Result<Unknown<'static>> {
    let mut references = [ptr::null_mut(); HANDS];
    for (index, reference) in (0..).zip(&mut references) {
        let mut hand = ptr::null_mut();
        // SAFETY: `env` and `hands` are of the running call; what is no list gives an error status.
        let status = unsafe {
            sys::napi_get_element(env.raw(), hands.raw(), index, &raw mut hand);
            sys::napi_create_reference(env.raw(), hand, 1, reference)
        };
        if status != sys::Status::napi_ok {
            return Err(NapiError::new(Status::InvalidArg, "the functions of lib/patching.cts"));
        }
    }
    // The addon makes one, for as long as the process lives.
    let hands = Box::into_raw(Box::new(Hands(references)));
    let mut function = ptr::null_mut();
    // SAFETY: `env` is that of the running call; the data is never freed.
    unsafe {
        let name = c"patch";
        sys::napi_create_function(env.raw(), name.as_ptr(), -1, Some(patch), hands.cast(), &raw mut function);
        Unknown::from_napi_value(env.raw(), function)
    }
}

unsafe extern "C" fn patch(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let mut count = 4;
    let mut arguments = [ptr::null_mut(); 4];
    let mut hands = ptr::null_mut::<c_void>();
    // SAFETY: `env` and `info` are those of the running call; the array has room for `count` values. The data is the
    // `Hands` that the function was made with.
    let host = unsafe {
        let this = ptr::null_mut();
        sys::napi_get_cb_info(env, info, &raw mut count, arguments.as_mut_ptr(), this, &raw mut hands);
        Host { env, hands: &*hands.cast::<Hands>(), thrown: Cell::new(ptr::null_mut()) }
    };
    let [document, operations, limits, context] = arguments.map(Handle);
    let call = || super::apply(&host, document, operations, limits, context);
    // A panic must not cross into C.
    let error = match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(patched)) => return patched.0,
        Ok(Err(error)) => error,
        Err(_) => Error::new(Code::Internal, "panic"),
    };
    // SAFETY: `env` is that of the running call; texts end with a zero, and the exception was thrown in it.
    unsafe {
        if host.thrown.get().is_null() {
            let message = format!("{}\0", problems::describe(&error));
            sys::napi_throw_error(env, c"AGUI".as_ptr(), message.as_ptr().cast::<c_char>());
        } else {
            sys::napi_throw(env, host.thrown.get());
        }
    }
    ptr::null_mut()
}

impl Host<'_> {
    /// Lets JavaScript do something.
    pub fn call(&self, hand: Hand, arguments: &[Handle]) -> std::result::Result<Handle, Error> {
        let (mut function, mut this, mut answer) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        // SAFETY: all values are of the running call, in which a `Host` lives; `Handle` is laid out as what it holds.
        let status = unsafe {
            sys::napi_get_reference_value(self.env, self.hands.0[hand as usize], &raw mut function);
            sys::napi_get_undefined(self.env, &raw mut this);
            let (count, first) = (arguments.len(), arguments.as_ptr().cast::<sys::napi_value>());
            sys::napi_call_function(self.env, this, function, count, first, &raw mut answer)
        };
        if status == sys::Status::napi_ok {
            return Ok(Handle(answer));
        }
        Err(self.thrown())
    }

    /// Keeps the exception that JavaScript has just thrown.
    fn thrown(&self) -> Error {
        let mut thrown = ptr::null_mut();
        // SAFETY: `env` is that of the running call.
        unsafe { sys::napi_get_and_clear_last_exception(self.env, &raw mut thrown) };
        self.thrown.set(thrown);
        Error::new(Code::Internal, "JavaScript threw an exception")
    }

    /// What a value is.
    pub fn kind(&self, value: Handle) -> std::result::Result<Kind, Error> {
        if self.type_of(value) != sys::ValueType::napi_object {
            return Ok(Kind::Scalar);
        }
        if let Some(length) = self.length(value) {
            return Ok(Kind::List(length));
        }
        // Node-API takes the proxy of a list for an object.
        if !self.inherits_from_array(value)? {
            return Ok(Kind::Object);
        }
        let length = self.int(self.call(Hand::Length, &[value])?);
        Ok(length.and_then(|length| usize::try_from(length).ok()).map_or(Kind::Object, Kind::List))
    }

    fn inherits_from_array(&self, value: Handle) -> std::result::Result<bool, Error> {
        let (mut array, mut inherits) = (ptr::null_mut(), false);
        // SAFETY: the value is of the running call, in which a `Host` lives.
        let status = unsafe {
            sys::napi_get_reference_value(self.env, self.hands.0[Hand::Array as usize], &raw mut array);
            sys::napi_instanceof(self.env, value.0, array, &raw mut inherits)
        };
        if status == sys::Status::napi_ok { Ok(inherits) } else { Err(self.thrown()) }
    }

    /// The length of a list.
    pub fn length(&self, value: Handle) -> Option<usize> {
        let (mut is_list, mut length) = (false, 0);
        // SAFETY: the value is of the running call.
        unsafe {
            sys::napi_is_array(self.env, value.0, &raw mut is_list);
            if !is_list {
                return None;
            }
            sys::napi_get_array_length(self.env, value.0, &raw mut length);
        }
        usize::try_from(length).ok()
    }

    /// The item of a list that only we know.
    pub fn item(&self, list: Handle, index: usize) -> Handle {
        let mut item = ptr::null_mut();
        // SAFETY: the list is of the running call, and no code of the caller's runs.
        unsafe {
            sys::napi_get_element(self.env, list.0, u32::try_from(index).unwrap_or(u32::MAX), &raw mut item)
        };
        Handle(item)
    }

    /// The text of a string.
    pub fn text(&self, value: Handle) -> Option<String> {
        let mut buffer = [0; SHORT];
        let mut length = 0;
        // SAFETY: the value is of the running call, and the buffers are as long as they are said to be; a value that is no
        // string gives an error status.
        unsafe {
            let read = |buffer: *mut c_char, size, length: &mut usize| {
                sys::napi_get_value_string_utf8(self.env, value.0, buffer, size, length)
                    == sys::Status::napi_ok
            };
            if !read(buffer.as_mut_ptr().cast(), SHORT, &mut length) {
                return None;
            }
            // Fewer bytes than fit are all there are. A character has at most four.
            if length < SHORT - 4 {
                return String::from_utf8(buffer[..length].to_vec()).ok();
            }
            read(ptr::null_mut(), 0, &mut length);
            let mut long = vec![0; length + 1];
            read(long.as_mut_ptr().cast(), long.len(), &mut length);
            long.truncate(length);
            String::from_utf8(long).ok()
        }
    }

    /// A string.
    pub fn string(&self, text: &str) -> Handle {
        let mut value = ptr::null_mut();
        let length = isize::try_from(text.len()).unwrap_or(isize::MAX);
        // SAFETY: `env` is that of the running call; the pointer is valid for its length.
        unsafe {
            if text.is_ascii() {
                sys::napi_create_string_latin1(self.env, text.as_ptr().cast(), length, &raw mut value);
            } else {
                sys::napi_create_string_utf8(self.env, text.as_ptr().cast(), length, &raw mut value);
            }
        }
        Handle(value)
    }

    /// A number; what is beyond doubles is rounded.
    #[allow(clippy::cast_precision_loss)] // No list is that long, and no budget need be that exact.
    pub fn number(&self, number: usize) -> Handle {
        let mut value = ptr::null_mut();
        // SAFETY: `env` is that of the running call.
        unsafe { sys::napi_create_double(self.env, number as f64, &raw mut value) };
        Handle(value)
    }

    /// The value of a whole number.
    pub fn int(&self, value: Handle) -> Option<i64> {
        // Not every host of Node-API refuses what is no number.
        if self.type_of(value) != sys::ValueType::napi_number {
            return None;
        }
        let mut int = 0;
        // SAFETY: the value is of the running call.
        let status = unsafe { sys::napi_get_value_int64(self.env, value.0, &raw mut int) };
        (status == sys::Status::napi_ok).then_some(int)
    }

    /// `null`
    pub fn null(&self) -> Handle {
        let mut value = ptr::null_mut();
        // SAFETY: `env` is that of the running call.
        unsafe { sys::napi_get_null(self.env, &raw mut value) };
        Handle(value)
    }

    /// Whether a value is `null`.
    pub fn is_null(&self, value: Handle) -> bool {
        self.type_of(value) == sys::ValueType::napi_null
    }

    /// Whether a value is `undefined`.
    pub fn is_undefined(&self, value: Handle) -> bool {
        self.type_of(value) == sys::ValueType::napi_undefined
    }

    /// Whether a value has members or items.
    pub fn is_object(&self, value: Handle) -> bool {
        self.type_of(value) == sys::ValueType::napi_object
    }

    fn type_of(&self, value: Handle) -> sys::napi_valuetype {
        let mut kind = sys::ValueType::napi_undefined;
        // SAFETY: the value is of the running call.
        unsafe { sys::napi_typeof(self.env, value.0, &raw mut kind) };
        kind
    }
}

/// Room for most pointers.
const SHORT: usize = 128;
