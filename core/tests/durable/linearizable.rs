//! Histories of one log are linearizable: each operation seems to be executed at one moment between its sending and its
//! reply. The rules are written down once more here, for one log, without the code of an engine.
//!
//! The search is that of Wing and Gong. An operation without a reply may have been executed at any later moment, or never.
//! Moments are known only by their bounds, so a lease may be over or not where the bounds leave it open.

use std::cell::Cell;
use std::collections::HashSet;
use std::time::Duration;

use ag_ui_native::bindings::durable::*;

use crate::simulation::{self, Chance};
use crate::store::create;
use crate::world::{Input, World};

/// A message that was sent, and what its sender has got.
#[derive(Clone, Debug)]
pub struct Sent {
    pub at: Duration,
    pub operation: Operation,
    pub answered: Option<(Duration, Reply)>,
}

/// The state of a log, as the rules of the four operations see it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Log {
    owner: String,
    incarnation: Incarnation,
    digest: InputDigest,
    epoch: u64,
    /// The number of the next frame.
    next: u64,
    is_closed: bool,
    /// The earliest and the latest moment at which the lease ends.
    lease_until: (Duration, Duration),
}

/// A state, and the earliest moment at which the next operation can have been executed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    log: Option<Log>,
    since: Duration,
}

/// Fails if there is no order of the messages that explains the replies.
pub fn check(history: &[Sent]) {
    let history: Vec<_> = history.iter().filter(|sent| is_checked(&sent.operation)).collect();
    let mut search = Search { history: &history, done: vec![false; history.len()], seen: HashSet::new() };
    let begin = State { log: None, since: Duration::ZERO };
    assert!(search.is_explained(&begin), "no order explains this history: {history:#?}");
}

fn is_checked(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Create(_) | Operation::Claim { .. } | Operation::Append(_) | Operation::Renew { .. }
    )
}

struct Search<'h> {
    history: &'h [&'h Sent],
    done: Vec<bool>,
    seen: HashSet<(Vec<bool>, State)>,
}

impl Search<'_> {
    /// True if the rest of the history can follow this state.
    fn is_explained(&mut self, state: &State) -> bool {
        let open = || (0..self.history.len()).filter(|at| !self.done[*at]);
        let answers = open().filter_map(|at| self.history[at].answered.as_ref().map(|(moment, _)| *moment));
        let Some(first_answer) = answers.min() else { return true };
        // What is sent after a reply has come is executed after what is replied to.
        let mut next: Vec<_> = open().filter(|at| self.history[*at].at <= first_answer).collect();
        next.sort_by_key(|at| {
            self.history[*at].answered.as_ref().map_or(Duration::MAX, |(moment, _)| *moment)
        });
        if !self.seen.insert((self.done.clone(), state.clone())) {
            return false;
        }
        for at in next {
            let sent = self.history[at];
            let bounds = (state.since.max(sent.at), first_answer);
            self.done[at] = true;
            // A reader may have found that the lease is over.
            let lost = state
                .log
                .as_ref()
                .filter(|log| !log.is_closed && log.lease_until.0 <= bounds.1)
                .map(Log::lost);
            let mut possible = replies(state.log.as_ref(), &sent.operation, bounds);
            if lost.is_some() {
                possible.extend(replies(lost.as_ref(), &sent.operation, bounds));
            }
            for (log, reply) in possible {
                let fits = match &sent.answered {
                    Some((_, answer)) => *answer == reply,
                    // One that changes nothing need not have been executed.
                    None => log != state.log,
                };
                if fits && self.is_explained(&State { log, since: bounds.0 }) {
                    return true;
                }
            }
            self.done[at] = false;
        }
        false
    }
}

