//! What came of a call.

use ag_ui_native::Error;
use ag_ui_native::host::decoder::Warning;

use crate::error;
use crate::tape::Tape;

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
        error::warnings(&warnings)
    }
}
