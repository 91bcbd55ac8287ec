//! Every way to end a run. Its first cause decides, and behind a conclusion exactly one terminal event has been written.

use std::convert::Infallible;
use std::fmt::Display;
use std::time::Duration;

use super::cause::{Cause, Conclusion, Note};
use super::close::Ending;
use super::writer::RunWriter;
use crate::defaults::END_GRACE;
use crate::error::{Code, Error};

/// What has come of sending the state before the end where there is none.
const NO_STATE: Result<(), Infallible> = Ok(());

impl RunWriter {
    /// Notes why the run is going to end, before its agent is told to stop: it ends so, whatever the agent does then. Only the first cause
    /// counts.
    pub fn decide(&mut self, cause: Cause) {
        match &mut self.ended {
            // Its end may wait to be read.
            Some(ended) => ended.is_limited |= cause.is_limited(),
            None => {
                self.decided.get_or_insert(cause);
            }
        }
    }

    /// Whether it is known how the run ends, or it has.
    #[doc(hidden)]
    pub fn is_decided(&self) -> bool {
        self.decided.is_some() || self.ended.is_some()
    }

    /// Whether the state is to be sent before the end: somebody may have it still.
    #[doc(hidden)]
    pub fn wants_state(&self) -> bool {
        self.is_running() && !self.frames.dropped
    }

    /// Ends the run, unless it has ended: as the first cause says that was given, here or to [`decide`](Self::decide). What is open is closed
    /// first, and whatever cannot be sent is left out. `state` is what has come of sending the state before it; with `show_errors` the client
    /// sees why the agent has failed.
    ///
    /// ```
    /// use ag_ui_native::Limits;
    /// use ag_ui_native::server::{Cause, RunWriter, Transport};
    /// use ag_ui_native::types::RunAgentInput;
    ///
    /// let mut run = RunWriter::new(Transport::Text, Limits::default());
    /// run.start(&RunAgentInput::new("t", "r", vec![]), false)?;
    /// run.decide(Cause::TimedOut); // then the agent is told to stop, and returns all the same
    /// let conclusion = run.conclude(Cause::Returned(None), Ok::<(), std::fmt::Error>(()), false);
    /// assert!(conclusion.is_forced && conclusion.note.is_none());
    /// assert!(String::from_utf8_lossy(run.waiting()).contains("run_timeout"));
    /// # Ok::<(), ag_ui_native::Error>(())
    /// ```
    pub fn conclude<E: Display>(
        &mut self,
        cause: Cause,
        state: Result<(), E>,
        show_errors: bool,
    ) -> Conclusion<E> {
        if let Some(ended) = self.ended {
            let is_lost = matches!(cause, Cause::Returned(Some(_))) && ended.is_own;
            let note = is_lost.then(|| Note::ValueLost(ended.error()));
            return Conclusion { is_forced: false, note };
        }
        let cause = self.decided.take().unwrap_or(cause);
        let (is_forced, is_limited) = (cause.is_forced(), cause.is_limited());
        let failed = |error: &dyn Display| {
            let text = show_errors.then(|| error.to_string());
            Ending::agent_failed(text.as_deref())
        };
        let (ending, note) = match (cause, state) {
            (Cause::Returned(_) | Cause::Unsent, Err(error)) => {
                (failed(&error), Some(Note::StateFailed(error)))
            }
            (cause, state) => (cause.ending(show_errors), state.err().map(Note::StateLeftOut)),
        };
        let spare = ending.spares_state().then(|| ending.clone());
        let note = match self.end_run(ending) {
            Ok(()) => note,
            Err(error) => {
                self.end_barely(spare.unwrap_or_else(|| failed(&error)));
                Some(Note::EndRefused(error))
            }
        };
        if let Some(ended) = &mut self.ended {
            (ended.is_own, ended.is_limited) = (false, is_limited);
        }
        Conclusion { is_forced, note }
    }

    /// Ends the run by an event that every transport holds, if not by this one.
    fn end_barely(&mut self, ending: Ending) {
        if self.end_run(ending).is_err() {
            self.usage.clear();
            let _ = self.end_run(Ending::agent_failed(None));
        }
    }

    /// Looks whether there is room to write where no more than so many bytes may wait. If there is none, the run ends with the code
    /// `client_too_slow`, whatever its agent makes of the error.
    ///
    /// # Errors
    /// `client_too_slow`, with the limit `max_waiting`.
    pub fn check_room(&mut self, max_waiting: usize) -> Result<(), Error> {
        if !self.is_running() || self.waiting().len() < max_waiting {
            return Ok(());
        }
        self.conclude(Cause::ClientTooSlow, NO_STATE, false);
        Err(Error { limit: Some("max_waiting"), ..Error::new(Code::ClientTooSlow, "") })
    }

    /// Nobody takes frames any more: what is written from now on is judged and forgotten, and the run ends as that of a client that has
    /// gone.
    pub fn drop_frames(&mut self) {
        self.decide(Cause::ClientGone);
        self.frames.dropped = true;
        self.clear();
    }

    /// How long the client may take to read the end of the run: any time where the agent has ended it.
    #[doc(hidden)]
    pub fn grace(&self) -> Option<Duration> {
        self.ended.is_some_and(|ended| ended.is_limited).then_some(END_GRACE)
    }
}
