//! Decides which callbacks of which subscribers are called, in which order, and what their answers change. It does no I/O: a host calls the
//! callbacks, applies events, and keeps messages and state. Only kinds and places cross the border.

mod callback;
mod order;
mod plans;
mod step;

use crate::types::EventType;
use order::{Occasion, Place};

pub use callback::{Callback, Callbacks};
pub use plans::Plans;
pub use step::{CallbackResult, Counts, Delivered, DeliveryStep, Notify, Reduce, Reduced};

/// The notifications of one run, or of an agent between runs.
///
/// One occasion is delivered after the other: an event, the beginning or end of the run, changes by the application. Each input returns the
/// next [`DeliveryStep`]. While a callback is open, only its answer counts; a late input changes nothing.
#[derive(Clone, Debug)]
pub struct Delivery {
    subscribers: Vec<Callbacks>,
    /// True if subscribers were notified of the beginning of the run, and not yet of its end.
    is_begun: bool,
    occasion: Occasion,
    state: DeliveryState,
    /// The open callbacks: one, or those of a plan.
    open: Vec<(u32, Place)>,
    ticket: u32,
    /// True if the changes of an event matter: a subscriber is notified of them, or the host reports them.
    hears_changes: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DeliveryState {
    Idle,
    Notifying,
    Reducing(Reduce),
}

impl Delivery {
    /// Creates the notifications from the callbacks of each subscriber, in the order in which subscribers are notified.
    pub fn new(subscribers: impl IntoIterator<Item = Callbacks>) -> Self {
        let subscribers = Vec::from_iter(subscribers);
        Self {
            hears_changes: subscribers.iter().any(|callbacks| callbacks.hears_changes()),
            subscribers,
            is_begun: false,
            occasion: Occasion::default(),
            state: DeliveryState::Idle,
            open: Vec::new(),
            ticket: 0,
        }
    }

    /// Makes [`Delivered`] state what each event has changed, even if no subscriber is notified of it.
    #[must_use]
    pub fn reporting_changes(self) -> Self {
        Self { hears_changes: true, ..self }
    }

    /// True if a subscriber has callbacks about events or their results.
    pub fn wants_events(&self) -> bool {
        self.subscribers.iter().any(|callbacks| callbacks.wants_events())
    }

    /// Reports that the run will be requested.
    pub fn initialized(&mut self) -> DeliveryStep {
        self.begin(Occasion::of_run(Callback::RunInitialized))
    }

    /// Reports that the run has failed or was aborted. Subscribers are notified of it if they were notified of its beginning.
    pub fn failed(&mut self) -> DeliveryStep {
        self.begin(Occasion::of_run(Callback::RunFailed))
    }

    /// Reports that the run is over. Subscribers are notified of it if they were notified of its beginning.
    pub fn finalized(&mut self) -> DeliveryStep {
        self.begin(Occasion::of_run(Callback::RunFinalized))
    }

    /// Reports an event; `None` stands for an unknown type.
    pub fn event(&mut self, kind: Option<EventType>) -> DeliveryStep {
        self.begin(Occasion::of_event(kind))
    }

    /// Reports a change by the application or by a tool's answer.
    pub fn changed(&mut self, reduced: Reduced) -> DeliveryStep {
        self.begin(Occasion::of_changes(reduced))
    }

    /// Reports the answer of a callback.
    pub fn answered(&mut self, ticket: u32, answer: CallbackResult) -> DeliveryStep {
        let Some(place) = self.close(ticket) else { return DeliveryStep::Wait };
        let is_stopped = self.occasion.note(place, answer);
        let next = if is_stopped { self.occasion.next(place) } else { Some(place.after()) };
        self.continue_from(next)
    }

    /// Reports that a callback has failed. The host logs the error, and continues unless the error is the run's
    /// failure.
    pub fn raised(&mut self, ticket: u32) -> DeliveryStep {
        match self.close(ticket) {
            None => DeliveryStep::Wait,
            Some(place) if place.is_asking() => self.continue_from(Some(place.after())),
            Some(_) => self.cut(),
        }
    }

