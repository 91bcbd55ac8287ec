//! The order in which subscribers are told.

use super::callback::Callback;
use super::step::{Answer, Counts, Delivered, Reduce, Reduced};
use crate::types::EventType;

/// Something that subscribers are told of, as far as it has come.
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

/// A place in the order: the rung, and the first subscriber to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    rung: Rung,
    subscriber: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rung {
    /// Subscribers are asked: answers count.
    Ask(Callback),
    Reduce(Reduce),
    /// They are told of what is complete.
    Complete(usize),
    Messages,
    State,
}

impl From<Rung> for Place {
    fn from(rung: Rung) -> Self {
        Self { rung, subscriber: 0 }
    }
}

impl Place {
    /// The same, of one subscriber.
    pub fn of(self, subscriber: usize) -> Self {
        Self { subscriber, ..self }
    }

    /// The subscriber from which on it is.
    pub fn subscriber(self) -> usize {
        self.subscriber
    }

    /// The same, behind that subscriber.
    pub fn after(self) -> Self {
        self.of(self.subscriber + 1)
    }

    /// True if what is answered counts.
    pub fn is_asking(self) -> bool {
        matches!(self.rung, Rung::Ask(_))
    }

    /// The way to reduce the event at this place, if it is reduced here.
    pub fn reduction(self) -> Option<Reduce> {
        if let Rung::Reduce(how) = self.rung { Some(how) } else { None }
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

    /// The run as a whole.
    pub fn of_run(callback: Callback) -> Self {
        Self::new(About::Run(callback))
    }

    /// An event.
    pub fn of_event(kind: Option<EventType>) -> Self {
        Self::new(About::Event(kind))
    }

    /// The occasion of changes by the application.
    pub fn of_changes(reduced: Reduced) -> Self {
        let mut changes = Self::new(About::Changes);
        changes.keep(reduced);
        changes
    }

    /// Of a run as a whole: whether more is to come of it.
    pub fn is_begun(&self) -> Option<bool> {
        if let About::Run(callback) = self.about { Some(callback != Callback::RunFinalized) } else { None }
    }

    /// True if it is the end of a run, of which all are told whatever happens.
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
            About::Run(callback) => Rung::Ask(callback).into(),
            About::Event(_) => Rung::Ask(Callback::Event).into(),
            About::Changes => Rung::Complete(0).into(),
        }
    }

    /// Records an answer. Returns true if no further subscriber is asked.
    pub fn note(&mut self, place: Place, answer: Answer) -> bool {
        let Rung::Ask(callback) = place.rung else { return false };
        self.messages |= answer.messages;
        self.state |= answer.state;
        if answer.stop {
            self.stopped = Some(callback);
        }
        answer.stop
    }

    /// Takes down what reducing the event has come to. Where it goes on.
    pub fn reduced(&mut self, how: Reduce, reduced: Reduced) -> Option<Place> {
        if how != Reduce::End {
            self.keep(reduced);
        }
        self.behind(Rung::Reduce(how).into())
    }

    fn keep(&mut self, Reduced { messages, state, complete }: Reduced) {
        self.messages |= messages;
        self.state |= state;
        self.complete = complete.into_iter().map(|(callback, place)| (callback, Some(place))).collect();
    }

    /// The callback at a place, if there is one.
    pub fn callback(&self, place: Place) -> Option<(Callback, Option<usize>)> {
        match place.rung {
            Rung::Ask(callback) => Some((callback, None)),
            Rung::Complete(at) => self.complete.get(at).copied(),
            Rung::Messages => self.messages.then_some((Callback::MessagesChanged, None)),
            Rung::State => self.state.then_some((Callback::StateChanged, None)),
            Rung::Reduce(_) => None,
        }
    }

    /// The next place when all subscribers are told; `None` if the occasion is over.
    pub fn behind(&mut self, place: Place) -> Option<Place> {
        let rung = match (place.rung, self.about) {
            (Rung::Ask(Callback::Event), About::Event(kind)) => self.behind_all_events(kind),
            (Rung::Reduce(Reduce::End), About::Event(Some(kind))) if self.stopped.is_none() => {
                Rung::Ask(Callback::Typed(kind))
            }
            (Rung::Ask(Callback::Typed(kind)), _) => self.behind_its_type(kind),
            (Rung::Reduce(Reduce::Whole | Reduce::Begin), _) => Rung::Complete(0),
            (Rung::Complete(at), _) if at + 1 < self.complete.len() => Rung::Complete(at + 1),
            (Rung::Messages, _) => Rung::State,
            (Rung::State, _) => return None,
            _ => Rung::Messages,
        };
        Some(rung.into())
    }

    /// The beginning and the end of a run count even if a subscriber has stopped the event.
    fn behind_all_events(&self, kind: Option<EventType>) -> Rung {
        match kind {
            Some(kind) if ends(kind) => Rung::Reduce(Reduce::End),
            Some(EventType::RunStarted) if self.stopped.is_some() => Rung::Reduce(Reduce::Begin),
            _ if self.stopped.is_some() => Rung::Messages,
            Some(kind) => Rung::Ask(Callback::Typed(kind)),
            None => Rung::Reduce(Reduce::Whole),
        }
    }

    /// Entities that have ended, and calls of the run before, do not wait although the event was stopped.
    fn behind_its_type(&mut self, kind: EventType) -> Rung {
        match kind {
            _ if self.stopped.is_none() => return Rung::Reduce(Reduce::Whole),
            EventType::RunStarted => return Rung::Reduce(Reduce::Begin),
            EventType::TextMessageEnd | EventType::ReasoningMessageEnd => {
                self.complete.push((Callback::NewMessage, None));
            }
            EventType::ToolCallEnd => self.complete.push((Callback::NewToolCall, None)),
            _ => {}
        }
        Rung::Complete(0)
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

/// True if a run ends with events of a type.
fn ends(kind: EventType) -> bool {
    matches!(kind, EventType::RunFinished | EventType::RunError)
}
