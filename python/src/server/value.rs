//! Converts Python values to JSON text and to core's types, by the strict profile. Errors name the place of the fault.

use ag_ui_native::bindings::decode::DocumentReader;
use ag_ui_native::bindings::schema::{DeclaredType, FieldType};
use ag_ui_native::bindings::server::{self, Ending, within};
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::types::Event;
use ag_ui_native::{Code, Error, Limits, Profile, Value};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyString};

use super::plain::plain;
use crate::c_api;
use crate::error::{guard, raised};
use crate::events::json_of;
use crate::patch::Tree;

/// Returns the text of the `str` that `member` requires.
#[cold]
pub fn text_of(text: &Bound<'_, PyAny>, member: &str) -> PyResult<String> {
    let py = text.py();
    let Ok(known) = text.cast::<PyString>() else {
        let class = text.get_type().name()?;
        return Err(PyTypeError::new_err(format!("{member}: expected str, got {class}")));
    };
    let whole = c_api::utf8(known.as_any().as_borrowed());
    whole
        .map(str::to_owned)
        .ok_or_else(|| raised(py, &Error::at(Code::LoneSurrogate, format!("/{member}"), ""), None))
}

/// Returns the JSON of a value, or of its JSON form. A part without a JSON form is an error with its pointer; `place` is the place of the
/// value itself.
#[pyfunction]
#[pyo3(signature = (value: "object", place: "str" = "") -> "str")]
pub fn json_text(value: &Bound<'_, PyAny>, place: &str) -> PyResult<String> {
    let py = value.py();
    guard(py, || {
        let made = match Tree::json(value) {
            Err(error) if error.code() == Code::WrongType => {
                if value.hasattr(intern!(py, "model_dump_json"))? {
                    return json_of(value).map_err(|error| of_model(value, place, error));
                }
                let plain = plain(value)?;
                Tree::json(&plain).map_err(|error| Tree::located(&plain, error))
            }
            made => made.map_err(|error| Tree::located(value, error)),
        };
        made.map_err(|error| raised(py, &within(place, error), None))
    })
}

/// The text of a call's arguments: any JSON value, or the text of an object.
#[pyfunction]
#[pyo3(signature = (arguments: "object") -> "str")]
pub fn arguments_text(arguments: &Bound<'_, PyAny>) -> PyResult<String> {
    let json = json_text(arguments, "/arguments")?;
    server::arguments_text(json).map_err(|error| raised(arguments.py(), &error, None))
}

/// The text of a tool's result; `None` for a list of content parts.
#[pyfunction]
#[pyo3(signature = (result: "object") -> "str | None")]
pub fn result_text(result: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let json = json_text(result, "/content")?;
    server::result_text(json).map_err(|error| raised(result.py(), &within("/content", error), None))
}

/// The error for a value without a JSON form inside a model, with its pointer. It replaces pydantic's error.
#[cold]
fn of_model(model: &Bound<'_, PyAny>, place: &str, error: PyErr) -> PyErr {
    let py = model.py();
    if !error.is_instance_of::<PyValueError>(py) {
        return error;
    }
    let dumped = [(intern!(py, "by_alias"), true)]
        .into_py_dict(py)
        .and_then(|options| model.call_method(intern!(py, "model_dump"), (), Some(&options)))
        .and_then(|dumped| plain(&dumped));
    let Ok(dumped) = dumped else { return error };
    let Err(refused) = Tree::json(&dumped) else { return error };
    let located = raised(py, &within(place, Tree::located(&dumped, refused)), None);
    located.set_cause(py, Some(error));
    located
}

/// Reads an event of any form by the strict profile.
pub fn read_event(event: &Bound<'_, PyAny>, limits: Limits) -> PyResult<Event> {
    let py = event.py();
    let json = json_text(event, "")?;
    guard(py, || strict_event(&json, limits).map_err(|error| raised(py, &error, None)))
}

/// Reads an event from its JSON by the strict profile.
pub fn strict_event(json: &str, limits: Limits) -> Result<Event, Error> {
    let mut reader = DocumentReader::new(Profile::Strict, limits);
    let decoded = reader.event(json, &mut TypedBuild)?;
    Ok(Event::from_validated(decoded.value))
}

/// Reads a value as a declared type, by the strict profile. `place` is its place in an event.
pub fn read<T: DeclaredType>(value: &Bound<'_, PyAny>, place: &str, limits: Limits) -> PyResult<T> {
    let py = value.py();
    let json = json_text(value, place)?;
    guard(py, || {
        let mut reader = DocumentReader::new(Profile::Strict, limits);
        let read = reader.value(json.as_bytes(), T::DECLARED_KIND, &mut TypedBuild);
        read.map(|read| T::from_validated(read.value))
            .map_err(|error| raised(py, &within(place, error), None))
    })
}

/// The ending that the arguments describe.
pub fn read_ending(
    ending: &str,
    value: Option<&Bound<'_, PyAny>>,
    code: Option<&Bound<'_, PyAny>>,
    limits: Limits,
) -> PyResult<Ending> {
    match ending {
        "success" => {
            let result = value.map(|result| read::<Value>(result, "/result", limits)).transpose()?;
            Ok(Ending::Success(result))
        }
        "interrupt" => {
            let interrupts = value.map(|value| read(value, "/outcome/interrupts", limits)).transpose()?;
            Ok(Ending::Interrupt(interrupts.unwrap_or_default()))
        }
        "cancelled" => Ok(Ending::Cancelled),
        "error" => {
            let message = value.map(|message| text_of(message, "message")).transpose()?;
            let code = code.map(|code| text_of(code, "code")).transpose()?;
            Ok(Ending::Error { message: message.unwrap_or_default(), code })
        }
        _ => Err(PyValueError::new_err(format!("unknown ending: {ending:?}"))),
    }
}
