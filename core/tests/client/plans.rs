//! Deliveries by plans that hosts keep: random schedules, with late and unknown tickets between all steps.

use crate::deliveries::{answer, feed, fitting, input, step_text, subscribers, ticket_of, without_changes};
use crate::simulation;

use std::collections::HashMap;

use ag_ui_native::bindings::client::{CallbackResult, Callbacks, Delivery, DeliveryStep, Plans, Reduced};
use ag_ui_native::bindings::reduce::ChangeKind;
use ag_ui_native::types::EventType;
use proptest::prelude::*;

/// A host that keeps plans by their numbers, and those of events that reach the end, as Node does.
struct Host {
    plans: Plans,
    kept: HashMap<u32, Vec<DeliveryStep>>,
    whole: HashMap<EventType, Vec<DeliveryStep>>,
    /// The event that core does not know of yet.
    unreported: Option<EventType>,
    plan: Vec<DeliveryStep>,
    at: usize,
    /// The tickets of plans that are over.
    stale: Vec<u32>,
}

impl Host {
    fn new(delivery: Delivery) -> Self {
        Self {
            plans: Plans::new(delivery),
            kept: HashMap::new(),
            whole: HashMap::new(),
            unreported: None,
            plan: vec![DeliveryStep::Wait],
            at: 0,
            stale: Vec::new(),
        }
    }

    fn step(&self) -> DeliveryStep {
        self.plan[self.at]
    }

    fn tickets(&self) -> Vec<u32> {
        (0..u32::try_from(self.plan.len()).unwrap()).map(|place| self.plans.ticket(Some(place))).collect()
    }

    /// Passes an input to core, and takes the plan that is kept under the number.
    fn feed(&mut self, what: impl FnOnce(&mut Delivery) -> DeliveryStep) -> Vec<DeliveryStep> {
        let before = self.tickets();
        let number = self.plans.feed(what).unwrap();
        self.stale.extend(before.into_iter().filter(|ticket| *ticket != 0));
        let plan = self.plans.plan().to_vec();
        assert_eq!(*self.kept.entry(number).or_insert_with(|| plan.clone()), plan, "one number, one plan");
        plan
    }

    /// Takes an input. An input that a kept plan foresees is not passed to core.
    fn take(&mut self, input: &str) {
        let words: Vec<&str> = input.split(' ').collect();
        let is_foreseen = match words[0] {
            "answered" => answer(&words) == CallbackResult::default(),
            "reduced" => self.at + 1 < self.plan.len(),
            _ => false,
        };
        if is_foreseen {
            self.at += 1;
            return;
        }
        let kind = if words[0] == "event" { EventType::parse(words[1]) } else { None };
        if let Some((kind, plan)) = kind.and_then(|kind| Some((kind, self.whole.get(&kind)?.clone()))) {
            (self.unreported, self.plan, self.at) = (Some(kind), plan, 0);
            return;
        }
        if let Some(kind) = self
            .unreported
            .take()
            .filter(|_| matches!(self.step(), DeliveryStep::Notify(_) | DeliveryStep::Reduce(_)))
        {
            let plan = self.feed(|delivery| delivery.event(Some(kind)));
            assert_eq!(plan, self.plan, "the kept plan is that of core");
        }
        let ticket = self.plans.ticket(u32::try_from(self.at).ok());
        self.plan = self.feed(|delivery| feed(delivery, input, ticket));
        self.at = 0;
        if let Some(kind) = kind.filter(|_| matches!(self.plan.last(), Some(DeliveryStep::Done(_)))) {
            self.whole.insert(kind, self.plan.clone());
        }
    }

