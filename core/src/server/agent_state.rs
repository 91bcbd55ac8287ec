//! The agent's access to the state of its run.

use super::run::Run;
use super::run_state::RunState;
use super::writer::RunWriter;
use crate::error::Error;
use crate::json::{Value, from_value};
use crate::types::{Event, StateSnapshotEvent};

impl Run {
    /// The state: the client's, and what has been made of it here. It begins as the input's, or as an object without members.
    pub fn state(&self) -> Value {
        self.lock_state().read(self.input.state.as_ref(), Value::clone)
    }

    /// The state as a type of yours.
    ///
    /// # Errors
    /// `wrong_type` where it is none.
    pub fn state_as<S: serde::de::DeserializeOwned>(&self) -> Result<S, Error> {
        self.lock_state().read(self.input.state.as_ref(), from_value)
    }

    /// Changes the state. What it has become is sent where the agent awaits and at the end of the run, if nothing else is said
    /// ([`StateFlush`](super::StateFlush)), as a small patch or as a whole. The state is locked meanwhile: `work` must not call the run.
    pub fn with_state<R>(&self, work: impl FnOnce(&mut Value) -> R) -> R {
        let mut state = self.lock_state();
        let followed = state.follow(self.input.state.as_ref());
        followed.is_touched = true;
        // Every await sends, also one behind what was written before: that stays before the change.
        self.with(RunWriter::begin_call);
        work(&mut followed.current)
    }

    /// Puts another state in its place.
    pub fn set_state(&self, state: impl Into<Value>) {
        let state = state.into();
        self.with_state(|current| *current = state);
    }

    /// Replaces the state by the JSON that serde makes of a value.
    ///
    /// # Errors
    /// `wrong_type` for what it does not.
    pub fn set_state_of<S: serde::Serialize + ?Sized>(&self, state: &S) -> Result<(), Error> {
        self.set_state(Value::from_serde(state)?);
        Ok(())
    }

    /// Brings the client to the state: by STATE_DELTA or STATE_SNAPSHOT, whichever is shorter; by nothing if it is there.
    ///
    /// # Errors
    /// Those of [`StateTracker::flush`](super::StateTracker::flush) and of [`text_message`](Self::text_message).
    pub fn flush_state(&self) -> Result<(), Error> {
        let mut state = self.lock_state();
        self.with(RunWriter::state_compared);
        state.flush(|event| self.writing(|writer| writer.send(event, None)))
    }

    /// Brings the client to the state where the agent awaits, if that is due. The event goes before what was written last.
    pub(super) fn flush_at_await(&self) -> Result<(), Error> {
        let mut state = self.lock_state();
        if !self.with(|writer| writer.wants_state_at_awaits()) || !self.is_due(&state) {
            return Ok(());
        }
        self.with(RunWriter::state_compared);
        state.flush(|event| self.writing(|writer| writer.send_before_call(&event)))
    }

    /// Sends STATE_SNAPSHOT or STATE_DELTA of the agent's own.
    pub(super) fn send_state_event(&self, event: &Event) -> Result<(), Error> {
        let mut state = self.lock_state();
        let is_due = self.is_due(&state);
        let flush = |event| self.writing(|writer| writer.send(event, None));
        let send = |event| self.writing(|writer| writer.send(event, self.tag()));
        state.send(self.input.state.as_ref(), event, is_due, flush, send)
    }

    /// True if the state is to be compared where the agent awaits.
    fn is_due(&self, state: &RunState) -> bool {
        let (is_due, warning) = self.with(|writer| state.is_due(writer));
        if let Some(warning) = warning {
            self.warn(&warning);
        }
        is_due
    }

    /// Warns the agent's author in the log. The client does not see it.
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
