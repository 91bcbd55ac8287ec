//! All ways to end a run. The first cause counts, and after a conclusion exactly one terminal event has been written.

use std::convert::Infallible;
use std::fmt::Display;
use std::time::Duration;

use super::cause::{Cause, Conclusion, Note, OwnEnd, Unended};
use super::ending::{Ended, Ending};
use super::state_flush::StateFlush;
use super::websocket::Close;
use super::writer::RunWriter;
use crate::error::{Code, Error};
use crate::types::{Event, RunFinishedOutcome};

/// The result of sending the state, for runs without a state.
const NO_STATE: Result<(), Infallible> = Ok(());

impl RunWriter {
    /// Fixes the cause of the run's end, before the agent is told to stop. The agent cannot change it any more. Only
    /// the first cause counts.
    #[doc(hidden)]
    pub fn decide(&mut self, cause: Cause) {
        match &mut self.ended {
            // A server that shuts down limits the time for reading the end.
            Some(ended) if cause == Cause::Stopped => {
                (ended.is_limited, ended.close_code) = (true, Close::GOING_AWAY);
            }
            Some(_) => {}
            None => {
                self.decided.get_or_insert(cause);
            }
        }
    }

    /// True if the cause of the end is fixed, or the run has ended.
    #[doc(hidden)]
    pub fn is_decided(&self) -> bool {
        self.decided.is_some() || self.ended.is_some()
    }

    /// True if the state is to be sent before the end, by [`StateFlush`].
    #[doc(hidden)]
    pub fn wants_state(&self) -> bool {
        self.is_running() && !self.frames.dropped && self.state_flush != StateFlush::Manual
    }

    /// True if the state is to be sent when the agent awaits a write.
    #[doc(hidden)]
    pub fn wants_state_at_awaits(&self) -> bool {
        self.is_running() && self.state_flush == StateFlush::Await
    }

    /// Ends the run by a call of its agent. `state` is the result of sending the state before. A success and interrupts
    /// need the state; other ends leave out a state that cannot be sent.
    ///
    /// # Errors
    /// The reason why the run continues: the error of the state, or an error of [`end_run`](Self::end_run).
    #[doc(hidden)]
    pub fn end_behind<E: Display>(&mut self, state: Result<(), E>, ending: Ending) -> OwnEnd<E> {
        self.end_own(state, ending.spares_state(), |run| run.end_run(ending))
    }

    /// Ends the run by an event that the agent has made, which must be legal as it is: see [`send`](Self::send).
    ///
    /// # Errors
    /// The reason why the run continues.
    #[doc(hidden)]
    pub fn send_behind<E: Display>(&mut self, state: Result<(), E>, event: Event) -> OwnEnd<E> {
        let spares_state = match &event {
            Event::RunFinished(event) => matches!(event.outcome, Some(RunFinishedOutcome::Cancelled(_))),
            _ => true,
        };
        self.end_own(state, spares_state, |run| run.send(event, None))
    }

    fn end_own<E: Display>(
        &mut self,
        state: Result<(), E>,
        spares_state: bool,
        end: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> OwnEnd<E> {
        match state {
            Err(error) if !spares_state && !self.is_decided() => Err(Unended::State(error)),
            state => {
                end(self).map_err(Unended::Refused)?;
                Ok(state.err().map(Note::StateLeftOut))
            }
        }
    }

    /// Ends the run by the cause that is fixed, because the agent ends it too late.
    pub(super) fn end_as_decided(&mut self) {
        self.conclude(Cause::CalledOff, NO_STATE);
    }

    /// Ends the run, unless it has ended, by the first cause that was given, here or to [`decide`](Self::decide). Open
    /// entities are closed first, and events that cannot be sent are left out. `state` is the result of sending the
    /// state before.
    ///
    /// ```
    /// use ag_ui_native::Limits;
    /// use ag_ui_native::bindings::server::{Cause, RunWriter, WireFormat};
    /// use ag_ui_native::types::RunAgentInput;
    ///
    /// let mut run = RunWriter::new(WireFormat::Text, Limits::default());
    /// run.start(&RunAgentInput::new("t", "r", vec![]), false)?;
    /// run.decide(Cause::TimedOut); // then the agent is told to stop, and returns all the same
    /// let conclusion = run.conclude(Cause::Returned(None), Ok::<(), std::fmt::Error>(()));
    /// assert!(conclusion.is_forced && conclusion.note.is_none());
    /// assert!(String::from_utf8_lossy(run.waiting()).contains("run_timeout"));
    /// # Ok::<(), ag_ui_native::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn conclude<E: Display>(&mut self, cause: Cause, state: Result<(), E>) -> Conclusion<E> {
        if let Some(ended) = self.ended {
            let is_lost = matches!(cause, Cause::Returned(Some(_))) && ended.is_own;
            let note = is_lost.then(|| Note::ValueLost(ended.error()));
            return Conclusion { is_forced: ended.is_forced, note };
        }
        let cause = self.decided.take().unwrap_or(cause);
        let (is_forced, is_limited) = (cause.is_forced(), cause.is_limited());
        let close_code = if cause == Cause::Stopped { Close::GOING_AWAY } else { Close::DONE };
        let show_errors = self.show_errors;
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
            *ended = Ended { is_own: false, is_forced, is_limited, close_code, ..*ended };
        }
        Conclusion { is_forced, note }
    }

    /// Ends the run by an event without data, which every wire format can encode.
    fn end_barely(&mut self, ending: Ending) {
        if self.end_run(ending).is_err() {
            self.usage.clear();
            let _ = self.end_run(Ending::agent_failed(None));
        }
    }

    /// Checks that no more than `max_waiting` bytes are waiting. If there are more, the run ends with the code
    /// `client_too_slow`, even if the agent catches the error.
    ///
    /// # Errors
    /// `client_too_slow`, with the limit `max_waiting`.
    #[doc(hidden)]
    pub fn check_room(&mut self, max_waiting: usize) -> Result<(), Error> {
        if !self.is_running() || self.waiting().len() < max_waiting {
            return Ok(());
        }
        self.conclude(Cause::ClientTooSlow, NO_STATE);
        Err(Error { limit: Some("max_waiting"), ..Error::new(Code::ClientTooSlow, "") })
    }

    /// Called when the client has disconnected: later writes are verified and dropped, and the run ends with the cause
    /// [`Cause::ClientGone`].
    #[doc(hidden)]
    pub fn drop_frames(&mut self) {
        self.decide(Cause::ClientGone);
        self.frames.dropped = true;
        self.clear();
    }

    /// The time that the client has to read the end of the run. `None` if the agent itself has ended it.
    #[doc(hidden)]
    pub fn grace(&self) -> Option<Duration> {
        let is_limited = match (&self.ended, &self.decided) {
            (Some(ended), _) => ended.is_limited,
            (None, decided) => decided.as_ref().is_some_and(Cause::is_limited),
        };
        is_limited.then_some(self.grace)
    }

    /// The close code of a WebSocket after the run.
    #[doc(hidden)]
    pub fn websocket_close(&self) -> Close {
        Close::with_code(self.ended.map_or(Close::DONE, |ended| ended.close_code))
    }
}
