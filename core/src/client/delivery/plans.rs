//! Numbers of plans: a host compiles each plan of a delivery once.

use super::{Delivery, Step, Tell};
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
    /// The ticket of its first step.
    first: u32,
}

impl Plans {
    /// The plans of a delivery.
    pub fn new(delivery: Delivery) -> Self {
        Self { delivery, numbers: HashMap::default(), plan: Vec::new(), first: 0 }
    }

    /// The delivery.
    pub fn delivery(&self) -> &Delivery {
        &self.delivery
    }

    /// The last plan. No telling in it has a ticket.
    pub fn plan(&self) -> &[Step] {
        &self.plan
    }

    /// The ticket of the telling at a place of the last plan; one that no telling has for a place before it.
    pub fn ticket(&self, place: Option<u32>) -> u32 {
        self.first.wrapping_add(place.unwrap_or(u32::MAX))
    }

    /// Says what has happened. The number of the plan that comes of it; nothing if too many have one.
    pub fn say(&mut self, what: impl FnOnce(&mut Delivery) -> Step) -> Option<u32> {
        let first = what(&mut self.delivery);
        self.plan = self.delivery.ahead(first);
        if let Step::Tell(Tell { ticket, .. }) = first {
            self.first = ticket;
        }
        for step in &mut self.plan {
            if let Step::Tell(tell) = step {
                tell.ticket = 0;
            }
        }
        let known = self.numbers.get(&self.plan).copied();
        known.or_else(|| {
            let number = u32::try_from(self.numbers.len()).ok().filter(|number| *number < KNOWN)?;
            self.numbers.insert(self.plan.clone(), number);
            Some(number)
        })
    }
}
