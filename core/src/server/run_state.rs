//! The client's state in the agent's hands.

use super::state::StateTracker;
use crate::error::Error;
use crate::json::{Object, Value};
use crate::limits::Limits;
use crate::patch::apply;
use crate::types::{Event, StateSnapshotEvent};

/// When what an agent has made of its state is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StateFlush {
    /// When what it has written is taken, which it is wherever the agent awaits; and at the end of the run.
    #[default]
    Await,
    /// At the end of the run.
    End,
    /// Not by itself.
    Manual,
}

/// A state, of which a tracker knows what the client has.
#[derive(Debug)]
pub(super) struct RunState {
    pub flush: StateFlush,
    limits: Limits,
    /// Nothing before somebody has had the state in hand, who could have changed it.
    followed: Option<Followed>,
}

#[derive(Debug)]
pub(super) struct Followed {
    pub current: Value,
    tracker: StateTracker,
}

impl RunState {
    pub fn new(limits: Limits) -> Self {
        Self { flush: StateFlush::default(), limits, followed: None }
    }

    /// The state; it begins as the one that was `given` with the input.
    pub fn follow(&mut self, given: Option<&Value>) -> &mut Followed {
        let limits = self.limits;
        self.followed.get_or_insert_with(|| {
            let base = given.cloned().unwrap_or_else(|| Object::default().into());
            // Clients without a state send none, or null.
            let current = if base == Value::Null { Object::default().into() } else { base.clone() };
            Followed { current, tracker: tracker(limits, base) }
        })
    }

    /// Sends what brings the client to the state, if it is not there.
    pub fn flush(&mut self, send: impl FnOnce(Event) -> Result<(), Error>) -> Result<(), Error> {
        let Some(followed) = &mut self.followed else { return Ok(()) };
        let Some(event) = followed.tracker.flush(&followed.current)? else { return Ok(()) };
        send(event).inspect_err(|_| {
            // The client has not got it: what it has is not known any more.
            followed.tracker = StateTracker::new().with_limits(self.limits);
        })
    }

    /// Sends STATE_SNAPSHOT or STATE_DELTA, an event that the agent makes itself. The state becomes what the client's does.
    pub fn send(
        &mut self,
        given: Option<&Value>,
        event: Event,
        mut send: impl FnMut(Event) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let next = match &event {
            Event::StateSnapshot(StateSnapshotEvent { snapshot, .. }) => snapshot.clone(),
            Event::StateDelta(delta) => {
                self.follow(given);
                self.flush(&mut send)?;
                let mut next = self.follow(given).current.clone();
                apply(&mut next, &delta.delta, &self.limits)?;
                next
            }
            _ => return send(event),
        };
        send(event)?;
        self.followed = Some(Followed { tracker: tracker(self.limits, next.clone()), current: next });
        Ok(())
    }
}

/// A tracker that knows what the client has; or does not, where that is nothing that could have been sent.
fn tracker(limits: Limits, base: Value) -> StateTracker {
    let blank = StateTracker::new().with_limits(limits);
    blank.clone().with_base(base).unwrap_or(blank)
}
