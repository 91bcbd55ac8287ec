//! JSON Patch on JavaScript's objects: core says what to do where, functions of `lib/patching.cts` do it.

mod host;
mod objects;

use ag_ui_native::Limits;
use ag_ui_native::host::NumberStyle;
use ag_ui_native::host::json::{Node, ParseOptions, Tape, Writer};
use ag_ui_native::host::patch::{Edit, Operation, apply_to, changes};
use ag_ui_native::{Code, Error};

use crate::options::Options;
pub use host::patch_function;
use host::{Handle, Host};
use objects::Objects;

/// Places in the list of a call's operations: each takes four, see `flat` in `lib/patching.cts`.
const OP: usize = 0;
const PATH: usize = 1;
const FROM: usize = 2;
const VALUE: usize = 3;
const WIDTH: usize = 4;

/// Applies operations to a document and returns the result.
fn apply(
    host: &Host,
    document: Handle,
    operations: Handle,
    options: Handle,
    context: Handle,
) -> Result<Handle, Error> {
    let limits = match host.text(options) {
        Some(json) => Options::parse(&json)?.limits,
        None => Limits::default(),
    };
    let count = host
        .length(operations)
        .ok_or_else(|| Error::new(Code::PatchInvalid, "expected a list of operations"))?;
    let members: Vec<Members> =
        (0..count / WIDTH).map(|index| Members::read(host, operations, WIDTH * index)).collect();
    let mut patched = document;
    apply_to(
        &mut Objects::new(host, context),
        &mut patched,
        members.iter().map(Members::operation),
        &limits,
    )?;
    Ok(patched)
}

/// What an operation has, as far as it matters.
struct Members {
    is_object: bool,
    op: Option<String>,
    path: Option<String>,
    from: Option<String>,
    value: Option<Handle>,
}

impl Members {
    fn read(host: &Host, operations: Handle, at: usize) -> Self {
        let member = |place| host.item(operations, at + place);
        let op = member(OP);
        Self {
            is_object: !host.is_null(op),
            op: host.text(op),
            path: host.text(member(PATH)),
            from: host.text(member(FROM)),
            value: Some(member(VALUE)).filter(|value| !host.is_undefined(*value)),
        }
    }

    fn operation(&self) -> Result<Operation<'_, Handle>, Error> {
        if !self.is_object {
            return Err(Error::new(Code::PatchInvalid, "expected an object"));
        }
        Operation::read(self.op.as_deref(), self.path.as_deref(), self.from.as_deref(), self.value)
    }
}

/// A patch that turns one document into another, all as JSON text, from the values at `place` that differ.
pub fn diff(place: &str, old: &str, new: &str) -> Result<String, Error> {
    let (mut before, mut after) = (Tape::default(), Tape::default());
    let edits = changes(place, read(&mut before, old)?, read(&mut after, new)?);
    let mut writer = Writer::new(NumberStyle::JavaScript);
    for edit in &edits {
        writer.out.push(if writer.out.is_empty() { '[' } else { ',' });
        write(&mut writer, edit);
    }
    Ok(if edits.is_empty() { "[]".to_owned() } else { writer.out + "]" })
}

fn read<'t>(tape: &'t mut Tape, json: &'t str) -> Result<Node<'t>, Error> {
    let options = ParseOptions { depth: Limits::MAX_DEPTH, lossy: false };
    tape.parse(json, options).map_err(|syntax| match syntax.code {
        Code::LimitExceeded => Error::limit("depth", Limits::MAX_DEPTH),
        code => Error::at(code, syntax.path, syntax.expected),
    })
}

fn write(writer: &mut Writer, edit: &Edit<Node<'_>>) {
    let (op, from, path, value) = match edit {
        Edit::Add(path, value) => ("\"op\":\"add\"", None, path, Some(value)),
        Edit::Remove(path) => ("\"op\":\"remove\"", None, path, None),
        Edit::Replace(path, value) => ("\"op\":\"replace\"", None, path, Some(value)),
        Edit::Move(from, path) => ("\"op\":\"move\"", Some(from), path, None),
    };
    let mut operation = writer.object();
    operation.raw(op);
    if let Some(from) = from {
        operation.field("\"from\":", from);
    }
    operation.field("\"path\":", path);
    if let Some(value) = value {
        operation.member("value", *value);
    }
    operation.end();
}
