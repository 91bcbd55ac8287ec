//! The JavaScript side of a running call of an engine.

use ag_ui_native::{Code, Error};

use crate::border::{ENDED, FAILED, LAST, NEXT, SAME, SHORT, WARNED};
use crate::engine::output::{Output, OutputBuffer, Repeat, to_u32};
use crate::node_api::{Handle, JsCall};

/// The arguments that JavaScript has passed besides the input.
#[derive(Debug)]
pub struct EngineCall<'h, 'c> {
    /// The call.
    pub call: &'h mut JsCall<'c>,
    /// The array that receives the marks.
    marks: Handle<'c>,
    /// The extra argument; its meaning depends on the engine.
    pub extra: Handle<'c>,
}

impl<'h, 'c> EngineCall<'h, 'c> {
    /// The JavaScript side of a call with these arguments.
    pub fn new(call: &'h mut JsCall<'c>, marks: Handle<'c>, extra: Handle<'c>) -> Self {
        Self { call, marks, extra }
    }

    /// True if `extra` is `true`.
    pub fn flag(&self) -> bool {
        self.call.is_true(self.extra)
    }

    /// Returns the text of `extra`. `room` is the buffer for reading it.
    pub fn extra_text(&self, room: &mut Vec<u8>) -> Option<String> {
        self.call.text(self.extra, room)
    }

    /// Hands the buffer to the function in `extra`, and empties it. Returns the answer if it is text.
    pub fn carry(&mut self, buffer: &mut OutputBuffer) -> Result<Option<String>, Error> {
        buffer.finish();
        let Self { call, marks, extra } = self;
        let answer = call.scoped(|call| {
            let Some(text) = hand_over(call, buffer, 0, *marks) else {
                // The text is longer than a string of JavaScript can be.
                return Err(Error::limit("event_bytes", buffer.text.out.len()));
            };
            match call.call(*extra, &[text]) {
                Some(answer) => Ok(call.text(answer, &mut Vec::new())),
                // The pending exception is thrown when the call returns.
                None => {
                    Err(Error::new(Code::Internal, "the function of JavaScript that takes the output failed"))
                }
            }
        });
        buffer.clear();
        answer
    }

    /// Hands over the output.
    pub fn deliver(&mut self, output: &Output) -> Option<Handle<'c>> {
        let failed = if output.error.is_some() { FAILED } else { 0 };
        let warned = if output.warnings.is_empty() { 0 } else { WARNED };
        let ended = if output.has_ended { ENDED } else { 0 };
        let repeat = match output.repeat {
            Repeat::Unknown => 0,
            Repeat::Same => SAME,
            Repeat::Last => LAST,
            Repeat::Next => LAST | NEXT,
        };
        hand_over(self.call, &output.buffer, failed | warned | ended | repeat, self.marks)
    }
}

/// Hands over the buffer: copies the marks into JavaScript's array, and returns the text.
fn hand_over<'c>(
    call: &mut JsCall<'c>,
    buffer: &OutputBuffer,
    flags: u32,
    marks: Handle<'_>,
) -> Option<Handle<'c>> {
    let fits = call.with_words(marks, |words| {
        let [status, length, rest @ ..] = words else { return None };
        *status = flags;
        *length = to_u32(buffer.marks.len());
        let Some(rest) = rest.get_mut(..buffer.marks.len()) else {
            *status |= SHORT;
            return Some(false);
        };
        rest.copy_from_slice(&buffer.marks);
        Some(true)
    })??;
    match &buffer.wide {
        _ if !fits => call.string(""),
        // An empty `wide` means ASCII.
        wide if wide.is_empty() => call.latin1(buffer.text.out.as_bytes()),
        wide => call.utf16(wide),
    }
}
