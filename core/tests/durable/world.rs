//! An engine behind a network that delays, loses and repeats, the processes that use it, and their time.

use std::collections::BTreeMap;
use std::time::Duration;

use ag_ui_native::bindings::durable::*;

use crate::linearizable::Sent;
use crate::simulation::Chance;

/// The lease of all producers.
pub const LEASE: Duration = Duration::from_secs(3);
/// The time between two disturbances.
const DISTURBANCE_PAUSE: Duration = Duration::from_millis(500);

/// A process of the simulation.
pub type Process = usize;

/// An input of a process.
#[derive(Debug)]
pub enum Input {
    /// The reply to an operation, or its failure.
    Reply(Ticket, Result<Reply, EngineFailure>),
    /// The reply to the creation of its log.
    Admitted(Result<Reply, EngineFailure>),
    /// A hint of the log.
    Hint(Hint),
    /// A moment that the process asked for.
    Wake,
}

#[derive(Debug)]
enum Happening {
    Execute { by: Process, ticket: Option<Ticket>, operation: Operation, is_answered: bool, sent: usize },
    Give { to: Process, input: Input },
    Disturb,
}

/// An engine that executes an operation at a time.
pub type Store = Box<dyn FnMut(Duration, Operation) -> Executed>;

/// The engine and its network.
pub struct World {
    pub now: Duration,
    store: Store,
    happenings: BTreeMap<(Duration, u64), Happening>,
    count: u64,
    /// The processes that are notified of new frames.
    pub watchers: Vec<Process>,
    /// The processes that are dead: nothing reaches them.
    pub dead: Vec<Process>,
    /// The processes that are stopped, each with the time at which it goes on.
    pub stopped: BTreeMap<Process, Duration>,
    /// The messages that were sent. One that the network repeats is in it twice.
    pub history: Vec<Sent>,
    /// True if nothing is lost any more: the simulation comes to its end.
    pub is_calm: bool,
}

impl World {
    pub fn new(store: Store) -> Self {
        let mut world = Self {
            now: Duration::from_secs(1),
            store,
            happenings: BTreeMap::new(),
            count: 0,
            watchers: vec![],
            dead: vec![],
            stopped: BTreeMap::new(),
            history: vec![],
            is_calm: false,
        };
        world.at(world.now, Happening::Disturb);
        world
    }

    /// Sends an operation. It may arrive late, twice or never; its reply, too.
    pub fn send(&mut self, chance: &mut Chance, by: Process, ticket: Option<Ticket>, operation: &Operation) {
        let copies = if self.is_calm { 1 } else { chance.one(&[1, 1, 1, 1, 1, 1, 2, 0]) };
        for copy in 0..copies {
            let is_answered = copy == 0 && (self.is_calm || !chance.is(8));
            let (sent, operation) = (self.history.len(), operation.clone());
            self.history.push(Sent { at: self.now, operation: operation.clone(), answered: None });
            let execute = Happening::Execute { by, ticket, operation, is_answered, sent };
            self.at(self.now + delay(chance), execute);
        }
        // A connection that breaks says so; one that hangs does not.
        if copies == 0 && (ticket.is_none() || chance.is(2)) {
            self.give(self.now + delay(chance), by, answer(ticket, Err(EngineFailure)));
        }
    }

    /// Executes an operation at once, without the network.
    pub fn execute(&mut self, operation: Operation) -> Reply {
        (self.store)(self.now, operation).reply
    }

    /// The number of the log's next frame; `None` if there is no such log.
    pub fn next_frame(&mut self, key: &LogKey) -> Option<u64> {
        match self.execute(Operation::Info { key: key.clone() }) {
            Reply::Info(info) => Some(info.next),
            _ => None,
        }
    }

    pub fn wake(&mut self, at: Duration, process: Process) {
        self.give(at, process, Input::Wake);
    }

    /// Goes on to the next input of a process; `None` at the end of all.
    pub fn next(&mut self, chance: &mut Chance) -> Option<(Process, Input)> {
        loop {
            let ((at, _), happening) = self.happenings.pop_first()?;
            self.now = self.now.max(at);
            match happening {
                Happening::Disturb => {
                    self.at(self.now + DISTURBANCE_PAUSE, Happening::Disturb);
                    return Some((usize::MAX, Input::Wake));
                }
                Happening::Execute { by, ticket, operation, is_answered, sent } => {
                    self.arrive(chance, by, ticket, operation, is_answered.then_some(sent));
                }
                Happening::Give { to, .. } if self.dead.contains(&to) => {}
                Happening::Give { to, input } => match self.stopped.get(&to) {
                    Some(&until) if until > self.now => self.give(until, to, input),
                    _ => return Some((to, input)),
                },
            }
        }
    }

    fn arrive(
        &mut self,
        chance: &mut Chance,
        by: Process,
        ticket: Option<Ticket>,
        operation: Operation,
        answered: Option<usize>,
    ) {
        let Executed { reply, hints } = (self.store)(self.now, operation);
        if let Some(sent) = answered {
            let at = self.now + delay(chance);
            self.history[sent].answered = Some((at, reply.clone()));
            self.give(at, by, answer(ticket, Ok(reply)));
        } else if ticket.is_none() {
            self.give(self.now + delay(chance), by, answer(ticket, Err(EngineFailure)));
        }
        self.hint(chance, &hints);
    }

    /// Gives hints to all who watch. Some are lost.
    fn hint(&mut self, chance: &mut Chance, hints: &[(LogKey, Hint)]) {
        for (_, hint) in hints {
            for watcher in self.watchers.clone() {
                if self.is_calm || !chance.is(3) {
                    self.give(self.now + delay(chance), watcher, Input::Hint(*hint));
                }
            }
        }
    }

    fn give(&mut self, at: Duration, to: Process, input: Input) {
        self.at(at, Happening::Give { to, input });
    }

    fn at(&mut self, at: Duration, happening: Happening) {
        self.count += 1;
        self.happenings.insert((at, self.count), happening);
    }
}

fn answer(ticket: Option<Ticket>, reply: Result<Reply, EngineFailure>) -> Input {
    match ticket {
        Some(ticket) => Input::Reply(ticket, reply),
        None => Input::Admitted(reply),
    }
}

/// Mostly a fraction of a millisecond, sometimes longer than the patience of those who wait.
fn delay(chance: &mut Chance) -> Duration {
    let micros = match chance.below(64) {
        0 => 2_000_000,
        1..8 => 20_000,
        _ => 400,
    };
    Duration::from_micros(1 + chance.draw() % micros)
}
