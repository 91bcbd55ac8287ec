//! When the state goes out by itself.

/// When what an agent has made of its state is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StateFlush {
    /// When what it has written is taken, which it is wherever the agent awaits; and at the end of the run. A state of more values than
    /// [`Limits::state_values`](crate::Limits::state_values) only when something has ended: a message, a tool call, a step.
    #[default]
    Await,
    /// At the end of the run.
    End,
    /// Not by itself.
    Manual,
}

impl StateFlush {
    /// The one of this name.
    #[doc(hidden)]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "await" => Some(Self::Await),
            "end" => Some(Self::End),
            "manual" => Some(Self::Manual),
            _ => None,
        }
    }
}
