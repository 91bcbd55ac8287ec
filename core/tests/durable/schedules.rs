//! Producers, readers and an engine in random schedules: delays, lost and repeated operations and replies, lost hints, crashes,
//! stopped processes, clocks that differ. 20,000 schedules by seed; `make simulate` tries more.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::time::Duration;

use ag_ui_native::bindings::durable::*;
use ag_ui_native::stream::EventVerifier;
use ag_ui_native::{Event, Limits, Profile, from_json};

use crate::linearizable;
use crate::simulation::{self, Chance};
use crate::store::create;
use crate::world::{Input, LEASE, Process, Store, World};

/// From this time on nothing is lost, and nothing crashes.
const CALM: Duration = Duration::from_secs(12);
/// All has ended by then.
const END: Duration = Duration::from_secs(40);

#[test]
fn schedules_by_seed() {
    let (runs, whole) = (Cell::new(0_u32), Cell::new(0_u32));
    simulation::by_seed(|chance| {
        let mut store = MemoryStore::default();
        let is_whole = play(chance, Box::new(move |now, operation| store.execute(now, operation)));
        runs.set(runs.get() + u32::from(is_whole.is_some()));
        whole.set(whole.get() + u32::from(is_whole == Some(true)));
    });
    let (runs, whole) = (runs.get(), whole.get());
    // Replies that are lost for as long as the lease are too rare to explain more.
    assert!(whole * 100 >= runs * 99, "{whole} of {runs} runs of processes that were left alone are whole");
}

/// Plays a schedule over an engine. Returns whether the run has its own end, if its processes were left alone.
pub fn play(chance: &mut Chance, store: Store) -> Option<bool> {
    let mut game = Game::new(chance, store);
    game.play(chance);
    let is_whole = game.check();
    game.is_undisturbed.then_some(is_whole)
}

/// An agent that writes one run, if it is the one that creates the log.
struct Writer {
    owner: String,
    /// The difference of its clock.
    clock: Duration,
    producer: Option<Producer>,
    /// The frames of the agent.
    script: Vec<Frame>,
    written: Vec<Frame>,
    stored: u64,
    is_refused: bool,
    stops: Vec<StopReason>,
    is_closed: bool,
}

/// A client that reads the log, and reads on when its connection was cut.
struct Client {
    clock: Duration,
    reader: Reader,
    /// The beginning of the run, if it joined, and the number of the log's frames that it stands for.
    prefix: (Vec<Frame>, u64),
    frames: Vec<Frame>,
    end: Option<ReaderEnd>,
}

struct Game {
    world: World,
    key: LogKey,
    writers: BTreeMap<Process, Writer>,
    clients: BTreeMap<Process, Client>,
    next_client: Process,
    /// The identity of the log, once a client has read it.
    incarnation: Option<Incarnation>,
    /// True if no process of an agent was stopped, killed or shut down.
    is_undisturbed: bool,
    /// The longest duration of runs.
    max_age: Option<Duration>,
}

impl Game {
    fn new(chance: &mut Chance, store: Store) -> Self {
        let key = LogKey::new("scope", "t", "r").unwrap();
        let mut game = Self {
            world: World::new(store),
            key,
            writers: BTreeMap::new(),
            clients: BTreeMap::new(),
            next_client: 100,
            incarnation: None,
            is_undisturbed: true,
            max_age: chance.is(8).then_some(Duration::from_secs(2)),
        };
        game.is_undisturbed = game.max_age.is_none();
        // The same request several times at once: one of them runs the agent.
        for process in 0..=chance.below(3) {
            let writer = Writer::new(chance, process);
            game.create(chance, process, &writer.owner);
            game.writers.insert(process, writer);
        }
        game
    }

    /// True if the log is closed, and several clients have read it to its end.
    fn has_ended(&mut self) -> bool {
        let info = self.world.execute(Operation::Info { key: self.key.clone() });
        let is_closed = matches!(info, Reply::Info(LogInfo { is_closed: true, .. }));
        is_closed && self.clients.len() > 2 && self.clients.values().all(|client| client.end.is_some())
    }

