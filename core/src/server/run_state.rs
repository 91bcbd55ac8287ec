//! The client's state in the agent's hands.

use super::state::{StateDue, StateTracker};
use super::writer::RunWriter;
use crate::error::Error;
use crate::json::{Object, Value};
use crate::limits::Limits;
use crate::patch::apply;
use crate::types::{Event, StateDeltaEvent, StateSnapshotEvent};

/// When what an agent has made of its state is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StateFlush {
    /// When what it has written is taken, which it is wherever the agent awaits; and at the end of the run. A state of more values than
    /// [`Limits::state_values`] only when something has ended: a message, a tool call, a step.
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
    /// Somebody has had it in hand since it was last compared.
    pub is_touched: bool,
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
            // A client that sends null has no state, and here is one.
            Followed { current, is_touched: true, tracker: tracker(limits, base) }
        })
    }

    /// The state, to be looked at.
    pub fn read<R>(&self, given: Option<&Value>, look: impl FnOnce(&Value) -> R) -> R {
        match (&self.followed, given) {
            (Some(followed), _) => look(&followed.current),
            (None, Some(given)) if *given != Value::Null => look(given),
            _ => look(&Object::default().into()),
        }
    }

    /// Whether the state is to be compared where the agent awaits. If one is told of the first time that it is not: how.
    pub fn is_due(&self, writer: &mut RunWriter) -> (bool, Option<Error>) {
        let Some(followed) = self.followed.as_ref().filter(|followed| followed.is_touched) else {
            return (false, None);
        };
        match writer.state_due(followed.tracker.values()) {
            StateDue::Always | StateDue::Now => (true, None),
            StateDue::Later(warning) => (false, warning),
        }
    }

    /// Sends what brings the client to the state, if it is not there.
    pub fn flush(&mut self, send: impl FnOnce(Event) -> Result<(), Error>) -> Result<(), Error> {
        let Some(followed) = self.followed.as_mut().filter(|followed| followed.is_touched) else {
            return Ok(());
        };
        if let Some(event) = followed.tracker.flush(&followed.current)? {
            send(event).inspect_err(|_| {
                // The client has not got it: what it has is not known any more.
                followed.tracker = StateTracker::new().with_limits(self.limits);
            })?;
        }
        followed.is_touched = false;
        Ok(())
    }

    /// Sends STATE_SNAPSHOT or STATE_DELTA, an event that the agent makes itself. The state becomes what the client's does.
    pub fn send(
        &mut self,
        given: Option<&Value>,
        event: Event,
        mut send: impl FnMut(Event) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let limits = self.limits;
        match &event {
            Event::StateSnapshot(StateSnapshotEvent { snapshot, .. }) => {
                let current = snapshot.clone();
                send(event)?;
                let tracker = tracker(limits, current.clone());
                self.followed = Some(Followed { current, is_touched: false, tracker });
                Ok(())
            }
            Event::StateDelta(StateDeltaEvent { delta, .. }) => {
                self.follow(given);
                self.flush(&mut send)?;
                let (followed, delta) = (self.follow(given), delta.clone());
                apply(&mut followed.current, &delta, &limits)?;
                send(event).inspect_err(|_| followed.take_back())?;
                followed.tracker.has_sent(&delta);
                Ok(())
            }
            _ => send(event),
        }
    }
}

impl Followed {
    /// The state is as the client has it: it was changed for something that could not be sent.
    fn take_back(&mut self) {
        if let Some(sent) = self.tracker.sent() {
            self.current = sent.clone();
        }
    }
}

/// A tracker that knows what the client has; or does not, where that is nothing that could have been sent.
fn tracker(limits: Limits, base: Value) -> StateTracker {
    let blank = StateTracker::new().with_limits(limits);
    blank.clone().with_base(base).unwrap_or(blank)
}
