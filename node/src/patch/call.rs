//! The calls into JavaScript during one patch, and their exceptions.

use ag_ui_native::bindings::patch::Shape;
use ag_ui_native::{Code, Error};

use crate::border::PatchFunction;
use crate::node_api::{Handle, JsCall, Reference};

/// The functions of `lib/patch/patching.cts`, as [`PatchFunction`] numbers them.
#[derive(Debug)]
pub struct Functions(Vec<Reference>);

impl Functions {
    /// Keeps the functions of a list.
    pub fn keep(call: &mut JsCall<'_>, list: Handle<'_>) -> Option<Self> {
        let kept = (0..PatchFunction::ALL.len()).map(|index| {
            let function = call.item(list, index)?;
            call.keep(function)
        });
        kept.collect::<Option<_>>().map(Self)
    }
}

/// JavaScript during one patch.
#[derive(Debug)]
pub struct PatchCall<'h, 'c> {
    /// The call.
    pub call: &'h mut JsCall<'c>,
    /// The exception that a function of JavaScript threw. It is thrown again after the rollback.
    pub thrown: Option<Handle<'c>>,
    functions: &'h Functions,
    /// For reading strings.
    room: Vec<u8>,
}

impl<'h, 'c> PatchCall<'h, 'c> {
    /// JavaScript during `call`.
    pub fn new(call: &'h mut JsCall<'c>, functions: &'h Functions) -> Self {
        Self { call, thrown: None, functions, room: Vec::new() }
    }

    /// Calls one of the functions of the patch.
    pub fn run(&mut self, function: PatchFunction, arguments: &[Handle<'_>]) -> Result<Handle<'c>, Error> {
        let answer = self.function(function).and_then(|function| self.call.call(function, arguments));
        answer.ok_or_else(|| self.threw())
    }

    /// Calls a function of the caller.
    pub fn call_given(&mut self, function: Handle<'c>) -> Result<(), Error> {
        let answer = self.call.call(function, &[]);
        answer.map(drop).ok_or_else(|| self.threw())
    }

    fn function(&self, function: PatchFunction) -> Option<Handle<'c>> {
        self.call.kept(self.functions.0.get(function as usize)?)
    }

    /// Keeps the pending exception of JavaScript.
    fn threw(&mut self) -> Error {
        self.thrown = Some(self.call.take_exception());
        Error::new(Code::Internal, "JavaScript threw an exception")
    }

    /// Returns the shape of a value.
    pub fn kind(&mut self, value: Handle<'c>) -> Result<Shape, Error> {
        if !self.call.is_object(value) {
            return Ok(Shape::Scalar);
        }
        if let Some(length) = self.call.length(value) {
            return Ok(Shape::List(length));
        }
        // Node-API reports the proxy of a list as an object.
        let array = self.function(PatchFunction::Array);
        let inherits = array.and_then(|array| self.call.is_instance(value, array));
        if !inherits.ok_or_else(|| self.threw())? {
            return Ok(Shape::Object);
        }
        let length = self.run(PatchFunction::Length, &[value])?;
        let length = self.call.int(length).and_then(|length| usize::try_from(length).ok());
        Ok(length.map_or(Shape::Object, Shape::List))
    }

    /// The item of a list of our own.
    pub fn item(&mut self, list: Handle<'_>, index: usize) -> Handle<'c> {
        self.call.item(list, index).unwrap_or_else(|| self.call.null())
    }

    /// The text of a string.
    pub fn text(&mut self, value: Handle<'_>) -> Option<String> {
        self.call.text(value, &mut self.room)
    }

    /// A string.
    pub fn string(&self, text: &str) -> Handle<'c> {
        let value = if text.is_ascii() { self.call.latin1(text.as_bytes()) } else { self.call.string(text) };
        value.unwrap_or_else(|| self.call.null())
    }
}
