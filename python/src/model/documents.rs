//! Reading single documents: `model_validate_json`, `decode_event`, and checks.

use std::cell::Cell;
use std::sync::OnceLock;

use ag_ui_native::bindings::compat::Boundary;
use ag_ui_native::bindings::decode::{Decoded, DocumentReader, JsonText};
use ag_ui_native::bindings::profile::{Profile, Rules, Undeclared, UnsafeIntegers};
use ag_ui_native::bindings::schema::{self, Kind};
use ag_ui_native::bindings::validate::Build;
use ag_ui_native::types::Event;
use ag_ui_native::{Error, Issue, Limits};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::build::Dicts;
use crate::c_api::{self, Obj};
use crate::error::raised;
use crate::keys::Keys;
use crate::model::build::{Models, by_pydantic};
use crate::model::metaclass;
use crate::model::package;
use crate::model::plan::Plan;
use crate::stats;

/// The memory that is kept from one document to the next.
#[derive(Debug, Default)]
struct Workspace {
    reader: DocumentReader,
    keys: Keys,
}

thread_local! {
    static WORKSPACE: Cell<Option<Box<Workspace>>> = const { Cell::new(None) };
}

/// The largest document after which the reader is kept, in bytes. Its memory grows with the largest document.
const KEPT_BYTES: usize = 1 << 20;

/// Runs `work` on a document of the given length.
fn with_workspace<T>(length: usize, work: impl FnOnce(&mut Workspace) -> T) -> T {
    let mut workspace = WORKSPACE.take().unwrap_or_default();
    let result = work(&mut workspace);
    if length > KEPT_BYTES {
        workspace.reader = DocumentReader::default();
    }
    WORKSPACE.set(Some(workspace));
    result
}

/// pydantic's rules of reading JSON, as far as they match the protocol: undeclared members are kept, `null` is
/// absent.
const PYDANTIC: Rules = Rules {
    members: Undeclared::Keep,
    variants: Undeclared::Refuse,
    numbers: Undeclared::Refuse,
    nulls: Undeclared::Drop,
    repair: false,
    null_state: true,
    go_member_names: false,
    non_empty: false,
    replace_invalid_text: false,
    fill_lists: false,
    legacy: false,
    unsafe_integers: UnsafeIntegers::Allow,
    finite: false,
};

/// Makes an instance of the plan's class; `None` if the document is not plainly valid, so that pydantic reports the
/// fault.
pub fn instance<'py>(plan: &'static Plan, json: Obj<'_, 'py>) -> Option<Bound<'py, PyAny>> {
    if plan.validates { read_json(plan.kind, json) } else { None }
}

/// Makes an instance of a union; `None` as for [`instance`], and if the engine is not attached to its class.
pub fn variant<'py>(kind: &'static Kind, json: Obj<'_, 'py>) -> Option<Bound<'py, PyAny>> {
    read_json(kind, json).filter(|made| {
        let plan = metaclass::own_plan(made.get_type().as_borrowed()).ok().flatten();
        plan.is_some_and(Plan::constructs)
    })
}

fn read_json<'py>(kind: &'static Kind, json: Obj<'_, 'py>) -> Option<Bound<'py, PyAny>> {
    let py = json.py();
    let bytes = json.cast::<PyBytes>();
    let text = match &bytes {
        Ok(bytes) => JsonText::from(bytes.as_bytes()),
        Err(_) => c_api::text(json)?.into(),
    };
    with_workspace(text.size(), |workspace| read_value(workspace, kind, py, text))
}

fn read_value<'py>(
    workspace: &mut Workspace,
    kind: &'static Kind,
    py: Python<'py>,
    json: JsonText<'_>,
) -> Option<Bound<'py, PyAny>> {
    let Workspace { reader, keys } = workspace;
    reader.rules = PYDANTIC;
    reader.limits = Limits::default().with_event_bytes(usize::MAX);
    let mut models = Models::new(py, keys)?;
    let decoded = reader.value(json, kind, &mut models).ok()?;
    if models.unlike_pydantic() {
        return None;
    }
    stats::DECODED.add();
    decoded.value
}

/// The options of reading a document.
#[derive(Debug)]
pub struct DocumentOptions {
    /// The rules.
    pub rules: Rules,
    /// The limits.
    pub limits: Limits,
    /// True if dictionaries are made instead of instances.
    pub as_dicts: bool,
}

/// Reads one document of a declared type or union. An event that the rules drop is `None`. Also returns the issues of
/// the repairs.
pub fn decode<'py>(
    py: Python<'py>,
    json: JsonText<'_>,
    kind: &'static Kind,
    options: &DocumentOptions,
) -> PyResult<(Option<Bound<'py, PyAny>>, Vec<Issue>)> {
    try_decode(py, json, kind, options)?.map_err(|error| raised(py, &error, None))
}

