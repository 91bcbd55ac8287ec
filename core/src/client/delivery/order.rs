//! The order of the callbacks of one occasion.

use super::callback::Callback;
use super::step::{CallbackResult, Counts, Delivered, Reduce, Reduced};
use crate::types::EventType;

/// An occasion to notify subscribers, and its progress.
#[derive(Clone, Debug)]
pub(super) struct Occasion {
    about: About,
    stopped: Option<Callback>,
    messages: bool,
    state: bool,
    /// The complete messages and calls, in order, with the host's places.
    complete: Vec<(Callback, Option<usize>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    Run(Callback),
    Event(Option<EventType>),
    Changes,
}

/// A place in the order: the stage, and the first subscriber that it calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    stage: Stage,
    subscriber: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Subscribers are called, and may answer.
    Ask(Callback),
    Reduce(Reduce),
    /// Subscribers are notified of a complete message or call.
    Complete(usize),
    Messages,
    State,
}

impl From<Stage> for Place {
    fn from(stage: Stage) -> Self {
        Self { stage, subscriber: 0 }
    }
}

impl Place {
    /// The same stage, from this subscriber on.
    pub fn of(self, subscriber: usize) -> Self {
        Self { subscriber, ..self }
    }

    /// The first subscriber that it calls.
    pub fn subscriber(self) -> usize {
        self.subscriber
    }

    /// The place after that subscriber.
    pub fn after(self) -> Self {
        self.of(self.subscriber + 1)
    }

    /// True if the answer of the callback counts.
    pub fn is_asking(self) -> bool {
        matches!(self.stage, Stage::Ask(_))
    }

    /// The way to reduce the event at this place, if it is reduced here.
    pub fn reduction(self) -> Option<Reduce> {
        if let Stage::Reduce(how) = self.stage { Some(how) } else { None }
    }
}

impl Default for Occasion {
    fn default() -> Self {
        Self::new(About::Changes)
    }
}

impl Occasion {
    fn new(about: About) -> Self {
        Self { about, stopped: None, messages: false, state: false, complete: Vec::new() }
    }

    /// The occasion of the run as a whole.
    pub fn of_run(callback: Callback) -> Self {
        Self::new(About::Run(callback))
    }

    /// The occasion of an event.
    pub fn of_event(kind: Option<EventType>) -> Self {
        Self::new(About::Event(kind))
    }

    /// The occasion of changes by the application.
    pub fn of_changes(reduced: Reduced) -> Self {
        let mut changes = Self::new(About::Changes);
        changes.keep(reduced);
        changes
    }

    /// For an occasion of the run as a whole: true unless the run is over. `None` for other occasions.
    pub fn is_begun(&self) -> Option<bool> {
        if let About::Run(callback) = self.about { Some(callback != Callback::RunFinalized) } else { None }
    }

    /// True if it is the end of a run. All subscribers are notified of an end.
    pub fn is_end(&self) -> bool {
        matches!(self.about, About::Run(Callback::RunFailed | Callback::RunFinalized))
    }

    /// True if it is about the end of a run, or the event that says so.
    pub fn has_end(&self) -> bool {
        self.is_end() || matches!(self.about, About::Event(Some(kind)) if ends(kind))
    }

    /// The first place.
    pub fn first(&self) -> Place {
        match self.about {
            About::Run(callback) => Stage::Ask(callback).into(),
            About::Event(_) => Stage::Ask(Callback::Event).into(),
            About::Changes => Stage::Complete(0).into(),
        }
    }

    /// Records an answer. Returns true if no further subscriber is asked.
    pub fn note(&mut self, place: Place, answer: CallbackResult) -> bool {
        let Stage::Ask(callback) = place.stage else { return false };
        self.messages |= answer.messages;
        self.state |= answer.state;
        if answer.stop {
            self.stopped = Some(callback);
        }
        answer.stop
    }

