//! Functions that JavaScript calls.

use std::ffi::{CStr, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use napi::{Error, Result, Status, sys};

use super::{Handle, JsCall};

/// The body of a function, with its state and its arguments. Absent arguments are undefined, and `None` returns undefined.
pub type Body<S, const N: usize> = for<'c> fn(&mut JsCall<'c>, &S, [Handle<'c>; N]) -> Option<Handle<'c>>;

/// The data of a function.
struct Closure<S, const N: usize> {
    state: S,
    body: Body<S, N>,
}

/// Makes a function with a state, which lives as long as the function.
pub fn function<'c, S: 'static, const N: usize>(
    call: &JsCall<'c>,
    name: &CStr,
    state: S,
    body: Body<S, N>,
) -> Result<Handle<'c>> {
    let closure = Box::into_raw(Box::new(Closure { state, body }));
    let (data, mut function) = (closure.cast::<c_void>(), ptr::null_mut());
    // SAFETY: the environment is that of the running call. The data lives until the function is collected: `free` is registered
    // right below, and if that fails the data is freed here and the function never handed out.
    unsafe {
        let run = Some(run::<S, N> as unsafe extern "C" fn(_, _) -> _);
        let mut status = sys::napi_create_function(call.env, name.as_ptr(), -1, run, data, &raw mut function);
        if status == sys::Status::napi_ok {
            let free = Some(free::<S, N> as unsafe extern "C" fn(_, _, _));
            status =
                sys::napi_add_finalizer(call.env, function, data, free, ptr::null_mut(), ptr::null_mut());
        }
        if status != sys::Status::napi_ok {
            drop(Box::from_raw(closure));
            return Err(Error::new(Status::GenericFailure, "the function could not be made"));
        }
    }
    Ok(Handle::new(function))
}

unsafe extern "C" fn free<S, const N: usize>(_: sys::napi_env, data: *mut c_void, _: *mut c_void) {
    // SAFETY: made by `Box::into_raw` in `function`; Node-API calls a finalizer once, when the function cannot be called any more.
    drop(unsafe { Box::from_raw(data.cast::<Closure<S, N>>()) });
}

unsafe extern "C" fn run<S, const N: usize>(
    env: sys::napi_env,
    info: sys::napi_callback_info,
) -> sys::napi_value {
    let (mut count, mut arguments, this) = (N, [ptr::null_mut(); N], ptr::null_mut());
    let mut data = ptr::null_mut();
    // SAFETY: `env` and `info` are those of the running call; the array has room for `count` values.
    let status = unsafe {
        sys::napi_get_cb_info(env, info, &raw mut count, arguments.as_mut_ptr(), this, &raw mut data)
    };
    if status != sys::Status::napi_ok || data.is_null() {
        return ptr::null_mut();
    }
    // SAFETY: the data is the `Closure` that the function was made with, which lives as long as the function.
    let Closure { state, body } = unsafe { &*data.cast::<Closure<S, N>>() };
    // A panic must not cross into C.
    let answer =
        catch_unwind(AssertUnwindSafe(|| body(&mut JsCall::new(env), state, arguments.map(Handle::new))));
    answer.ok().flatten().map_or(ptr::null_mut(), |answer| answer.value)
}
