//! What works behind a function that JavaScript calls again and again, and what came of a call.

use ag_ui_native::Error;
use ag_ui_native::host::stream::Warning;

use crate::border::Ask;
use crate::problems;
use crate::raw::Host;
use crate::tape::Tape;

/// A machine that reads text and leaves what comes of it in its output.
pub trait Engine {
    /// Reads: a chunk of a stream, or events as text. None ends the stream. What was read before a failure is in the
    /// output, or has been handed over to `host` already.
    fn run(&mut self, input: Option<&[u8]>, host: &mut Host) -> Result<(), Error>;

    /// Reads one event that has just its tag and its required members, which are strings: see `DocumentReader::strings`. Nothing
    /// if it is to come as text.
    fn strings(&mut self, _place: usize, _strings: &[&str], _host: &mut Host) -> Option<Result<(), Error>> {
        None
    }

    /// Whether it has JavaScript carry out something before a call is over.
    fn calls_back(&self) -> bool {
        false
    }

    /// JavaScript found, after a call, that a patch of the state does not apply; `failure` describes it.
    fn unpatched(&mut self, _failure: &str) -> Result<(), Error> {
        Ok(())
    }

    /// What came of it.
    fn output(&mut self) -> &mut Output;

    /// The answer to what JavaScript asks for besides, as JSON text.
    fn ask(&mut self, ask: Ask) -> String;
}

/// What is to be handed over after a call.
#[derive(Debug, Default)]
pub struct Output {
    /// What was made.
    pub tape: Tape,
    /// Why the call failed.
    pub error: Option<Error>,
    /// The warnings that JavaScript has not asked for yet.
    pub warnings: Vec<Warning>,
}

impl Output {
    /// Ends the stream with a failure that did not come from its input.
    pub fn fail(&mut self, error: Error) {
        self.error = Some(error);
        self.tape.clear();
    }

    /// Adds what the stages say of events: of each, before what became of its patch.
    pub fn add_warnings(&mut self, warnings: Vec<Warning>) {
        self.warnings.splice(0..0, warnings);
    }

    /// The warnings since the last time, as JSON text.
    pub fn take_warnings(&mut self) -> String {
        let mut warnings = std::mem::take(&mut self.warnings);
        warnings.sort_by_key(|warning| warning.event_index);
        problems::warnings(&warnings)
    }
}
