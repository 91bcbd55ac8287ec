//! A running call from JavaScript, and its values.

use std::ffi::CStr;
use std::marker::PhantomData;
use std::ptr;

use napi::bindgen_prelude::{FromNapiValue, Unknown};
use napi::{Env, JsValue, Result, sys};

/// A running call from JavaScript.
#[derive(Debug)]
pub struct JsCall<'c> {
    pub(super) env: sys::napi_env,
    running: PhantomData<&'c ()>,
}

/// A value of a running call.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Handle<'c> {
    pub(super) value: sys::napi_value,
    running: PhantomData<&'c ()>,
}

/// A value that is kept after its call, as long as its environment lives.
#[derive(Debug)]
pub struct Reference {
    env: sys::napi_env,
    reference: sys::napi_ref,
}

impl<'c> Handle<'c> {
    /// The handle of a value of napi.
    pub fn of(value: &'c Unknown<'_>) -> Self {
        Self::new(value.raw())
    }

    pub(super) fn new(value: sys::napi_value) -> Self {
        Self { value, running: PhantomData }
    }
}

/// An open handle scope.
struct HandleScope {
    env: sys::napi_env,
    scope: sys::napi_handle_scope,
}

impl Drop for HandleScope {
    fn drop(&mut self) {
        // SAFETY: it was opened in the running call, and `scoped` lets no value made since then out.
        unsafe { sys::napi_close_handle_scope(self.env, self.scope) };
    }
}

impl<'c> JsCall<'c> {
    /// The call in the environment of napi.
    pub fn of(env: &'c Env) -> Self {
        Self::new(env.raw())
    }

    pub(super) fn new(env: sys::napi_env) -> Self {
        Self { env, running: PhantomData }
    }

    /// Converts a value for napi to return.
    pub fn returned(&self, value: Handle<'_>) -> Result<Unknown<'static>> {
        // SAFETY: environment and value are of the running call.
        unsafe { Unknown::from_napi_value(self.env, value.value) }
    }

    /// Converts a text for napi to return.
    pub fn returned_text(&self, text: &str) -> Result<Unknown<'static>> {
        self.returned(self.string(text).unwrap_or_else(|| self.null()))
    }

