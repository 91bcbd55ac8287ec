//! Numbers the plans of a delivery, so that a host compiles each plan once.

use std::mem;

use super::{Delivery, DeliveryStep};
use crate::collections::HashMap;

/// The number of plans that get numbers.
const KNOWN: u32 = 1000;

/// A delivery that returns plans: all steps for the case that every callback returns nothing.
///
/// Equal plans have the same number. In a plan, the place of a callback stands for its ticket.
#[derive(Debug)]
pub struct Plans {
    delivery: Delivery,
    numbers: HashMap<Vec<DeliveryStep>, u32>,
    plan: Vec<DeliveryStep>,
    /// The ticket of each step of the current plan; 0 for a step that is no callback.
    tickets: Vec<u32>,
}

impl Plans {
    /// The plans of a delivery.
    pub fn new(delivery: Delivery) -> Self {
        Self { delivery, numbers: HashMap::default(), plan: Vec::new(), tickets: Vec::new() }
    }

    /// The delivery.
    pub fn delivery(&self) -> &Delivery {
        &self.delivery
    }

    /// The last plan. Its callbacks have no tickets.
    pub fn plan(&self) -> &[DeliveryStep] {
        &self.plan
    }

    /// Returns the ticket of the callback at a place of the current plan; 0 for any other place.
    pub fn ticket(&self, place: Option<u32>) -> u32 {
        let place = place.and_then(|place| usize::try_from(place).ok());
        place.and_then(|place| self.tickets.get(place)).copied().unwrap_or_default()
    }

    /// Gives an input to the delivery. Returns the number of the plan that follows; `None` if too many plans have one.
    pub fn feed(&mut self, what: impl FnOnce(&mut Delivery) -> DeliveryStep) -> Option<u32> {
        let first = what(&mut self.delivery);
        self.plan = self.delivery.ahead(first);
        let ticket_of = |step: &mut DeliveryStep| {
            if let DeliveryStep::Notify(call) = step { mem::take(&mut call.ticket) } else { 0 }
        };
        // A late input changes nothing: the open callbacks stay open.
        if first != DeliveryStep::Wait {
            self.tickets.clear();
            self.tickets.extend(self.plan.iter_mut().map(ticket_of));
        }
        let known = self.numbers.get(&self.plan).copied();
        known.or_else(|| {
            let number = u32::try_from(self.numbers.len()).ok().filter(|number| *number < KNOWN)?;
            self.numbers.insert(self.plan.clone(), number);
            Some(number)
        })
    }
}
