//! Reading single documents: `model_validate_json`, `decode_event`, and checks.

use std::cell::Cell;

use ag_ui_native::decode::DocumentReader;
use ag_ui_native::profile::{Profile, Rules, Undeclared};
use ag_ui_native::{Error, Limits};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};

use crate::build::{Dicts, Models};
use crate::error::raised;
use crate::keys::Keys;
use crate::plan::Plan;
use crate::raw::{self, Obj};
use crate::stats;

/// What is kept from one document to the next.
#[derive(Debug, Default)]
struct Desk {
    reader: DocumentReader,
    keys: Keys,
}

thread_local! {
    static DESK: Cell<Option<Box<Desk>>> = const { Cell::new(None) };
}

fn at_desk<T>(work: impl FnOnce(&mut Desk) -> T) -> T {
    let mut desk = DESK.take().unwrap_or_default();
    let result = work(&mut desk);
    DESK.set(Some(desk));
    result
}

/// pydantic's way of reading JSON, as far as it is the protocol's: undeclared members are kept, `null` is absent.
const PYDANTIC: Rules = Rules {
    members: Undeclared::Keep,
    variants: Undeclared::Refuse,
    nulls: Undeclared::Drop,
    repair: false,
    go_names: false,
    non_empty: false,
    lossy: false,
    fill_lists: false,
};

/// An instance of the plan's class; nothing if the document is not plainly one, so that pydantic says what it is.
pub fn instance<'py>(plan: &'static Plan, json: Obj<'_, 'py>) -> Option<Bound<'py, PyAny>> {
    let py = json.py();
    let bytes = match json.cast::<PyBytes>() {
        Ok(bytes) => bytes.to_owned(),
        Err(_) => return at_desk(|desk| read_instance(desk, plan, py, raw::text(json)?.as_bytes())),
    };
    at_desk(|desk| read_instance(desk, plan, py, bytes.as_bytes()))
}

fn read_instance<'py>(
    desk: &mut Desk,
    plan: &'static Plan,
    py: Python<'py>,
    json: &[u8],
) -> Option<Bound<'py, PyAny>> {
    let Desk { reader, keys } = desk;
    reader.rules = PYDANTIC;
    reader.limits = Limits { event_bytes: usize::MAX, ..Limits::default() };
    let mut models = Models::new(py, keys)?;
    let decoded = reader.value(json, plan.kind, &mut models).ok()?;
    if models.unlike_pydantic() {
        return None;
    }
    stats::DECODED.add();
    decoded.value
}

/// The bytes of a JSON document given as `str`, `bytes` or `bytearray`.
pub fn json_bytes(json: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(text) = json.cast::<PyString>() {
        return Ok(text.to_str()?.as_bytes().to_vec());
    }
    if let Ok(bytes) = json.cast::<PyByteArray>() {
        return Ok(bytes.to_vec());
    }
    Ok(json.extract::<&[u8]>()?.to_vec())
}

/// Reads one event by the rules; an event that the rules leave out is None. Warnings go to `warn`.
pub fn event<'py>(
    py: Python<'py>,
    json: &[u8],
    rules: Rules,
    limits: Limits,
    as_dicts: bool,
    warn: impl FnOnce(&[ag_ui_native::Issue]) -> PyResult<()>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let decoded = at_desk(|desk| {
        let Desk { reader, keys } = desk;
        (reader.rules, reader.limits) = (rules, limits);
        if as_dicts {
            return reader.event(json, &mut Dicts::new(py, keys));
        }
        match Models::new(py, keys) {
            Some(mut models) => reader.event(json, &mut models),
            None => Err(Error::new(ag_ui_native::Code::Internal, "the classes are not registered")),
        }
    });
    let decoded = decoded.map_err(|error| raised(py, &error, None))?;
    warn(&decoded.warnings)?;
    Ok(decoded.value)
}

/// Checks a document of the plan's type by the strict profile.
pub fn check(py: Python<'_>, plan: &'static Plan, json: &[u8], non_empty: bool) -> PyResult<()> {
    at_desk(|desk| {
        let Desk { reader, keys } = desk;
        reader.rules = Rules { non_empty, ..Rules::of(Profile::Strict) };
        reader.limits = Limits::default();
        reader.value(json, plan.kind, &mut Dicts::new(py, keys)).map(|_| ())
    })
    .map_err(|mut error| {
        error.event_type = plan.ty.is_event().then(|| plan.ty.tag()).flatten().map(|(_, tag)| tag);
        raised(py, &error, None)
    })
}
