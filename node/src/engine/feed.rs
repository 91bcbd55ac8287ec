//! The function of an engine: `(input or request, marks, extra, ...strings) => text`. `Feed` in `lib/native/native.cts` describes it.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ag_ui_native::{Code, Error};
use napi::bindgen_prelude::Unknown;
use napi::{Env, Result};

use crate::border::{Ask, SAME_STEP, STEP_FAILED, STEPPED, STEPS, STRINGS, UNSTEPPED};
use crate::engine::Engine;
use crate::engine::call::EngineCall;
use crate::error;
use crate::node_api::{Handle, JsCall, function};

/// The maximum number of required members of an event.
const MAX_STRINGS: usize = 3;
/// The request that panics, for the test that a panic stays inside and leaves no scope open.
const PANIC: u32 = u32::MAX;
/// The bytes of the buffer that are kept from one text to the next.
const KEPT_TEXT: usize = 64 * 1024;

/// An engine, and the buffer for the text that it reads.
struct Machine {
    engine: Box<dyn Engine>,
    text: Vec<u8>,
}

/// Makes the function that runs `engine`. The function owns the engine.
pub fn feed_function(env: Env, engine: Box<dyn Engine>) -> Result<Unknown<'static>> {
    let call = JsCall::of(&env);
    let machine = RefCell::new(Machine { engine, text: Vec::new() });
    call.returned(function(&call, c"feed", machine, feed)?)
}

/// Reads strings up to the first value that is no string. Returns their texts and their count.
fn texts<'t, 'c, const N: usize>(
    values: [Handle<'c>; N],
    text: &'t mut Vec<u8>,
    host: &EngineCall<'_, 'c>,
) -> ([&'t str; N], usize) {
    let (mut ends, mut count) = ([0; N], 0);
    for value in values {
        let start = if count == 0 { 0 } else { ends[count - 1] };
        let Some(length) = host.call.text_into(value, text, start) else { break };
        ends[count] = start + length;
        count += 1;
    }
    let mut start = 0;
    let texts = ends.map(|end| {
        let piece = text.get(start..end).and_then(|piece| std::str::from_utf8(piece).ok());
        start = end;
        piece.unwrap_or_default()
    });
    (texts, count)
}

fn feed<'c>(
    call: &mut JsCall<'c>,
    machine: &RefCell<Machine>,
    [input, marks, extra, strings @ ..]: [Handle<'c>; 3 + MAX_STRINGS],
) -> Option<Handle<'c>> {
    // A call within another call gets no answer.
    let mut machine = machine.try_borrow_mut().ok()?;
    let mut host = EngineCall::new(call, marks, extra);
    let answer = catch_unwind(AssertUnwindSafe(|| machine.answer(input, strings, &mut host)));
    answer.unwrap_or_else(|_| {
        let output = machine.engine.output();
        output.fail(Error::new(Code::Internal, "panic"));
        host.deliver(output)
    })
}

impl Machine {
    fn answer<'c>(
        &mut self,
        input: Handle<'c>,
        strings: [Handle<'c>; MAX_STRINGS],
        host: &mut EngineCall<'_, 'c>,
    ) -> Option<Handle<'c>> {
        if let Some(request) = host.call.int(input) {
            return self.respond(u32::try_from(request).ok()?, strings, host);
        }
        let Self { engine, text } = self;
        // Shared memory is refused; JavaScript copies it.
        let read = host.call.with_bytes(input, |chunk| {
            engine.read_in_place(chunk).ok_or_else(|| {
                text.resize(chunk.len().max(text.len()), 0);
                text[..chunk.len()].copy_from_slice(chunk);
                chunk.len()
            })
        });
        let result = match read {
            Some(Ok(result)) => result,
            Some(Err(length)) => engine.read(&text[..length], host),
            None => {
                let length = host.call.text_into(input, text, 0)?;
                engine.read(&text[..length], host)
            }
        };
        self.trim();
        self.deliver(result, host)
    }

    /// Answers a request of JavaScript.
    fn respond<'c>(
        &mut self,
        request: u32,
        strings: [Handle<'c>; MAX_STRINGS],
        host: &mut EngineCall<'_, 'c>,
    ) -> Option<Handle<'c>> {
        if request == PANIC {
            host.call.scoped(|_| panic!("asked for"));
        }
        if request >= STEPS {
            return host.call.uint(self.step((request - STEPS) as usize, strings, host));
        }
        if request >= STRINGS {
            return self.read_strings((request - STRINGS) as usize, strings, host);
        }
        let Self { engine, text } = self;
        let answer = match Ask::of(request)? {
            Ask::Close => {
                let result = engine.close(host);
                return self.deliver(result, host);
            }
            Ask::Failed => {
                let about = host.extra_text(text);
                let result = engine.fail(about.as_deref());
                return self.deliver(result, host);
            }
            Ask::Again => return host.deliver(engine.output()),
            Ask::Error => engine.output().error.as_ref().map(error::describe).unwrap_or_default(),
            Ask::Warnings => engine.output().take_warnings(),
            ask => {
                let about = host.extra_text(text).unwrap_or_default();
                engine.ask(ask, &about).unwrap_or_else(|error| error::describe(&error))
            }
        };
        host.call.string(&answer)
    }

    /// Reads an event by its strings. Returns `None` if the engine needs the event as text.
    fn read_strings<'c>(
        &mut self,
        place: usize,
        strings: [Handle<'c>; MAX_STRINGS],
        host: &mut EngineCall<'_, 'c>,
    ) -> Option<Handle<'c>> {
        let Self { engine, text } = self;
        let (strings, count) = texts(strings, text, host);
        let result = engine.read_strings(place, &strings[..count], host);
        self.trim();
        self.deliver(result?, host)
    }

    /// Verifies the projection of an event.
    fn step<'c>(
        &mut self,
        place: usize,
        strings: [Handle<'c>; MAX_STRINGS],
        host: &EngineCall<'_, 'c>,
    ) -> u32 {
        let Self { engine, text } = self;
        let [one, two, three] = strings;
        let (all, found) = texts([host.extra, one, two, three], text, host);
        // Without a tag, the first string is absent, and so are the ones after it.
        let (tag, all, count) = if found > 0 {
            (Some(all[0]), [all[1], all[2], all[3]], found - 1)
        } else {
            let (all, count) = texts(strings, text, host);
            (None, all, count)
        };
        let result = engine.step(place, &all[..count], tag);
        self.trim();
        match result {
            None => UNSTEPPED,
            Some(Ok(false)) => STEPPED,
            Some(Ok(true)) => SAME_STEP,
            Some(Err(error)) => {
                self.engine.output().error = Some(error);
                STEP_FAILED
            }
        }
    }

    fn deliver<'c>(
        &mut self,
        result: std::result::Result<(), Error>,
        host: &mut EngineCall<'_, 'c>,
    ) -> Option<Handle<'c>> {
        let output = self.engine.output();
        output.error = result.err();
        host.deliver(output)
    }

    /// Frees the memory of a long text.
    fn trim(&mut self) {
        if self.text.len() > KEPT_TEXT {
            self.text.truncate(KEPT_TEXT);
            self.text.shrink_to_fit();
        }
    }
}
