//! The times at which a run's state is sent without a call.

/// The times at which changes of the state are sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StateFlush {
    /// At every await of the agent, and at the end of the run. A state of more values than
    /// [`Limits::state_values`](crate::Limits::state_values) only when something has ended: a message, a tool call, a step.
    #[default]
    Await,
    /// Only at the end of the run.
    End,
    /// Only by a call.
    Manual,
}

impl StateFlush {
    /// Returns the variant with this name.
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
