//! Joins deltas: the function of `Coalescer`, which `CoalesceFunction` in `lib/native/native.cts` describes.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::decoder::EventReader;
use ag_ui_native::bindings::server::{Adjacent, Coalesced};
use ag_ui_native::{Code, Error, Limits, Profile};
use napi::bindgen_prelude::Unknown;
use napi::{Env, Result};

use crate::error;
use crate::events::json_of;
use crate::node_api::{Handle, JsCall, function};

/// The waiting delta, by the number of the call that brought it.
struct PendingDelta {
    adjacent: Adjacent<usize>,
    reader: EventReader,
    calls: usize,
    /// The buffer for texts that cross.
    room: Vec<u8>,
}

/// The function that joins deltas: up to `max_bytes` bytes, for at most `max_delay` milliseconds.
pub fn coalesce_function(env: Env, max_bytes: f64, max_delay: f64) -> Result<Unknown<'static>> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    // A number that is too large saturates.
    let max_bytes = max_bytes as usize;
    let max_delay = Duration::try_from_secs_f64(max_delay / 1000.0).unwrap_or(Duration::MAX);
    let waiting = PendingDelta {
        adjacent: Adjacent::new(max_bytes, max_delay),
        reader: EventReader::new(Rules::of(Profile::Relay), Limits::default()),
        calls: 0,
        room: Vec::new(),
    };
    let call = JsCall::of(&env);
    call.returned(function(&call, c"coalesce", RefCell::new(waiting), coalesce)?)
}

fn coalesce<'c>(
    call: &mut JsCall<'c>,
    waiting: &RefCell<PendingDelta>,
    [now, event]: [Handle<'c>; 2],
) -> Option<Handle<'c>> {
    // No JavaScript runs during the borrow.
    let mut waiting = waiting.try_borrow_mut().ok()?;
    let answer = catch_unwind(AssertUnwindSafe(|| waiting.answer(call, now, event)));
    let answer = answer.unwrap_or_else(|_| Err(Error::new(Code::Internal, "panic")));
    call.string(&answer.unwrap_or_else(|error| format!("{{\"error\":{}}}", error::describe(&error))))
}

impl PendingDelta {
    fn answer(
        &mut self,
        call: &mut JsCall<'_>,
        now: Handle<'_>,
        event: Handle<'_>,
    ) -> std::result::Result<String, Error> {
        let now = call.int(now).and_then(|now| u64::try_from(now).ok()).unwrap_or_default();
        let now = Duration::from_micros(now);
        let out = if call.is_true(event) {
            self.adjacent.flush(now).into_iter().collect()
        } else if let Some(json) = call.text(event, &mut self.room) {
            let number = self.calls;
            self.calls += 1;
            self.reader
                .read(&*json)?
                .map_or_else(Vec::new, |read| self.adjacent.push(read.event, number, now))
        } else {
            self.adjacent.interrupt(now).into_iter().collect()
        };
        let out: Vec<String> = out.into_iter().map(written).collect();
        let waits = self.adjacent.waiting_object().map_or_else(|| "null".to_owned(), usize::to_string);
        let deadline = self.adjacent.deadline().filter(|deadline| *deadline < Duration::MAX);
        let deadline = deadline.map_or_else(|| "null".to_owned(), |at| at.as_micros().to_string());
        let is_waiting = self.adjacent.deadline().is_some();
        Ok(format!(
            "{{\"out\":[{}],\"waits\":{waits},\"isWaiting\":{is_waiting},\"deadline\":{deadline}}}",
            out.join(",")
        ))
    }
}

fn written(Coalesced { event, object }: Coalesced<usize>) -> String {
    object.map_or_else(|| json_of(&event), |number| number.to_string())
}