    /// Calls a function. Returns `None` if it threw an exception, or is no function: see [`take_exception`](Self::take_exception).
    pub fn call(&mut self, function: Handle<'_>, arguments: &[Handle<'_>]) -> Option<Handle<'c>> {
        let (mut this, mut answer) = (ptr::null_mut(), ptr::null_mut());
        let first = arguments.as_ptr().cast::<sys::napi_value>();
        // SAFETY: all values are of the running call, and a `Handle` is laid out as the value in it; what is no function gives
        // an error status.
        let status = unsafe {
            sys::napi_get_undefined(self.env, &raw mut this);
            sys::napi_call_function(self.env, this, function.value, arguments.len(), first, &raw mut answer)
        };
        (status == sys::Status::napi_ok).then(|| Handle::new(answer))
    }

    /// Runs `work` in a handle scope: its values are freed at the end.
    pub fn scoped<R>(&mut self, work: impl for<'s> FnOnce(&mut JsCall<'s>) -> R) -> R {
        let mut scope = ptr::null_mut();
        // SAFETY: the environment is that of the running call.
        let status = unsafe { sys::napi_open_handle_scope(self.env, &raw mut scope) };
        // The scope is also closed after a panic: Node ends the process if a call leaves a scope open.
        let _scope = (status == sys::Status::napi_ok).then(|| HandleScope { env: self.env, scope });
        work(&mut JsCall::new(self.env))
    }

    /// Takes and clears the pending exception.
    pub fn take_exception(&mut self) -> Handle<'c> {
        let mut thrown = ptr::null_mut();
        // SAFETY: the environment is that of the running call.
        unsafe { sys::napi_get_and_clear_last_exception(self.env, &raw mut thrown) };
        Handle::new(thrown)
    }

    /// Throws a value. JavaScript sees it when the call returns.
    pub fn throw(&mut self, value: Handle<'_>) {
        // SAFETY: environment and value are of the running call.
        unsafe { sys::napi_throw(self.env, value.value) };
    }

    /// Throws a new error.
    pub fn throw_error(&mut self, code: &CStr, message: &CStr) {
        // SAFETY: the environment is that of the running call; both texts end with a zero.
        unsafe { sys::napi_throw_error(self.env, code.as_ptr(), message.as_ptr()) };
    }

    /// Keeps a value after the call.
    pub fn keep(&self, value: Handle<'_>) -> Option<Reference> {
        let mut reference = ptr::null_mut();
        // SAFETY: environment and value are of the running call.
        let status = unsafe { sys::napi_create_reference(self.env, value.value, 1, &raw mut reference) };
        (status == sys::Status::napi_ok).then_some(Reference { env: self.env, reference })
    }

    /// Returns a value that was kept in the same environment.
    pub fn kept(&self, Reference { env, reference }: &Reference) -> Option<Handle<'c>> {
        let mut value = ptr::null_mut();
        if *env != self.env {
            return None;
        }
        // SAFETY: the reference was made in this environment and is never deleted.
        unsafe { sys::napi_get_reference_value(self.env, *reference, &raw mut value) };
        (!value.is_null()).then(|| Handle::new(value))
    }

    /// Returns true if a value is an instance of a class. Returns `None` if the caller's code threw an exception.
    pub fn is_instance(&mut self, value: Handle<'_>, class: Handle<'_>) -> Option<bool> {
        let mut is_instance = false;
        // SAFETY: the values are of the running call.
        let status =
            unsafe { sys::napi_instanceof(self.env, value.value, class.value, &raw mut is_instance) };
        (status == sys::Status::napi_ok).then_some(is_instance)
    }

    /// The length of a list.
    pub fn length(&self, value: Handle<'_>) -> Option<usize> {
        let (mut is_list, mut length) = (false, 0);
        // SAFETY: the value is of the running call.
        unsafe {
            sys::napi_is_array(self.env, value.value, &raw mut is_list);
            if !is_list {
                return None;
            }
            sys::napi_get_array_length(self.env, value.value, &raw mut length);
        }
        usize::try_from(length).ok()
    }

    /// Returns the item of a list; `None` if that threw an exception.
    pub fn item(&mut self, list: Handle<'_>, index: usize) -> Option<Handle<'c>> {
        let mut item = ptr::null_mut();
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        // SAFETY: the list is of the running call.
        let status = unsafe { sys::napi_get_element(self.env, list.value, index, &raw mut item) };
        (status == sys::Status::napi_ok).then(|| Handle::new(item))
    }

    /// A number, rounded to a double.
    #[allow(clippy::cast_precision_loss)] // No list is that long, and no budget need be that exact.
    pub fn number(&self, number: usize) -> Handle<'c> {
        self.double(number as f64)
    }

    /// The number -1 - `number`.
    #[allow(clippy::cast_precision_loss)] // As above.
    pub fn number_below_zero(&self, number: usize) -> Handle<'c> {
        self.double(-1.0 - number as f64)
    }

    fn double(&self, number: f64) -> Handle<'c> {
        let mut value = ptr::null_mut();
        // SAFETY: the environment is that of the running call.
        unsafe { sys::napi_create_double(self.env, number, &raw mut value) };
        Handle::new(value)
    }

    /// A small number.
    pub fn uint(&self, number: u32) -> Option<Handle<'c>> {
        let mut value = ptr::null_mut();
        // SAFETY: the environment is that of the running call.
        unsafe { sys::napi_create_uint32(self.env, number, &raw mut value) };
        (!value.is_null()).then(|| Handle::new(value))
    }

    /// The value of a whole number.
    pub fn int(&self, value: Handle<'_>) -> Option<i64> {
        let mut int = 0;
        if self.type_of(value) != sys::ValueType::napi_number {
            return None;
        }
        // SAFETY: the value is of the running call.
        let status = unsafe { sys::napi_get_value_int64(self.env, value.value, &raw mut int) };
        (status == sys::Status::napi_ok).then_some(int)
    }

    /// True if a value is `true`.
    pub fn is_true(&self, value: Handle<'_>) -> bool {
        let mut flag = false;
        // SAFETY: the value is of the running call.
        self.type_of(value) == sys::ValueType::napi_boolean
            && unsafe { sys::napi_get_value_bool(self.env, value.value, &raw mut flag) }
                == sys::Status::napi_ok
            && flag
    }

    /// `null`
    pub fn null(&self) -> Handle<'c> {
        let mut value = ptr::null_mut();
        // SAFETY: the environment is that of the running call.
        unsafe { sys::napi_get_null(self.env, &raw mut value) };
        Handle::new(value)
    }

    /// True if a value is `null`.
    pub fn is_null(&self, value: Handle<'_>) -> bool {
        self.type_of(value) == sys::ValueType::napi_null
    }

    /// True if a value is `undefined`.
    pub fn is_undefined(&self, value: Handle<'_>) -> bool {
        self.type_of(value) == sys::ValueType::napi_undefined
    }

    /// True if a value has members or items.
    pub fn is_object(&self, value: Handle<'_>) -> bool {
        self.type_of(value) == sys::ValueType::napi_object
    }

    /// Returns the type of a value. Not every host of Node-API refuses to read a value as another type: Deno reads anything as a number.
    fn type_of(&self, value: Handle<'_>) -> sys::napi_valuetype {
        let mut kind = sys::ValueType::napi_undefined;
        // SAFETY: the value is of the running call.
        unsafe { sys::napi_typeof(self.env, value.value, &raw mut kind) };
        kind
    }
}