    /// Records the changes of the reduced event. Returns the next place.
    pub fn reduced(&mut self, how: Reduce, reduced: Reduced) -> Option<Place> {
        if how != Reduce::End {
            self.keep(reduced);
        }
        self.next(Stage::Reduce(how).into())
    }

    fn keep(&mut self, Reduced { messages, state, complete }: Reduced) {
        self.messages |= messages;
        self.state |= state;
        self.complete = complete.into_iter().map(|(callback, place)| (callback, Some(place))).collect();
    }

    /// Returns the callback at a place, if there is one.
    pub fn callback(&self, place: Place) -> Option<(Callback, Option<usize>)> {
        match place.stage {
            Stage::Ask(callback) => Some((callback, None)),
            Stage::Complete(at) => self.complete.get(at).copied(),
            Stage::Messages => self.messages.then_some((Callback::MessagesChanged, None)),
            Stage::State => self.state.then_some((Callback::StateChanged, None)),
            Stage::Reduce(_) => None,
        }
    }

    /// Returns the place after all subscribers are notified; `None` if the occasion is over.
    pub fn next(&mut self, place: Place) -> Option<Place> {
        let stage = match (place.stage, self.about) {
            (Stage::Ask(Callback::Event), About::Event(kind)) => self.stage_after_on_event(kind),
            (Stage::Reduce(Reduce::End), About::Event(Some(kind))) if self.stopped.is_none() => {
                Stage::Ask(Callback::Typed(kind))
            }
            (Stage::Ask(Callback::Typed(kind)), _) => self.stage_after_typed_callback(kind),
            (Stage::Reduce(Reduce::Whole | Reduce::Begin), _) => Stage::Complete(0),
            (Stage::Complete(at), _) if at + 1 < self.complete.len() => Stage::Complete(at + 1),
            (Stage::Messages, _) => Stage::State,
            (Stage::State, _) => return None,
            _ => Stage::Messages,
        };
        Some(stage.into())
    }

    /// The stage after the callback for all events. The beginning and the end of a run count even if a subscriber has stopped the event.
    fn stage_after_on_event(&self, kind: Option<EventType>) -> Stage {
        match kind {
            Some(kind) if ends(kind) => Stage::Reduce(Reduce::End),
            Some(EventType::RunStarted) if self.stopped.is_some() => Stage::Reduce(Reduce::Begin),
            _ if self.stopped.is_some() => Stage::Messages,
            Some(kind) => Stage::Ask(Callback::Typed(kind)),
            None => Stage::Reduce(Reduce::Whole),
        }
    }

    /// The stage after the callback for the event's type. Entities that have ended, and calls of the run before, are not pending even if
    /// the event was stopped.
    fn stage_after_typed_callback(&mut self, kind: EventType) -> Stage {
        match kind {
            _ if self.stopped.is_none() => return Stage::Reduce(Reduce::Whole),
            EventType::RunStarted => return Stage::Reduce(Reduce::Begin),
            EventType::TextMessageEnd | EventType::ReasoningMessageEnd => {
                self.complete.push((Callback::NewMessage, None));
            }
            EventType::ToolCallEnd => self.complete.push((Callback::NewToolCall, None)),
            _ => {}
        }
        Stage::Complete(0)
    }

    /// The result of the delivery.
    pub fn delivered(&self) -> Delivered {
        let counts = match (self.about, self.stopped) {
            (About::Event(Some(kind)), Some(Callback::Event)) if ends(kind) => Counts::BareEnd,
            (About::Event(Some(kind)), Some(_)) if ends(kind) => Counts::End,
            (About::Event(Some(EventType::RunStarted)), Some(Callback::Typed(_))) => Counts::Whole,
            (About::Event(_), Some(_)) => Counts::Nothing,
            _ => Counts::Whole,
        };
        let Self { stopped, messages, state, .. } = *self;
        Delivered { stopped: stopped.is_some(), messages, state, counts }
    }
}

/// True if events of this type end a run.
fn ends(kind: EventType) -> bool {
    matches!(kind, EventType::RunFinished | EventType::RunError)
}