/// The states and replies that are possible if the operation is executed between two moments.
fn replies(
    log: Option<&Log>,
    operation: &Operation,
    bounds: (Duration, Duration),
) -> Vec<(Option<Log>, Reply)> {
    let Some(log) = log else {
        return match operation {
            Operation::Create(create) => {
                let reply = Reply::Created { incarnation: create.incarnation, epoch: 1 };
                vec![(Some(Log::new(create, bounds)), reply)]
            }
            _ => vec![(None, Reply::Unknown)],
        };
    };
    let same = |reply| vec![(Some(log.clone()), reply)];
    match operation {
        Operation::Create(create) if create.digest != log.digest => same(Reply::Conflict),
        Operation::Create(create)
            if log.owner == create.owner && log.epoch == 1 && log.next == 1 && !log.is_closed =>
        {
            same(Reply::Created { incarnation: log.incarnation, epoch: 1 })
        }
        Operation::Create(_) => same(Reply::Exists(LogInfo {
            incarnation: log.incarnation,
            digest: log.digest,
            next: log.next,
            is_closed: log.is_closed,
            is_cancelled: false,
        })),
        Operation::Claim { .. } | Operation::Renew { .. } if log.is_closed => same(Reply::Closed),
        Operation::Claim { .. } if log.next != 1 => same(Reply::Held),
        Operation::Claim { owner, lease, .. } => log.claim(owner, *lease, bounds),
        Operation::Append(append) => log.append(append),
        Operation::Renew { epoch, .. } if *epoch != log.epoch => same(Reply::Fenced),
        Operation::Renew { lease, .. } => {
            let renewed = Log { lease_until: (bounds.0 + *lease, bounds.1 + *lease), ..log.clone() };
            vec![(Some(renewed), Reply::Renewed { is_cancelled: false, is_attended: true })]
        }
        _ => vec![],
    }
}

impl Log {
    fn new(create: &Create, bounds: (Duration, Duration)) -> Self {
        Self {
            owner: create.owner.clone(),
            incarnation: create.incarnation,
            digest: create.digest,
            epoch: 1,
            next: 1,
            is_closed: false,
            lease_until: (bounds.0 + create.lease, bounds.1 + create.lease),
        }
    }

    /// The log as it is once somebody has found that its lease is over.
    fn lost(&self) -> Self {
        Self { epoch: self.epoch + 1, next: self.next + 1, is_closed: true, ..self.clone() }
    }

    fn claim(
        &self,
        owner: &str,
        lease: Duration,
        bounds: (Duration, Duration),
    ) -> Vec<(Option<Self>, Reply)> {
        let mut possible = vec![];
        if self.owner == owner || self.lease_until.0 <= bounds.1 {
            let lease_until = (bounds.0 + lease, bounds.1 + lease);
            let claimed = Self { owner: owner.into(), epoch: self.epoch + 1, lease_until, ..self.clone() };
            possible.push((Some(claimed), Reply::Claimed { epoch: self.epoch + 1 }));
        }
        if self.owner != owner && bounds.0 < self.lease_until.1 {
            possible.push((Some(self.clone()), Reply::Held));
        }
        possible
    }

    fn append(&self, append: &Append) -> Vec<(Option<Self>, Reply)> {
        let same = |reply| vec![(Some(self.clone()), reply)];
        if append.epoch != self.epoch {
            return same(Reply::Fenced);
        }
        if append.first > self.next {
            return same(Reply::Gap { next: self.next });
        }
        let after = append.first + append.frames.len() as u64;
        if after <= self.next {
            return same(Reply::Appended { next: self.next });
        }
        if self.is_closed {
            return same(Reply::Closed);
        }
        let appended = Self { next: after, is_closed: append.end.is_some(), ..self.clone() };
        vec![(Some(appended), Reply::Appended { next: after })]
    }
}

const CLIENTS: usize = 4;
const LEASES: [Duration; 3] = [Duration::from_millis(1), Duration::from_millis(5), Duration::from_secs(1)];

