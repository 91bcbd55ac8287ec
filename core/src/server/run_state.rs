//! The state of a run, as the agent changes it.

use super::state::{StateDue, StateTracker, is_delta_sent_again};
use super::writer::RunWriter;
use crate::error::Error;
use crate::json::{Object, Value};
use crate::limits::Limits;
use crate::types::{Event, StateDeltaEvent, StateSnapshotEvent};

/// A state, with a tracker of the client's state.
#[derive(Debug)]
pub(super) struct RunState {
    limits: Limits,
    /// `None` before the first access that could have changed the state.
    followed: Option<Followed>,
}

#[derive(Debug)]
pub(super) struct Followed {
    pub current: Value,
    /// True if the agent has accessed it since the last comparison.
    pub is_touched: bool,
    tracker: StateTracker,
}

impl RunState {
    pub fn new(limits: Limits) -> Self {
        Self { limits, followed: None }
    }

    /// Returns the state. It begins as the state `given` with the input.
    pub fn follow(&mut self, given: Option<&Value>) -> &mut Followed {
        let limits = self.limits;
        self.followed.get_or_insert_with(|| {
            let base = given.cloned().unwrap_or_else(|| Object::default().into());
            // A client without a state sends none, or null.
            let current = if base == Value::Null { Object::default().into() } else { base.clone() };
            // After null, the first update brings the client to the empty object.
            Followed { current, is_touched: true, tracker: tracker(limits, base) }
        })
    }

    /// Calls `look` with the state.
    pub fn read<R>(&self, given: Option<&Value>, look: impl FnOnce(&Value) -> R) -> R {
        match (&self.followed, given) {
            (Some(followed), _) => look(&followed.current),
            (None, Some(given)) if *given != Value::Null => look(given),
            _ => look(&Object::default().into()),
        }
    }

    /// Returns true if the state must be compared at this await. The first time that it is not, a warning is returned
    /// too.
    pub fn is_due(&self, writer: &mut RunWriter) -> (bool, Option<Error>) {
        let Some(followed) = self.followed.as_ref().filter(|followed| followed.is_touched) else {
            return (false, None);
        };
        match writer.state_due(followed.tracker.values()) {
            StateDue::Always | StateDue::Now => (true, None),
            StateDue::Later(warning) => (false, warning),
        }
    }

    /// Sends the event that brings the client to the state, unless the client has it.
    pub fn flush(&mut self, send: impl FnOnce(Event) -> Result<(), Error>) -> Result<(), Error> {
        let Some(followed) = self.followed.as_mut().filter(|followed| followed.is_touched) else {
            return Ok(());
        };
        followed.tracker.flush_by(&followed.current, send)?;
        followed.is_touched = false;
        Ok(())
    }

    /// Sends a STATE_SNAPSHOT or STATE_DELTA that the agent has made, and applies it to the state. The time for a delta
    /// depends on the delta, not on the state. `flush` sends the state before it, which may be needed even if the state
    /// is not due.
    pub fn send(
        &mut self,
        given: Option<&Value>,
        event: &Event,
        is_due: bool,
        mut flush: impl FnMut(Event) -> Result<(), Error>,
        send: impl Fn(Event) -> Result<(), Error>,
    ) -> Result<(), Error> {
        match event {
            Event::StateSnapshot(StateSnapshotEvent { snapshot, .. }) => {
                send(event.clone())?;
                let tracker = tracker(self.limits, snapshot.clone());
                self.followed = Some(Followed { current: snapshot.clone(), is_touched: false, tracker });
                Ok(())
            }
            Event::StateDelta(StateDeltaEvent { delta, .. }) => {
                self.follow(given);
                if is_due {
                    self.flush(&mut flush)?;
                }
                let pass_on = |followed: &mut Followed| {
                    followed.tracker.pass_on(&mut followed.current, delta, || send(event.clone()))
                };
                match pass_on(self.follow(given)) {
                    Err(error) if is_delta_sent_again(&error) => {
                        self.flush(&mut flush)?;
                        pass_on(self.follow(given))
                    }
                    passed => passed,
                }
            }
            _ => send(event.clone()),
        }
    }
}

/// Makes a tracker that knows the client's state, unless `base` is no state that an event can carry.
fn tracker(limits: Limits, base: Value) -> StateTracker {
    let blank = StateTracker::new().with_limits(limits);
    blank.clone().with_base(base).unwrap_or(blank)
}
