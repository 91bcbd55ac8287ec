//! The times at which the state of a run is sent automatically.

/// The times at which changes of the state are sent automatically.
///
/// ```
/// use ag_ui_native::Limits;
/// use ag_ui_native::server::{Run, StateFlush, WireFormat};
/// use ag_ui_native::types::RunAgentInput;
///
/// let input = RunAgentInput::new("t1", "r1", vec![]);
/// let run = Run::begin(input, WireFormat::Text, false, Limits::default())?.with_state_flush(StateFlush::End);
/// assert!(run.is_running());
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StateFlush {
    /// At every await of the agent, and at the end of the run. A state with more values than
    /// [`Limits::state_values`](crate::Limits::state_values) is sent only after a message, a tool call or a step has
    /// ended.
    #[default]
    Await,
    /// Only at the end of the run.
    End,
    /// Only by a call of the agent.
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
