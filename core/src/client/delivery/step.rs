//! The steps that a host carries out for a delivery, and the answers that it gives.

use super::callback::Callback;
use crate::reduce::ChangeKind;

/// The next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeliveryStep {
    /// Call a subscriber. Answered by `answered`, `raised`, `absent` or `left`, with the ticket.
    Notify(Notify),
    /// Reduce the event. Answered by `reduced`, or by `cut` if that fails.
    Reduce(Reduce),
    /// All subscribers are notified.
    Done(Delivered),
    /// Stop the delivery: the error of the callback is the failure of the run.
    Raise,
    /// The input was unexpected or late. Nothing changes.
    Wait,
}

/// The call of one subscriber.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Notify {
    /// The number of the call; each call has the next number.
    pub ticket: u32,
    /// The callback.
    pub callback: Callback,
    /// The place of the subscriber.
    pub subscriber: usize,
    /// The place of the complete message or call in the host's list. `None`: the subject of the event.
    pub subject: Option<usize>,
}

/// The way to reduce an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduce {
    /// Reduce it as a whole.
    Whole,
    /// Begin a run without its messages: calls of the run before are no longer pending.
    Begin,
    /// Read the end of the run for the callback. It takes effect when the event is reduced as a whole, or as far as `counts` of `Done`
    /// says.
    End,
}

/// The result of a delivery.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Delivered {
    /// A subscriber has stopped propagation: a failure is not raised.
    pub stopped: bool,
    /// The messages have changed.
    pub messages: bool,
    /// The state has changed.
    pub state: bool,
    /// The part of an event's effects that counts.
    pub counts: Counts,
}

/// The part of an event's effects that counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Counts {
    /// All.
    #[default]
    Whole,
    /// The end of the run with its outcome. Interrupts are not set.
    End,
    /// The end of the run with the kind of its outcome, its usage, and an error as a whole.
    BareEnd,
    /// Nothing.
    Nothing,
}

/// The answer of a callback.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallbackResult {
    /// It stops propagation.
    pub stop: bool,
    /// It has replaced the messages.
    pub messages: bool,
    /// It has replaced the state.
    pub state: bool,
}

/// The changes of an event or of the application.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reduced {
    /// The messages count as changed.
    pub messages: bool,
    /// The state counts as changed.
    pub state: bool,
    /// Complete messages and calls, by their places in the host's lists.
    pub complete: Vec<(Callback, usize)>,
}

impl Reduced {
    /// Adds the changes of these kinds, in order. A patch counts even if it turns out later that it does not apply.
    #[must_use]
    pub fn with_kinds(mut self, kinds: impl IntoIterator<Item = ChangeKind>) -> Self {
        for (place, kind) in kinds.into_iter().enumerate() {
            match kind {
                ChangeKind::MessageEnded => self.complete.push((Callback::NewMessage, place)),
                ChangeKind::CallEnded => self.complete.push((Callback::NewToolCall, place)),
                ChangeKind::ContentPatched => self.messages = true,
                ChangeKind::StateSet | ChangeKind::StatePatched => self.state = true,
                _ => {}
            }
        }
        self
    }
}
