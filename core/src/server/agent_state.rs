//! The agent's access to the state of its run.

use super::run::Run;
use super::run_state::RunState;
use super::writer::RunWriter;
use crate::error::Error;
use crate::json::{Value, from_value};
use crate::types::{Event, StateSnapshotEvent};

impl Run {
    /// Returns the state, with all changes of the agent. It begins as the input's state, or as an empty object.
    pub fn state(&self) -> Value {
        self.lock_state().read(self.input.state.as_ref(), Value::clone)
    }

    /// Reads the state as a type of your own.
    ///
    /// # Errors
    /// `wrong_type` if the state does not have this type.
    pub fn state_as<S: serde::de::DeserializeOwned>(&self) -> Result<S, Error> {
        self.lock_state().read(self.input.state.as_ref(), from_value)
    }

    /// Changes the state. By default, the change is sent when the agent awaits and at the end of the run
    /// ([`StateFlush`](super::StateFlush)), as a small patch or as a whole. The state is locked during the call: `work`
    /// must not call the run.
    pub fn with_state<R>(&self, work: impl FnOnce(&mut Value) -> R) -> R {
        let mut state = self.lock_state();
        let followed = state.follow(self.input.state.as_ref());
        followed.is_touched = true;
        // Frames that were written before the change stay before the state's event, which the next await writes.
        self.with(RunWriter::begin_call);
        work(&mut followed.current)
    }

    /// Replaces the state.
    pub fn set_state(&self, state: impl Into<Value>) {
        let state = state.into();
        self.with_state(|current| *current = state);
    }

    /// Replaces the state by a value that serde can serialize.
    ///
    /// # Errors
    /// `wrong_type` for a value without a JSON form.
    pub fn set_state_of<S: serde::Serialize + ?Sized>(&self, state: &S) -> Result<(), Error> {
        self.set_state(Value::from_serde(state)?);
        Ok(())
    }

    /// Sends the state to the client, as STATE_DELTA or STATE_SNAPSHOT, whichever is shorter. Sends nothing if the
    /// client has it.
    ///
    /// # Errors
    /// Those of [`StateTracker::flush`](super::StateTracker::flush) and of [`text_message`](Self::text_message).
    pub fn flush_state(&self) -> Result<(), Error> {
        let mut state = self.lock_state();
        self.with(RunWriter::state_compared);
        state.flush(|event| self.writing(|writer| writer.send(event, None)))
    }

    /// Sends the state at an await of the agent, if it is due. The event is placed before the frames of the last call.
    pub(super) fn flush_at_await(&self) -> Result<(), Error> {
        let mut state = self.lock_state();
        if !self.with(|writer| writer.wants_state_at_awaits()) || !self.is_due(&state) {
            return Ok(());
        }
        self.with(RunWriter::state_compared);
        state.flush(|event| self.writing(|writer| writer.send_before_call(&event)))
    }

    /// Sends a STATE_SNAPSHOT or STATE_DELTA that the agent has made.
    pub(super) fn send_state_event(&self, event: &Event) -> Result<(), Error> {
        let mut state = self.lock_state();
        let is_due = self.is_due(&state);
        let flush = |event| self.writing(|writer| writer.send(event, None));
        let send = |event| self.writing(|writer| writer.send(event, self.tag()));
        state.send(self.input.state.as_ref(), event, is_due, flush, send)
    }

    /// True if the state must be compared at this await.
    fn is_due(&self, state: &RunState) -> bool {
        let (is_due, warning) = self.with(|writer| state.is_due(writer));
        if let Some(warning) = warning {
            self.warn(&warning);
        }
        is_due
    }

    /// Logs a warning for the author of the agent. The client does not see it.
    #[cfg_attr(not(feature = "server"), allow(unused_variables, clippy::unused_self))] // Only servers have a log.
    fn warn(&self, warning: &Error) {
        #[cfg(feature = "server")]
        {
            let crate::types::RunAgentInput { thread_id, run_id, .. } = &*self.input;
            tracing::warn!(target: "ag_ui_native::server", thread_id, run_id, "{warning}");
        }
    }

    /// Replaces the state, and sends all of it.
    ///
    /// # Errors
    /// Those of [`text_message`](Self::text_message).
    pub fn state_snapshot(&self, state: impl Into<Value>) -> Result<(), Error> {
        self.send(StateSnapshotEvent::new(state))
    }
}
