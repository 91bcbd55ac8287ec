//! JSON Patch on JavaScript objects: core decides each step, functions of `lib/patch/patching.cts` carry it out.

mod call;
mod objects;

use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ag_ui_native::bindings::NumberStyle;
use ag_ui_native::bindings::json::{Node, ParseOptions, Tape};
use ag_ui_native::bindings::patch::{Operation, apply_and, changes, json};
use ag_ui_native::{Code, Error, Limits};
use napi::bindgen_prelude::Unknown;
use napi::{Env, Result, Status};

use crate::error;
use crate::node_api::{Handle, JsCall, function};
use crate::options::ReaderOptions;
use call::{Functions, PatchCall};
use objects::Objects;

/// Places in the list of a call's operations: each takes four, see `flat` in `lib/patch/patching.cts`.
const OP: usize = 0;
const PATH: usize = 1;
const FROM: usize = 2;
const VALUE: usize = 3;
const WIDTH: usize = 4;

/// The function that patches: `(document, flat operations, limits, context, then?) => document`. It throws an error with the code `AGUI`
/// and core's error as its message. If `then`, which is called last, throws, the patch is rolled back, too.
pub fn patch_function(env: Env, functions: Unknown<'_>) -> Result<Unknown<'static>> {
    let mut call = JsCall::of(&env);
    let functions = Functions::keep(&mut call, Handle::of(&functions));
    let functions = functions
        .ok_or_else(|| napi::Error::new(Status::InvalidArg, "the functions of lib/patch/patching.cts"))?;
    call.returned(function(&call, c"patch", functions, patch)?)
}

fn patch<'c>(call: &mut JsCall<'c>, functions: &Functions, arguments: [Handle<'c>; 5]) -> Option<Handle<'c>> {
    let mut host = PatchCall::new(call, functions);
    let patched = catch_unwind(AssertUnwindSafe(|| apply(&mut host, arguments)));
    let error = match patched {
        Ok(Ok(patched)) => return Some(patched),
        Ok(Err(error)) => error,
        Err(_) => Error::new(Code::Internal, "panic"),
    };
    if let Some(thrown) = host.thrown {
        call.throw(thrown);
    } else {
        // JSON escapes zeros.
        let message = CString::new(error::describe(&error)).unwrap_or_default();
        call.throw_error(c"AGUI", &message);
    }
    None
}

/// Applies operations to a document and returns the result.
fn apply<'c>(
    host: &mut PatchCall<'_, 'c>,
    [document, operations, options, context, then]: [Handle<'c>; 5],
) -> std::result::Result<Handle<'c>, Error> {
    let limits = match host.text(options) {
        Some(json) => ReaderOptions::parse(&json)?.limits,
        None => Limits::default(),
    };
    let count = host
        .call
        .length(operations)
        .ok_or_else(|| Error::new(Code::PatchInvalid, "expected a list of operations"))?;
    let members: Vec<Members<'_>> =
        (0..count / WIDTH).map(|index| Members::read(host, operations, WIDTH * index)).collect();
    let mut patched = document;
    let operations = members.iter().map(Members::operation);
    apply_and(&mut Objects::new(host, context), &mut patched, operations, &limits, |objects| {
        objects.follow_up(then)
    })?;
    Ok(patched)
}

/// The used members of an operation.
struct Members<'c> {
    is_object: bool,
    op: Option<String>,
    path: Option<String>,
    from: Option<String>,
    value: Option<Handle<'c>>,
}

impl<'c> Members<'c> {
    fn read(host: &mut PatchCall<'_, 'c>, operations: Handle<'c>, at: usize) -> Self {
        let [op, path, from, value] = [OP, PATH, FROM, VALUE].map(|place| host.item(operations, at + place));
        Self {
            is_object: !host.call.is_null(op),
            op: host.text(op),
            path: host.text(path),
            from: host.text(from),
            value: (!host.call.is_undefined(value)).then_some(value),
        }
    }

    fn operation(&self) -> std::result::Result<Operation<'_, Handle<'c>>, Error> {
        if !self.is_object {
            return Err(Error::new(Code::PatchInvalid, "expected an object"));
        }
        Operation::read(self.op.as_deref(), self.path.as_deref(), self.from.as_deref(), self.value)
    }
}

/// A patch that turns one document into another, all as JSON text, from the values at `place` that differ.
pub fn diff(place: &str, old: &str, new: &str) -> std::result::Result<String, Error> {
    let (mut before, mut after) = (Tape::default(), Tape::default());
    let edits = changes(place, read(&mut before, old)?, read(&mut after, new)?);
    Ok(json(&edits, NumberStyle::JavaScript))
}

/// Reads a document.
pub fn read<'t>(tape: &'t mut Tape, json: &'t str) -> std::result::Result<Node<'t>, Error> {
    let options = ParseOptions { depth: Limits::MAX_DEPTH, replace_invalid_text: false };
    tape.parse(json, options).map_err(|syntax| match syntax.code {
        Code::LimitExceeded => Error::limit("depth", Limits::MAX_DEPTH),
        code => Error::at(code, syntax.path, syntax.expected),
    })
}
