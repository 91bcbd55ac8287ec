//! The engines: state machines that JavaScript calls as functions.

pub mod call;
pub mod feed;
pub mod output;

use std::time::Duration;

use ag_ui_native::bindings::idle::IdleWait;
use ag_ui_native::bindings::json::{Input, ParseOptions, Tape};
use ag_ui_native::{Error, Value};

use crate::border::Ask;
use crate::client::object;
use call::EngineCall;
use output::Output;

/// Reads the thread and the run that a stream was requested for from the argument of `Ask::Asked`.
pub fn asked(about: &str) -> (String, String) {
    let mut tape = Tape::default();
    let parsed =
        tape.parse(about, ParseOptions { depth: 2, replace_invalid_text: true }).map(Input::to_value);
    let ids = if let Ok(Value::Array(ids)) = parsed { ids } else { Vec::new() };
    let mut ids = ids.iter().map(|id| id.as_str().unwrap_or_default().to_owned());
    (ids.next().unwrap_or_default(), ids.next().unwrap_or_default())
}

/// The answer to `Ask::IdleTime`: milliseconds, nothing for no limit, or `end`.
#[allow(clippy::cast_precision_loss)] // There are no times of so many digits.
pub fn idle_time(about: &str, left: impl FnOnce(Duration, Option<Duration>, bool) -> IdleWait) -> String {
    let about = object(about);
    match left(about.clock_time("now"), about.time("idle"), about.flag("isOneRun")) {
        IdleWait::Unlimited => String::new(),
        IdleWait::AtMost(left) => (left.as_nanos() as f64 / 1e6).to_string(),
        IdleWait::AtEnd => "end".to_owned(),
    }
}

/// A machine that reads text and writes its results into its output.
pub trait Engine {
    /// Reads a chunk of a stream, or events as text. Results before a failure are in the output, or were handed over to `host`.
    fn read(&mut self, input: &[u8], host: &mut EngineCall<'_, '_>) -> Result<(), Error>;

    /// Reads a chunk in JavaScript's memory, without a host: no JavaScript may run during the call. Returns `None` if the engine needs a
    /// host: then the chunk is copied first.
    fn read_in_place(&mut self, _chunk: &[u8]) -> Option<Result<(), Error>> {
        None
    }

    /// Reads one event that has only its tag and its required members, which are strings: see `DocumentReader::strings`. Returns `None` if
    /// the engine needs the event as text.
    fn read_strings(
        &mut self,
        _place: usize,
        _strings: &[&str],
        _host: &mut EngineCall<'_, '_>,
    ) -> Option<Result<(), Error>> {
        None
    }

    /// Verifies the projection of an event: its tag, its required strings, and its `subagentRunId` if there is one; a refused event
    /// changes nothing. Returns true if the same event gives the same result again, or `None` if the engine needs the event as text.
    fn step(&mut self, _place: usize, _strings: &[&str], _tag: Option<&str>) -> Option<Result<bool, Error>> {
        None
    }

    /// Ends the stream.
    fn close(&mut self, _host: &mut EngineCall<'_, '_>) -> Result<(), Error> {
        self.output().buffer.clear();
        Ok(())
    }

    /// Ends the stream because of a failure in JavaScript; `text` is its text for the client. For guards.
    fn fail(&mut self, _text: Option<&str>) -> Result<(), Error> {
        self.output().buffer.clear();
        Ok(())
    }

    /// Answers a request of JavaScript as JSON text; `about` is the argument of the request.
    fn ask(&mut self, _ask: Ask, _about: &str) -> Result<String, Error> {
        Ok(String::new())
    }

    /// Returns the output.
    fn output(&mut self) -> &mut Output;
}
