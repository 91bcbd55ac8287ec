//! Numbers of plans: a host compiles each plan of a delivery once.

use std::mem;

use super::{Delivery, Step};
use crate::collections::HashMap;

/// The number of plans that get numbers.
const KNOWN: u32 = 1000;

/// A delivery that answers with all that comes as long as every callback returns nothing.
///
/// The same plan has the same number. In a plan the place of a telling stands for its ticket.
#[derive(Debug)]
pub struct Plans {
    delivery: Delivery,
    numbers: HashMap<Vec<Step>, u32>,
    plan: Vec<Step>,
    /// The ticket of each step of the plan that stands: 0 for one that is no telling.
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

    /// The last plan. No telling in it has a ticket.
    pub fn plan(&self) -> &[Step] {
        &self.plan
    }

    /// The ticket of the telling at a place of the plan that stands; 0, which no telling has, for any other place.
    pub fn ticket(&self, place: Option<u32>) -> u32 {
        let place = place.and_then(|place| usize::try_from(place).ok());
        place.and_then(|place| self.tickets.get(place)).copied().unwrap_or_default()
    }

    /// Says what has happened. The number of the plan that comes of it; nothing if too many have one.
    pub fn say(&mut self, what: impl FnOnce(&mut Delivery) -> Step) -> Option<u32> {
        let first = what(&mut self.delivery);
        self.plan = self.delivery.ahead(first);
        let ticket_of =
            |step: &mut Step| if let Step::Tell(tell) = step { mem::take(&mut tell.ticket) } else { 0 };
        // What comes too late changes nothing: the tellings before stand.
        if first != Step::Wait {
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
