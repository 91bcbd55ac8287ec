//! The properties of the engine in memory beyond the replies that all engines give: its room, its hints, its longest times.

use std::time::Duration;

use ag_ui_native::bindings::durable::*;

pub const SECOND: Duration = Duration::from_secs(1);
const LEASE: Duration = Duration::from_secs(30);

pub fn key(run: &str) -> LogKey {
    LogKey::new("scope", "thread", run).unwrap()
}

pub fn frames(texts: &[&str]) -> Vec<Frame> {
    texts.iter().map(|text| Frame::from(*text)).collect()
}

pub fn create(key: LogKey) -> Create {
    Create {
        key,
        incarnation: Incarnation::from_bytes([7; 16]),
        run_id: "r".into(),
        parent: None,
        digest: InputDigest::of_canonical(b"{}"),
        owner: "one".into(),
        lease: LEASE,
        policy: LogPolicy::default(),
        snapshot: None,
    }
}

fn append(key: LogKey, first: u64, texts: &[&str], end: Option<RunEnd>) -> Operation {
    Operation::Append(Append { key, epoch: 1, first, frames: frames(texts), end })
}

/// An engine and its clock.
struct Engine(MemoryStore, Duration);

impl Engine {
    fn new(limits: StoreLimits) -> Self {
        Self(MemoryStore::new(limits), SECOND)
    }

    fn run(&mut self, operation: Operation) -> Reply {
        self.0.execute(self.1, operation).reply
    }

    fn create(&mut self, thread: &str) -> Reply {
        self.run(Operation::Create(create(of(thread)).into()))
    }

    fn finish(&mut self, thread: &str, snapshot: Option<Snapshot>) -> Reply {
        self.1 += SECOND;
        self.run(append(of(thread), 1, &["zzz"], Some(RunEnd { snapshot })))
    }
}

fn of(thread: &str) -> LogKey {
    LogKey::new("scope", thread, "r").unwrap()
}

#[test]
fn logs_that_have_ended_make_room() {
    let mut engine = Engine::new(StoreLimits { max_logs: 2, max_bytes: 8, ..StoreLimits::default() });
    for thread in ["r", "q", "p"] {
        assert!(matches!(engine.create(thread), Reply::Created { .. }), "{thread}");
        assert_eq!(engine.finish(thread, None), Reply::Appended { next: 2 });
    }
    assert_eq!(engine.run(Operation::Info { key: of("r") }), Reply::Unknown, "the earliest has made room");
    assert!(matches!(engine.run(Operation::Info { key: of("q") }), Reply::Info(_)));
    for thread in ["a", "b"] {
        assert!(matches!(engine.create(thread), Reply::Created { .. }));
    }
    assert_eq!(engine.create("c"), Reply::Full, "no run has ended");
    assert_eq!(engine.run(append(of("a"), 1, &["123456789"], None)), Reply::TooBig);
    assert_eq!(engine.run(append(of("a"), 1, &["12345678"], None)), Reply::Appended { next: 2 });
}

#[test]
fn threads_without_an_active_run_make_room() {
    let mut engine = Engine::new(StoreLimits { max_threads: 2, max_bytes: 20, ..StoreLimits::default() });
    let read = |thread: &str| Operation::ReadThread { thread: of(thread).thread().clone() };
    for thread in ["a", "b", "c"] {
        assert!(matches!(engine.create(thread), Reply::Created { .. }));
        assert_eq!(engine.finish(thread, Some("{}".into())), Reply::Appended { next: 2 });
    }
    assert_eq!(engine.run(read("a")), Reply::Thread(ThreadInfo::default()), "the earliest has made room");
    assert!(matches!(engine.run(read("b")), Reply::Thread(ThreadInfo { version: 1, .. })));
    assert!(matches!(engine.create("d"), Reply::Created { .. }));
    assert_eq!(engine.finish("d", Some(" ".repeat(18).into())), Reply::Appended { next: 2 });
    assert_eq!(engine.run(read("c")), Reply::Thread(ThreadInfo::default()), "the bytes of snapshots count");
}

#[test]
fn a_run_begins_if_there_is_room_for_its_snapshot() {
    let mut engine = Engine::new(StoreLimits { max_bytes: 10, ..StoreLimits::default() });
    let mut begin = |thread: &str, bytes: usize| {
        let create = Create { snapshot: Some(" ".repeat(bytes).into()), ..create(of(thread)) };
        engine.run(Operation::Create(create.into()))
    };
    assert!(matches!(begin("a", 6), Reply::Created { .. }));
    assert_eq!(begin("b", 5), Reply::Full, "no run has ended");
    assert!(matches!(begin("b", 4), Reply::Created { .. }));
}

/// Builds for tests compare what comes again: a process that numbers its frames twice is found.
#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "a repetition has the same frames")]
fn a_repetition_of_other_frames_is_a_fault() {
    let mut engine = Engine::new(StoreLimits::default());
    assert!(matches!(engine.create("t"), Reply::Created { .. }));
    assert_eq!(engine.run(append(of("t"), 1, &["a", "b"], None)), Reply::Appended { next: 3 });
    engine.run(append(of("t"), 2, &["other", "c"], None));
}

#[test]
fn a_change_gives_a_hint() {
    let mut engine = Engine::new(StoreLimits::default());
    let key = of("t");
    let hints = |engine: &mut Engine, operation| engine.0.execute(engine.1, operation).hints;
    assert_eq!(hints(&mut engine, Operation::Create(create(key.clone()).into())), []);
    let appended = |next| vec![(of("t"), Hint::Appended { next })];
    assert_eq!(hints(&mut engine, append(key.clone(), 1, &["a", "b"], None)), appended(3));
    assert_eq!(hints(&mut engine, append(key.clone(), 1, &["a", "b"], None)), [], "nothing was appended");
    assert_eq!(hints(&mut engine, Operation::Cancel { key: key.clone() }), [(key.clone(), Hint::Cancelled)]);
    engine.1 += LEASE;
    assert_eq!(hints(&mut engine, Operation::Info { key: key.clone() }), appended(4));
    assert_eq!(hints(&mut engine, Operation::Renew { key, epoch: 1, lease: LEASE }), []);
}

#[test]
fn the_longest_times_are_no_overflow() {
    let mut engine = Engine::new(StoreLimits::default());
    let policy = LogPolicy { keep: Duration::MAX, keep_thread: Duration::MAX, ..LogPolicy::default() };
    let create = Create { lease: Duration::MAX, policy, ..create(of("t")) };
    assert!(matches!(engine.run(Operation::Create(create.into())), Reply::Created { .. }));
    let renew = Operation::Renew { key: of("t"), epoch: 1, lease: Duration::MAX };
    assert_eq!(engine.run(renew), Reply::Renewed { is_cancelled: false, is_attended: true });
    assert_eq!(engine.finish("t", None), Reply::Appended { next: 2 });
    assert!(matches!(engine.run(Operation::Info { key: of("t") }), Reply::Info(_)));
}