/// A document as an object of Python, with the issues of the repairs; or the fault of the document.
type Made<'py> = Result<(Option<Bound<'py, PyAny>>, Vec<Issue>), Error>;

/// As `decode`, but faults of the document are not raised.
pub fn try_decode<'py>(
    py: Python<'py>,
    json: JsonText<'_>,
    kind: &'static Kind,
    options: &DocumentOptions,
) -> PyResult<Made<'py>> {
    decode_from(py, Document::Json(json, kind), name(kind), options)
}

/// Reads an event from a protobuf message.
pub fn decode_protobuf<'py>(
    py: Python<'py>,
    message: &[u8],
    options: &DocumentOptions,
) -> PyResult<(Option<Bound<'py, PyAny>>, Vec<Issue>)> {
    let made = decode_from(py, Document::Protobuf(message), Event::UNION.name, options)?;
    made.map_err(|error| raised(py, &error, None))
}

/// A document, and its kind.
#[derive(Clone, Copy)]
enum Document<'d> {
    Json(JsonText<'d>, &'static Kind),
    Protobuf(&'d [u8]),
}

fn decode_from<'py>(
    py: Python<'py>,
    source: Document<'_>,
    type_name: &str,
    options: &DocumentOptions,
) -> PyResult<Made<'py>> {
    let bytes = match source {
        Document::Json(json, _) => json.size(),
        Document::Protobuf(message) => message.len(),
    };
    if !options.as_dicts {
        package::require_classes(py)?;
    }
    let as_dicts = options.as_dicts || !metaclass::is_engaged();
    let decoded = with_workspace(bytes, |workspace| {
        let Workspace { reader, keys } = workspace;
        (reader.rules, reader.limits) = (options.rules, options.limits);
        // Documents belong to different streams, so the state of translating 0.x starts anew.
        reader.boundary = Boundary::default();
        match Models::new(py, keys) {
            Some(mut models) if !as_dicts => read(reader, source, &mut models),
            _ => read(reader, source, &mut Dicts::new(py, keys)),
        }
    });
    let Decoded { value, warnings, .. } = match decoded {
        Ok(decoded) => decoded,
        Err(fault) => return Ok(Err(fault)),
    };
    if as_dicts && !options.as_dicts {
        return Ok(Ok((value.map(|value| by_pydantic(type_name, &value)).transpose()?, warnings)));
    }
    Ok(Ok((value, warnings)))
}

/// Events have their own rules for undeclared values; other documents are values of their kind.
fn read<B: Build>(
    reader: &mut DocumentReader,
    source: Document<'_>,
    build: &mut B,
) -> Result<Decoded<B::Value>, Error> {
    match source {
        Document::Protobuf(message) => reader.message(message, build),
        Document::Json(json, Kind::Union(union)) if std::ptr::eq(*union, Event::UNION) => {
            reader.event(json, build)
        }
        Document::Json(json, kind) => reader.value(json, kind, build),
    }
}

/// Returns the kind of a type or union of the protocol.
pub fn kind_named(name: &str) -> PyResult<&'static Kind> {
    static KINDS: OnceLock<Vec<(&'static str, Kind)>> = OnceLock::new();
    let kinds = KINDS.get_or_init(|| {
        let types = schema::TYPES.iter().map(|ty| (ty.name, Kind::Object(ty)));
        types.chain(schema::UNIONS.iter().map(|union| (union.name, Kind::Union(union)))).collect()
    });
    let kind = kinds.iter().find(|(known, _)| *known == name).map(|(_, kind)| kind);
    kind.ok_or_else(|| PyValueError::new_err(format!("unknown type of the protocol: {name:?}")))
}

/// Returns the name of a kind that is a type or union of the protocol.
pub fn name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Object(ty) => ty.name,
        Kind::Union(union) => union.name,
        _ => "",
    }
}

/// Validates a document of the plan's type by the strict profile.
pub fn check(py: Python<'_>, plan: &'static Plan, json: &str, non_empty: bool) -> PyResult<()> {
    with_workspace(json.len(), |workspace| {
        let Workspace { reader, keys } = workspace;
        reader.rules = Rules { non_empty, ..Rules::of(Profile::Strict) };
        reader.limits = Limits::default();
        reader.value(json, plan.kind, &mut Dicts::new(py, keys)).map(|_| ())
    })
    .map_err(|mut error| {
        error.event_type = plan.ty.is_event().then(|| plan.ty.tag()).flatten().map(|(_, tag)| tag);
        raised(py, &error, None)
    })
}