    fn create(&mut self, chance: &mut Chance, process: Process, owner: &str) {
        let incarnation = Incarnation::from_bytes([u8::try_from(process).unwrap() + 1; 16]);
        let create = Create { incarnation, owner: owner.into(), lease: LEASE, ..create(self.key.clone()) };
        self.world.send(chance, process, None, &Operation::Create(create.into()));
    }

    fn play(&mut self, chance: &mut Chance) {
        while let Some((process, input)) = self.world.next(chance) {
            self.world.is_calm = self.world.now > CALM;
            if self.world.now > END {
                break;
            }
            if process == usize::MAX {
                if self.has_ended() {
                    break;
                }
                self.disturb(chance);
            } else if self.writers.contains_key(&process) {
                self.write(chance, process, input);
            } else if self.clients.contains_key(&process) {
                self.read(chance, process, input);
            }
        }
    }

    /// Something happens to a process, twice a second.
    fn disturb(&mut self, chance: &mut Chance) {
        if chance.is(2) && self.clients.len() < 6 && self.world.next_frame(&self.key).is_some() {
            self.join(chance, None);
        }
        if self.world.is_calm {
            return;
        }
        let process = chance.below(self.writers.len());
        match chance.below(18) {
            0 => {
                self.is_undisturbed = false;
                self.world.dead.push(process);
            }
            1 => {
                self.is_undisturbed = false;
                let length = chance.one(&[Duration::from_millis(200), LEASE * 2]);
                self.world.stopped.insert(process, self.world.now + length);
            }
            2..=6 => self.cut(chance),
            7 => self.drain(process),
            _ => {}
        }
    }

    /// The process is told to shut down.
    fn drain(&mut self, process: Process) {
        let now = self.world.now;
        let writer = self.writers.get_mut(&process);
        let Some(Writer { clock, producer: Some(producer), .. }) = writer else { return };
        producer.drain(now + *clock);
        self.is_undisturbed = false;
        self.world.wake(now, process);
    }

    fn join(&mut self, chance: &mut Chance, from: Option<(Cursor, Vec<Frame>)>) {
        let (process, clock) = (self.next_client, Duration::from_millis(chance.draw() % 100_000));
        self.next_client += 1;
        let options =
            ReaderOptions { max_bytes: 200, patience: Duration::from_millis(500), ..Default::default() };
        let reader = match &from {
            None if chance.is(2) => Reader::join(self.key.clone(), None, options),
            from => Reader::new(self.key.clone(), from.as_ref().map(|(after, _)| *after), options),
        };
        let frames = from.map(|(_, frames)| frames);
        self.world.watchers.push(process);
        self.world.wake(self.world.now, process);
        self.clients.insert(
            process,
            Client { clock, reader, prefix: (vec![], 0), frames: frames.unwrap_or_default(), end: None },
        );
    }

    /// Cuts the connection of a client, which reads on with what it has.
    fn cut(&mut self, chance: &mut Chance) {
        let open = self.clients.iter().find(|(_, client)| client.is_open());
        let Some((&process, _)) = open else { return };
        self.world.dead.push(process);
        self.world.watchers.retain(|watcher| *watcher != process);
        let Client { reader, frames, .. } = self.clients.remove(&process).unwrap();
        // What was read and not given to it is lost.
        let incarnation = reader.cursor().unwrap().incarnation;
        self.join(chance, Some((Cursor { incarnation, number: frames.len() as u64 }, frames)));
    }

