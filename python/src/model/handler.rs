//! The handlers that pydantic passes to functions in validators. A handler carries the arguments of the running validation, such as
//! `by_alias`, but tells them to no one. Asking pydantic by a second validation costs 180 to 360 ns an object, as much as a small model; the bytes that
//! hold the arguments are found once, by comparing handlers with known arguments.
#![allow(unsafe_code)]

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use crate::c_api::{self, Obj};

/// A handler, and for each argument the number of its value: 0 stands for "not given", 1 for the value that says the same.
type Sample<'py> = (Vec<usize>, Bound<'py, PyAny>);

/// The bytes of a handler that hold the arguments.
#[derive(Debug)]
struct Places {
    /// The class of the handlers.
    class: Py<PyType>,
    /// The place of the byte of each argument, and the two bytes that change nothing.
    bytes: Vec<(usize, [u8; 2])>,
}

static PLACES: PyOnceLock<Places> = PyOnceLock::new();

/// Finds the bytes that hold the arguments; false if handlers do not carry each of them.
pub fn learn_arguments(samples: &[Sample<'_>]) -> PyResult<bool> {
    let Some((values, first)) = samples.first() else { return Ok(false) };
    let (py, class) = (first.py(), first.get_type());
    if samples.iter().any(|(_, handler)| !handler.get_type().is(&class)) {
        return Ok(false);
    }
    let header = py.get_type::<PyAny>().getattr("__basicsize__")?.extract()?;
    let end: usize = class.getattr("__basicsize__")?.extract()?;
    let byte = |argument| (header..end).find_map(|at| Some((at, usual_bytes(samples, argument, at)?)));
    let Some(bytes) = (0..values.len()).map(byte).collect() else { return Ok(false) };
    let _ = PLACES.set(py, Places { class: class.unbind(), bytes });
    Ok(true)
}

/// The largest number by which a value of an argument is stored.
const LARGEST: u8 = 7;
/// The largest number of values of an argument.
const MOST_VALUES: usize = 4;

/// Returns the bytes of a handler whose argument changes nothing, if the byte at this place holds the argument: it differs where the
/// values differ, and only there.
fn usual_bytes(samples: &[Sample<'_>], argument: usize, at: usize) -> Option<[u8; 2]> {
    let mut stored: [Option<u8>; MOST_VALUES] = [None; MOST_VALUES];
    for (values, handler) in samples {
        let value = *values.get(argument)?;
        // SAFETY: the object has the size of its class, and `at` is less.
        let byte = unsafe { byte(handler.as_borrowed(), at) };
        match *stored.get(value)? {
            Some(known) if known == byte => {}
            None if (value == 0 || byte <= LARGEST) && !stored.contains(&Some(byte)) => {
                stored[value] = Some(byte);
            }
            _ => return None,
        }
    }
    Some([stored[0]?, stored[1]?])
}

/// True if no argument of a handler's validation changes anything. False for an unknown handler.
#[inline]
pub fn is_usual(handler: Obj<'_, '_>) -> bool {
    let Some(places) = PLACES.get(handler.py()) else { return false };
    c_api::class_of(handler).cast() == places.class.as_ptr()
        && places.bytes.iter().all(|(at, usual)| {
            // SAFETY: the handler has the size of its class; the places lie in it.
            let byte = unsafe { byte(handler, *at) };
            usual.contains(&byte)
        })
}

/// Reads a byte of an object.
///
/// # Safety
/// The object is larger than `at`.
#[inline]
unsafe fn byte(object: Obj<'_, '_>, at: usize) -> u8 {
    // SAFETY: the caller guarantees that the byte is the object's. Other code does not change it: arguments are set when a handler is
    // made.
    unsafe { object.as_ptr().cast::<u8>().add(at).read_volatile() }
}
