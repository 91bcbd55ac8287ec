//! The callbacks of subscribers.

use crate::types::EventType;

/// A callback of a subscriber.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Callback {
    /// Before the request of a run.
    RunInitialized,
    /// After a run has failed or was aborted.
    RunFailed,
    /// At the end of a run.
    RunFinalized,
    /// For each event.
    Event,
    /// A message is complete.
    NewMessage,
    /// A call of a tool is complete.
    NewToolCall,
    /// The messages have changed.
    MessagesChanged,
    /// The state has changed.
    StateChanged,
    /// For an event of this type.
    Typed(EventType),
}

impl Callback {
    /// The callbacks that do not belong to a type of events.
    const PLAIN: [Self; 8] = [
        Self::RunInitialized,
        Self::RunFailed,
        Self::RunFinalized,
        Self::Event,
        Self::NewMessage,
        Self::NewToolCall,
        Self::MessagesChanged,
        Self::StateChanged,
    ];

    /// All callbacks, by their numbers. Chunks have none: they are expanded first.
    pub fn all() -> impl Iterator<Item = Self> {
        let types = EventType::ENUM.values.iter().filter_map(|tag| EventType::parse(tag));
        Self::PLAIN.into_iter().chain(types.map(Self::Typed))
    }

    /// Its number, the same in every language.
    pub fn number(self) -> usize {
        match self {
            Self::Typed(kind) => Self::PLAIN.len() + kind as usize,
            plain => Self::PLAIN.iter().position(|callback| *callback == plain).unwrap_or_default(),
        }
    }

    /// Its name in Python and Rust.
    pub fn name(self) -> String {
        match self {
            Self::RunInitialized => "on_run_initialized".to_owned(),
            Self::RunFailed => "on_run_failed".to_owned(),
            Self::RunFinalized => "on_run_finalized".to_owned(),
            Self::Event => "on_event".to_owned(),
            Self::NewMessage => "on_new_message".to_owned(),
            Self::NewToolCall => "on_new_tool_call".to_owned(),
            Self::MessagesChanged => "on_messages_changed".to_owned(),
            Self::StateChanged => "on_state_changed".to_owned(),
            Self::Typed(kind) => format!("on_{}_event", kind.as_str().to_lowercase()),
        }
    }

    /// Returns the callback with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|callback| callback.name() == name)
    }

    /// True if it is about the changes of an event. The result of such a callback does not count.
    pub fn is_about_changes(self) -> bool {
        matches!(self, Self::NewMessage | Self::NewToolCall | Self::MessagesChanged | Self::StateChanged)
    }

    /// True if it is about the run as a whole.
    fn is_of_run(self) -> bool {
        matches!(self, Self::RunInitialized | Self::RunFailed | Self::RunFinalized)
    }
}

/// The callbacks that a subscriber has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Callbacks(u64);

impl Callbacks {
    /// All callbacks.
    pub const ALL: Self = Self(u64::MAX);

    /// True if the set contains this callback.
    pub fn has(self, callback: Callback) -> bool {
        self.0 >> callback.number() & 1 == 1
    }

    /// True if the set contains a callback for the changes of an event.
    pub(super) fn hears_changes(self) -> bool {
        Callback::all().any(|callback| callback.is_about_changes() && self.has(callback))
    }

    /// True if the set contains a callback for events or changes, besides those for the run as a whole.
    pub(super) fn wants_events(self) -> bool {
        Callback::all().any(|callback| !callback.is_of_run() && self.has(callback))
    }
}

impl FromIterator<Callback> for Callbacks {
    fn from_iter<I: IntoIterator<Item = Callback>>(callbacks: I) -> Self {
        Self(callbacks.into_iter().fold(0, |all, callback| all | 1 << callback.number()))
    }
}