    fn write(&mut self, chance: &mut Chance, process: Process, input: Input) {
        let writer = self.writers.get_mut(&process).unwrap();
        let now = self.world.now + writer.clock;
        match input {
            Input::Admitted(Ok(Reply::Created { epoch, .. })) if writer.producer.is_none() => {
                let options = ProducerOptions {
                    lease: LEASE,
                    patience: Duration::from_millis(500),
                    max_waiting: 2_000,
                    batch: 8,
                    max_age: self.max_age,
                    drain: Duration::from_secs(1),
                    ..Default::default()
                };
                writer.producer = Some(Producer::new(self.key.clone(), epoch, now, options));
            }
            Input::Admitted(Ok(_)) => writer.is_refused = true,
            Input::Admitted(Err(EngineFailure)) if writer.producer.is_none() => {
                let owner = writer.owner.clone();
                return self.create(chance, process, &owner);
            }
            Input::Reply(ticket, reply) => {
                if let Some(producer) = &mut writer.producer {
                    producer.reply(now, ticket, reply);
                }
            }
            Input::Hint(hint) => {
                if let Some(producer) = &mut writer.producer {
                    producer.hint(hint);
                }
            }
            _ => {}
        }
        writer.work(chance, now);
        let Some(producer) = &mut writer.producer else { return };
        while let Some(command) = producer.poll(now) {
            match command {
                ProducerCommand::Send { ticket, operation } => {
                    self.world.send(chance, process, Some(ticket), &operation);
                }
                ProducerCommand::Stored { through } => {
                    let next = self.world.next_frame(&self.key).unwrap();
                    assert!(through > writer.stored && through < next, "{through} of {next} is stored");
                    writer.stored = through;
                }
                ProducerCommand::Stop(reason) => writer.stops.push(reason),
                ProducerCommand::Closed => writer.is_closed = true,
            }
        }
        let pause = Duration::from_millis(1 + chance.draw() % 200);
        let at =
            producer.deadline().map(|deadline| deadline.saturating_sub(writer.clock).max(self.world.now));
        if let Some(at) = at {
            self.world.wake(at.min(self.world.now + pause), process);
        }
    }

    fn read(&mut self, chance: &mut Chance, process: Process, input: Input) {
        let client = self.clients.get_mut(&process).unwrap();
        let now = self.world.now + client.clock;
        match input {
            Input::Reply(ticket, reply) => client.reader.reply(now, ticket, reply),
            Input::Hint(next) => client.reader.hint(next),
            _ => {}
        }
        while let Some(command) = client.reader.poll(now) {
            match command {
                ReaderCommand::Send { ticket, operation } => {
                    self.world.send(chance, process, Some(ticket), &operation);
                }
                ReaderCommand::Frames { after, frames } => {
                    assert_eq!(after.number, client.prefix.1 + client.frames.len() as u64);
                    client.frames.extend(frames);
                }
                ReaderCommand::Opened { after, .. } => self.incarnation = Some(after.incarnation),
                ReaderCommand::Prefix(prefix) => {
                    assert!(client.frames.is_empty() && client.prefix.1 == 0);
                    client.prefix = (prefix.frames(), prefix.through().number);
                }
                ReaderCommand::End(end) => client.end = Some(end),
            }
        }
        if client.end == Some(ReaderEnd::Unavailable) {
            // It comes back.
            let Client { frames, prefix, .. } = self.clients.remove(&process).unwrap();
            self.world.watchers.retain(|watcher| *watcher != process);
            assert!(frames.is_empty() || self.incarnation.is_some());
            // A client that has joined joins again.
            let from = self.incarnation.filter(|_| !frames.is_empty() && prefix.1 == 0);
            let from = from.map(|incarnation| (Cursor { incarnation, number: frames.len() as u64 }, frames));
            return self.join(chance, from);
        }
        if let Some(deadline) = client.reader.deadline() {
            self.world.wake(deadline.saturating_sub(client.clock).max(self.world.now), process);
        }
    }

    /// Checks the log, its clients and its agents, and that operations seem to be executed one by one. Returns true if the run has its own end.
    fn check(&mut self) -> bool {
        linearizable::check(&self.world.history);
        let read = Read { key: self.key.clone(), after: None, max_bytes: usize::MAX };
        let page = self.world.execute(Operation::Read(read));
        if page == Reply::Unknown && self.writers.keys().all(|process| self.world.dead.contains(process)) {
            return false;
        }
        let Reply::Page(page) = page else { panic!("no log: {page:?}") };
        assert!(page.is_closed, "the run has ended");
        let ran: Vec<_> = self.writers.values().filter(|writer| writer.producer.is_some()).collect();
        assert!(ran.len() <= 1, "the agent runs once");
        let is_whole = check_run(&page.frames, ran.first().copied());
        for client in self.clients.values() {
            assert_eq!(client.end, Some(ReaderEnd::Closed));
            let (prefix, stands_for) = &client.prefix;
            let behind = &page.frames[usize::try_from(*stands_for).unwrap()..];
            assert_eq!(client.frames, behind);
            check_order(&[prefix, behind].concat());
        }
        let next = Create { owner: "later".into(), ..create(LogKey::new("scope", "t", "next").unwrap()) };
        let reply = self.world.execute(Operation::Create(next.into()));
        assert!(matches!(reply, Reply::Created { .. }), "the thread is free: {reply:?}");
        is_whole
    }
}

