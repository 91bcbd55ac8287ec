//! The steps of a delivery that a host carries out, and the answers that it gives.

use super::callback::Callback;
use crate::reduce::ChangeKind;

/// The next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Tell a subscriber: `answered`, `raised`, `absent` or `left`, with its ticket.
    Tell(Tell),
    /// Reduce the event: `reduced`, or `cut` if that fails.
    Reduce(Reduce),
    /// All subscribers have been told.
    Done(Delivered),
    /// Nothing more of it: the error that the host has been given is that of the run.
    Raise,
    /// The input was not asked for, or comes too late. Nothing changes.
    Wait,
}

/// One subscriber that is to be told of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tell {
    /// Which telling it is: each has the number behind that of the last.
    pub ticket: u32,
    /// The callback.
    pub callback: Callback,
    /// The place of the subscriber.
    pub subscriber: usize,
    /// Of what is complete: its place in what the host has said. Nothing: what the event is about.
    pub subject: Option<usize>,
}

/// The way to reduce an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduce {
    /// As it is.
    Whole,
    /// A run begins, with no messages of its own: calls of the run before wait no more.
    Begin,
    /// It ends the run, in the way that its callback is told of: what comes of it takes effect when it is to be reduced as a whole, or as
    /// far as `Done` says that it counts.
    End,
}

/// The result of a delivery.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Delivered {
    /// A subscriber has said that this goes no further: a failure is none to be raised.
    pub stopped: bool,
    /// The messages have changed.
    pub messages: bool,
    /// The state has changed.
    pub state: bool,
    /// Of an event, what counts of what comes of it.
    pub counts: Counts,
}

/// The part of an event's effects that counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Counts {
    /// All.
    #[default]
    Whole,
    /// That the run has ended, and what its end says. Interrupts are not set.
    End,
    /// That the run has ended, and in which way; its usage; an error as a whole.
    BareEnd,
    /// Nothing.
    Nothing,
}

/// The answer of a callback.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// This goes no further.
    pub stop: bool,
    /// It has put other messages in the place of all.
    pub messages: bool,
    /// It has put another state in the place of the old one.
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
    /// The same, and what changes of these kinds come to, in order. Whether a patch applies a host may find out later: it counts.
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