    /// Reports that the subject of a callback does not exist: no subscriber is notified of it.
    pub fn absent(&mut self, ticket: u32) -> DeliveryStep {
        let Some(place) = self.close(ticket) else { return DeliveryStep::Wait };
        let next = self.occasion.next(place);
        self.continue_from(next)
    }

    /// The run no longer waits for a callback, since the run ends. If the callback is about an end already, it counts as having returned
    /// nothing, and the others are called.
    pub fn left(&mut self, ticket: u32) -> DeliveryStep {
        match self.close(ticket) {
            None => DeliveryStep::Wait,
            Some(place) if self.occasion.has_end() => self.continue_from(Some(place.after())),
            Some(_) => self.cut(),
        }
    }

    /// Reports that the event was reduced.
    pub fn reduced(&mut self, reduced: Reduced) -> DeliveryStep {
        let DeliveryState::Reducing(how) = self.state else { return DeliveryStep::Wait };
        // The callbacks of a plan that led here have returned.
        self.open.clear();
        let place = self.occasion.reduced(how, reduced);
        self.continue_from(place)
    }

    /// Cancels the current delivery.
    pub fn cut(&mut self) -> DeliveryStep {
        self.open.clear();
        self.state = DeliveryState::Idle;
        DeliveryStep::Raise
    }

    /// Returns all steps from this one on, for the case that every callback returns nothing, up to a reduction whose changes matter. Each
    /// callback stays open until it is answered or the host gives the input for the last step: a callback without an answer has returned
    /// nothing.
    pub fn ahead(&mut self, mut step: DeliveryStep) -> Vec<DeliveryStep> {
        let mut steps = vec![step];
        loop {
            step = match (step, self.open.last()) {
                (DeliveryStep::Notify(_), Some((_, place))) => {
                    let behind = place.after();
                    self.continue_from(Some(behind))
                }
                (DeliveryStep::Reduce(how), _) if how == Reduce::End || !self.hears_changes => {
                    let place = self.occasion.reduced(how, Reduced::default());
                    self.continue_from(place)
                }
                _ => return steps,
            };
            steps.push(step);
        }
    }

    /// Begins an occasion, unless another one is being delivered.
    fn begin(&mut self, occasion: Occasion) -> DeliveryStep {
        if self.state != DeliveryState::Idle {
            return DeliveryStep::Wait;
        }
        self.open.clear();
        if occasion.is_end() && !self.is_begun {
            return DeliveryStep::Done(Delivered::default());
        }
        self.is_begun = occasion.is_begun().unwrap_or(self.is_begun);
        let first = occasion.first();
        self.occasion = occasion;
        self.continue_from(Some(first))
    }

    /// Closes the callback with this ticket, and the other open ones.
    fn close(&mut self, ticket: u32) -> Option<Place> {
        let (_, place) = *self.open.iter().find(|(known, _)| *known == ticket)?;
        self.open.clear();
        Some(place)
    }

    /// Continues from a place to the next step; `None`: the delivery is done.
    fn continue_from(&mut self, mut place: Option<Place>) -> DeliveryStep {
        while let Some(at) = place {
            if let Some(how) = at.reduction() {
                self.state = DeliveryState::Reducing(how);
                return DeliveryStep::Reduce(how);
            }
            if let Some(call) = self.next_call(at) {
                return call;
            }
            place = self.occasion.next(at);
        }
        self.state = DeliveryState::Idle;
        DeliveryStep::Done(self.occasion.delivered())
    }

    /// The next subscriber at a place that has its callback.
    fn next_call(&mut self, at: Place) -> Option<DeliveryStep> {
        let (callback, subject) = self.occasion.callback(at)?;
        let behind = self.subscribers.iter().enumerate().skip(at.subscriber());
        let subscriber = behind.into_iter().find(|(_, callbacks)| callbacks.has(callback))?.0;
        // No callback has the ticket 0.
        self.ticket = self.ticket.checked_add(1).unwrap_or(1);
        self.open.push((self.ticket, at.of(subscriber)));
        self.state = DeliveryState::Notifying;
        Some(DeliveryStep::Notify(Notify { ticket: self.ticket, callback, subscriber, subject }))
    }
}