/// Checks that the frames are one legal run, unless its agent has not begun.
fn check_order(frames: &[Frame]) {
    if let [frame] = frames {
        return assert!(["producer_lost", "log_age"].iter().any(|end| frame.as_str().contains(end)));
    }
    let mut verifier = EventVerifier::new(Limits::default());
    for frame in frames {
        let (event, _) = from_json::<Event>(frame.as_str().as_bytes(), Profile::Strict).unwrap();
        verifier.check(&event).unwrap();
    }
    verifier.finish().unwrap();
}

fn check_run(frames: &[Frame], writer: Option<&Writer>) -> bool {
    let written = writer.map_or(&[][..], |writer| &writer.written);
    let (last, before) = frames.split_last().unwrap();
    assert!(written.starts_with(before), "the frames are those of the agent, in its order");
    let is_lost = written.get(before.len()) != Some(last);
    if let Some(writer) = writer {
        let ends = [(StopReason::TooOld, "log_age"), (StopReason::Drained, "producer_lost")];
        let given = ends.iter().find(|(reason, _)| writer.stops.contains(reason));
        let is_given = given.is_some_and(|(_, end)| last.as_str().contains(end));
        let own = frames.len() as u64 - u64::from(is_lost && !is_given);
        assert!(writer.stored <= own, "what was told stored is stored");
        assert!(
            !writer.is_closed || is_given == given.is_some(),
            "the end that was given is stored: {last:?}"
        );
        assert!(!writer.is_closed || !is_lost || is_given, "an end that was told stored is stored");
        assert!(!writer.stops.contains(&StopReason::TooBig));
    }
    check_order(frames);
    !is_lost
}

impl Client {
    /// True if its connection can be cut. One that has joined forgets its prefix and joins again.
    fn is_open(&self) -> bool {
        self.end.is_none() && self.reader.cursor().is_some() && self.prefix.1 == 0
    }
}

impl Writer {
    fn new(chance: &mut Chance, process: Process) -> Self {
        let deltas = chance.below(60);
        let texts = (0..deltas).map(|number| {
            format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"{process}.{number} "}}"#)
        });
        let first = [
            r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#.to_owned(),
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#.to_owned(),
        ];
        let last = [
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#.to_owned(),
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#.to_owned(),
        ];
        Self {
            owner: format!("owner {process}"),
            clock: Duration::from_millis(chance.draw() % 100_000),
            producer: None,
            script: first.into_iter().chain(texts).chain(last).map(Frame::from).collect(),
            written: vec![],
            stored: 0,
            is_refused: false,
            stops: vec![],
            is_closed: false,
        }
    }

    /// The agent writes some frames.
    fn work(&mut self, chance: &mut Chance, now: Duration) {
        let Some(producer) = &mut self.producer else { return };
        if !self.stops.is_empty() {
            return;
        }
        for _ in 0..chance.below(6) {
            let Some(frame) = self.script.get(self.written.len()).filter(|_| producer.has_room()) else {
                return;
            };
            let is_last = self.written.len() + 1 == self.script.len();
            let number = if is_last {
                producer.finish(now, frame.clone(), None)
            } else {
                producer.write(now, frame.clone())
            };
            let Some(number) = number else { return };
            self.written.push(frame.clone());
            assert_eq!(number, self.written.len() as u64);
            if chance.is(8) {
                producer.flush(now);
            }
        }
    }
}