/// Several processes create, claim, append and renew, each by its own idea of the log.
#[test]
fn schedules_of_one_log() {
    let (claimed, appended) = (Cell::new(0_u32), Cell::new(0_u32));
    simulation::by_seed(|chance| {
        let mut store = MemoryStore::default();
        let mut world = World::new(Box::new(move |now, operation| store.execute(now, operation)));
        let mut clients = [Client::default(); CLIENTS];
        for process in 0..CLIENTS {
            world.wake(world.now, process);
        }
        // All replies have come by then.
        while world.now < Duration::from_secs(8) {
            let Some((process, input)) = world.next(chance) else { break };
            let Some(client) = clients.get_mut(process) else { continue };
            if let Input::Admitted(Ok(reply)) = &input {
                client.learn(reply);
            }
            if client.sent < 5 {
                client.sent += 1;
                let operation = client.operation(chance, process);
                world.send(chance, process, None, &operation);
            }
        }
        for sent in &world.history {
            match sent.answered {
                Some((_, Reply::Claimed { .. })) => claimed.set(claimed.get() + 1),
                Some((_, Reply::Appended { .. })) => appended.set(appended.get() + 1),
                _ => {}
            }
        }
        check(&world.history);
    });
    assert!(claimed.get() > 0 && appended.get() > 0, "{claimed:?} {appended:?}");
}

/// What a process knows of the log.
#[derive(Clone, Copy, Default)]
struct Client {
    sent: u32,
    epoch: u64,
    next: u64,
}

impl Client {
    fn learn(&mut self, reply: &Reply) {
        match reply {
            Reply::Created { epoch, .. } | Reply::Claimed { epoch } => (self.epoch, self.next) = (*epoch, 1),
            Reply::Appended { next } | Reply::Gap { next } => self.next = *next,
            _ => {}
        }
    }

    fn operation(&self, chance: &mut Chance, process: usize) -> Operation {
        let (key, lease) = (LogKey::new("scope", "t", "r").unwrap(), chance.one(&LEASES));
        let owner = format!("owner {process}");
        if self.epoch == 0 && !chance.is(8) {
            let incarnation = Incarnation::from_bytes([u8::try_from(process).unwrap(); 16]);
            let digest = InputDigest::of_canonical(chance.one(&["{}", "{}", "{}", "[]"]).as_bytes());
            if chance.is(2) {
                return Operation::Claim { key, owner, lease };
            }
            return Operation::Create(Create { incarnation, digest, owner, lease, ..create(key) }.into());
        }
        match chance.below(6) {
            0 => Operation::Claim { key, owner, lease },
            1 => Operation::Renew { key, epoch: self.epoch, lease },
            _ => {
                let first = (self.next + chance.draw() % 3).saturating_sub(1).max(1);
                let epoch = self.epoch.max(1);
                // A repetition has the same frames.
                let text = |number| Frame::from(format!("{epoch}.{number}"));
                let frames = (first..=first + chance.draw() % 3).map(text).collect();
                let end = chance.is(6).then(RunEnd::default);
                Operation::Append(Append { key, epoch, first, frames, end })
            }
        }
    }
}

fn answered(at: u64, operation: Operation, moment: u64, reply: Reply) -> Sent {
    let answered = Some((Duration::from_millis(moment), reply));
    Sent { at: Duration::from_millis(at), operation, answered }
}

fn claim(owner: &str) -> Operation {
    let key = LogKey::new("scope", "t", "r").unwrap();
    Operation::Claim { key, owner: owner.into(), lease: Duration::from_secs(1) }
}

/// The history of two claims of a new log, whose replies have these epochs.
fn two_claims(lease: u64, first: u64, second: u64) -> Vec<Sent> {
    let key = LogKey::new("scope", "t", "r").unwrap();
    let create = Create { lease: Duration::from_millis(lease), ..create(key) };
    let created = Reply::Created { incarnation: create.incarnation, epoch: 1 };
    vec![
        answered(0, Operation::Create(create.into()), 1, created),
        answered(5, claim("two"), 9, Reply::Claimed { epoch: first }),
        answered(5, claim("two"), 9, Reply::Claimed { epoch: second }),
    ]
}

#[test]
fn a_legal_history_is_explained() {
    check(&two_claims(3, 2, 3));
    check(&two_claims(3, 3, 2));
    check(&two_claims(8, 2, 3));
}

#[test]
#[should_panic(expected = "no order explains")]
fn one_epoch_is_not_given_twice() {
    check(&two_claims(3, 2, 2));
}

#[test]
#[should_panic(expected = "no order explains")]
fn a_lease_is_not_taken_before_its_end() {
    check(&two_claims(20, 2, 3));
}