    /// Answers callbacks that are not open: nothing changes.
    fn attack(&mut self, ticket: u32) {
        let known = format!("{:?}", self.plans.delivery());
        let (tickets, place) = (self.tickets(), u32::try_from(self.plan.len()).unwrap() + ticket % 7);
        assert_eq!((self.plans.ticket(Some(place)), self.plans.ticket(None)), (0, 0), "no callback is there");
        let late: [fn(&mut Delivery, u32) -> DeliveryStep; 4] = [
            |delivery, ticket| {
                delivery.answered(ticket, CallbackResult { stop: true, messages: true, state: true })
            },
            Delivery::raised,
            Delivery::absent,
            Delivery::left,
        ];
        for ticket in [0, ticket, u32::MAX] {
            for late in late {
                assert_eq!(
                    self.plans.feed(|delivery| late(delivery, ticket)).map(|_| self.plans.plan()),
                    Some(&[DeliveryStep::Wait][..])
                );
            }
        }
        assert_eq!(known, format!("{:?}", self.plans.delivery()), "late, and it has changed something");
        assert_eq!(tickets, self.tickets());
    }
}

proptest! {
    #![proptest_config(simulation::drawn())]

    /// A host that keeps plans has the same result as one that goes step by step, also with late input in between.
    #[test]
    fn schedules(
        subscribers in subscribers(),
        inputs in prop::collection::vec((input(), any::<prop::sample::Index>()), 0..60),
        reports in any::<bool>(),
    ) {
        let mut strict = Delivery::new(subscribers);
        let mut host = Host::new(if reports { strict.clone().reporting_changes() } else { strict.clone() });
        let (mut open, mut inputs) = (DeliveryStep::Wait, inputs.into_iter());
        for left in (0..600).rev() {
            prop_assert!(left > 0, "no end");
            let is_open = matches!(open, DeliveryStep::Notify(_) | DeliveryStep::Reduce(_));
            let (input, late) = match inputs.next() {
                Some((input, late)) => (input, Some(late)),
                None if is_open => (fitting(open).to_owned(), None),
                None => break,
            };
            if let Some(late) = late.filter(|_| !host.stale.is_empty()) {
                let ticket = *late.get(&host.stale);
                host.attack(ticket);
            }
            let mut tried = strict.clone();
            let step = feed(&mut tried, &input, ticket_of(open).unwrap_or_default());
            if step == DeliveryStep::Wait {
                continue;
            }
            (strict, open) = (tried, step);
            host.take(&input);
            let shown = |step| step_text(if reports { step } else { without_changes(step) });
            prop_assert_eq!(shown(host.step()), shown(open), "behind {}", input);
        }
    }
}

#[test]
fn more_plans_than_have_numbers() {
    let kinds = [ChangeKind::MessageEnded, ChangeKind::CallEnded];
    let reduced = |bits: usize| {
        let kinds = (0..10).map(|bit| kinds[bits >> bit & 1]);
        Reduced::default().with_kinds(kinds)
    };
    let mut plans = Plans::new(Delivery::new([Callbacks::ALL]));
    for bits in 0..1024 {
        let number = plans.feed(|delivery| delivery.changed(reduced(bits)));
        assert_eq!(number, u32::try_from(bits).ok().filter(|number| *number < 1000));
        assert_eq!(plans.plan().len(), 11);
    }
    // Known plans keep their numbers, the others are plans all the same.
    assert_eq!(plans.feed(|delivery| delivery.changed(reduced(7))), Some(7));
    assert_eq!(plans.feed(|delivery| delivery.changed(reduced(1023))), None);
    let ticket = plans.ticket(Some(3));
    assert_eq!(plans.feed(|delivery| delivery.raised(ticket)), None);
    assert_eq!(plans.plan(), [DeliveryStep::Raise]);
}

#[test]
fn what_has_come_before_a_reduction_is_late_behind_it() {
    let mut delivery = Delivery::new([Callbacks::ALL]).reporting_changes();
    let first = delivery.event(Some(EventType::Raw));
    let plan = delivery.ahead(first);
    let tickets: Vec<u32> = plan.iter().copied().filter_map(ticket_of).collect();
    assert_eq!(tickets.len(), 2, "{plan:?}");
    assert!(matches!(
        delivery.reduced(Reduced { messages: true, ..Reduced::default() }),
        DeliveryStep::Notify(_)
    ));
    for ticket in tickets {
        assert_eq!(
            delivery.answered(ticket, CallbackResult { stop: true, ..CallbackResult::default() }),
            DeliveryStep::Wait
        );
    }
}
