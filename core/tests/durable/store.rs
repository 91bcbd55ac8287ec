//! The replies of the engine in memory, operation by operation.

use std::time::Duration;

use ag_ui_native::durable::*;

pub const SECOND: Duration = Duration::from_secs(1);
const LEASE: Duration = Duration::from_secs(30);

pub fn key(run: &str) -> LogKey {
    LogKey::new("scope", "thread", run).unwrap()
}

pub fn frames(texts: &[&str]) -> Vec<Frame> {
    texts.iter().map(|text| text.as_bytes().into()).collect()
}

fn create(run: &str, owner: &str) -> Create {
    Create {
        key: key(run),
        incarnation: Incarnation::from_bytes([7; 16]),
        run_id: run.into(),
        digest: InputDigest::of_canonical(b"{}"),
        owner: owner.into(),
        lease: LEASE,
        policy: LogPolicy { max_bytes: 10, keep: Duration::from_secs(60) },
    }
}

fn append(first: u64, texts: &[&str], is_end: bool) -> Append {
    Append { key: key("r"), epoch: 1, first, frames: frames(texts), is_end }
}

/// An engine and its clock.
struct Engine(MemoryStore, Duration);

impl Engine {
    fn new() -> Self {
        Self(MemoryStore::default(), Duration::from_secs(1))
    }

    /// With the log of the run `r`.
    fn with_log() -> Self {
        let mut engine = Self::new();
        assert!(matches!(engine.create("r", "one"), Reply::Created { epoch: 1, .. }));
        engine
    }

    fn run(&mut self, operation: Operation) -> Reply {
        self.0.execute(self.1, operation)
    }

    fn create(&mut self, run: &str, owner: &str) -> Reply {
        self.run(Operation::Create(create(run, owner)))
    }

    fn append(&mut self, first: u64, texts: &[&str], is_end: bool) -> Reply {
        self.run(Operation::Append(append(first, texts, is_end)))
    }

    fn read(&mut self, after: u64, max_bytes: usize) -> Reply {
        let after = Some(Cursor { incarnation: Incarnation::from_bytes([7; 16]), number: after });
        self.run(Operation::Read(Read { key: key("r"), after, max_bytes }))
    }

    fn texts(&mut self) -> Vec<String> {
        match self.read(0, usize::MAX) {
            Reply::Page(page) => {
                page.frames.iter().map(|frame| String::from_utf8_lossy(frame.as_bytes()).into()).collect()
            }
            reply => panic!("{reply:?}"),
        }
    }

    fn claim(&mut self, owner: &str) -> Reply {
        self.run(Operation::Claim { key: key("r"), owner: owner.into(), lease: LEASE })
    }

    fn renew(&mut self, epoch: u64) -> Reply {
        self.run(Operation::Renew { key: key("r"), epoch, lease: LEASE })
    }
}

#[test]
fn a_log_is_created_once() {
    let mut engine = Engine::with_log();
    assert!(matches!(engine.create("r", "one"), Reply::Created { epoch: 1, .. }), "its reply was lost");
    assert!(matches!(engine.create("r", "two"), Reply::Exists(LogInfo { next: 1, is_closed: false, .. })));
    let other = Create { digest: InputDigest::of_canonical(b"[]"), ..create("r", "one") };
    assert_eq!(engine.run(Operation::Create(other)), Reply::Conflict);
    assert_eq!(engine.create("q", "two"), Reply::Busy { run_id: "r".into() });
    assert_eq!(engine.append(1, &["a"], false), Reply::Appended { next: 2 });
    assert!(matches!(engine.create("r", "one"), Reply::Exists(_)), "its agent has begun");
    assert_eq!(engine.append(2, &["z"], true), Reply::Appended { next: 3 });
    assert!(matches!(engine.create("q", "two"), Reply::Created { .. }), "the thread is free");
    assert!(matches!(engine.create("r", "one"), Reply::Exists(LogInfo { is_closed: true, .. })));
}

#[test]
fn a_repeated_append_changes_nothing() {
    let mut engine = Engine::with_log();
    assert_eq!(engine.append(1, &["a", "b"], false), Reply::Appended { next: 3 });
    assert_eq!(engine.append(1, &["a", "b"], false), Reply::Appended { next: 3 });
    assert_eq!(engine.append(2, &["b", "c"], false), Reply::Appended { next: 4 });
    assert_eq!(engine.append(5, &["e"], false), Reply::Gap { next: 4 });
    assert_eq!(engine.append(4, &["z"], true), Reply::Appended { next: 5 });
    assert_eq!(engine.append(4, &["z"], true), Reply::Appended { next: 5 }, "the reply to the end was lost");
    assert_eq!(engine.append(1, &["a"], false), Reply::Appended { next: 5 });
    assert_eq!(engine.append(5, &["!"], false), Reply::Closed);
    assert_eq!(engine.texts(), ["a", "b", "c", "z"]);
}

#[test]
fn only_the_last_lease_writes() {
    let mut engine = Engine::with_log();
    assert_eq!(engine.claim("two"), Reply::Held);
    assert_eq!(engine.claim("one"), Reply::Claimed { epoch: 2 });
    assert_eq!(engine.append(1, &["a"], false), Reply::Fenced);
    assert_eq!(engine.renew(1), Reply::Fenced);
    engine.1 += LEASE;
    assert_eq!(
        engine.claim("two"),
        Reply::Claimed { epoch: 3 },
        "nothing was written, and the lease is over"
    );
    assert_eq!(engine.renew(2), Reply::Fenced);
    let first = Append { epoch: 3, ..append(1, &["a"], false) };
    assert_eq!(engine.run(Operation::Append(first)), Reply::Appended { next: 2 });
    engine.1 += LEASE;
    assert_eq!(engine.claim("one"), Reply::Held, "its agent has begun, and runs once");
    assert_eq!(engine.renew(3), Reply::Renewed { is_cancelled: false }, "until somebody ends it");
}

#[test]
fn a_lease_that_is_over_ends_the_run() {
    let mut engine = Engine::with_log();
    engine.append(1, &["a"], false);
    engine.1 += Duration::from_secs(29);
    assert_eq!(engine.run(Operation::ExpireLeases), Reply::Expired { count: 0 });
    assert_eq!(engine.renew(1), Reply::Renewed { is_cancelled: false });
    engine.1 += Duration::from_secs(29);
    assert_eq!(engine.run(Operation::ExpireLeases), Reply::Expired { count: 0 });
    engine.1 += SECOND;
    assert_eq!(engine.run(Operation::ExpireLeases), Reply::Expired { count: 1 });
    assert_eq!(engine.run(Operation::ExpireLeases), Reply::Expired { count: 0 });
    let texts = engine.texts();
    assert_eq!(texts[0], "a");
    assert!(
        texts[1].starts_with(r#"{"type":"RUN_ERROR","#) && texts[1].contains(r#""code":"producer_lost""#)
    );
    assert_eq!(engine.append(2, &["b"], false), Reply::Fenced);
    assert_eq!((engine.renew(1), engine.claim("one")), (Reply::Closed, Reply::Closed));
    assert!(matches!(engine.create("q", "two"), Reply::Created { .. }), "the thread is free");
}

#[test]
fn the_producer_hears_of_a_cancel() {
    let mut engine = Engine::with_log();
    let cancel = || Operation::Cancel { key: key("r") };
    assert_eq!(engine.run(cancel()), Reply::Done);
    assert_eq!(engine.run(cancel()), Reply::Done);
    assert_eq!(engine.renew(1), Reply::Renewed { is_cancelled: true });
    engine.append(1, &["z"], true);
    assert_eq!(engine.run(cancel()), Reply::Done, "also behind the end");
    assert_eq!(engine.run(Operation::Cancel { key: key("q") }), Reply::Unknown);
}

#[test]
fn reads_are_of_bounded_length() {
    let mut engine = Engine::with_log();
    engine.append(1, &["aa", "bb", "cccccc"], false);
    let page = |first, texts: &[&str], is_closed| {
        let incarnation = Incarnation::from_bytes([7; 16]);
        Reply::Page(Page { incarnation, first, frames: frames(texts), next: 4, is_closed })
    };
    assert_eq!(engine.read(0, 4), page(1, &["aa", "bb"], false));
    assert_eq!(engine.read(0, 3), page(1, &["aa"], false));
    assert_eq!(engine.read(2, 1), page(3, &["cccccc"], false), "one is always read");
    assert_eq!(engine.read(3, 9), page(4, &[], false));
    assert_eq!(engine.read(4, 9), Reply::Ahead);
    let other = Cursor { incarnation: Incarnation::from_bytes([8; 16]), number: 0 };
    let read = Read { key: key("r"), after: Some(other), max_bytes: 9 };
    assert_eq!(engine.run(Operation::Read(read.clone())), Reply::Replaced);
    assert_eq!(engine.run(Operation::Read(Read { after: None, ..read.clone() })), engine.read(0, 9));
    assert_eq!(engine.run(Operation::Read(Read { key: key("q"), ..read })), Reply::Unknown);
}

#[test]
fn a_log_has_room_for_its_end() {
    let mut engine = Engine::with_log();
    assert_eq!(engine.append(1, &["12345", "12345"], false), Reply::Appended { next: 3 });
    assert_eq!(engine.append(3, &["6"], false), Reply::TooBig);
    let large = "z".repeat(64 << 10);
    assert_eq!(engine.append(3, &[&large, "z"], true), Reply::TooBig);
    assert_eq!(engine.append(3, &[&large], true), Reply::Appended { next: 4 });
}

#[test]
fn a_closed_log_is_kept_for_its_time() {
    let mut engine = Engine::with_log();
    engine.append(1, &["z"], true);
    engine.1 += Duration::from_secs(59);
    assert!(matches!(engine.read(0, 9), Reply::Page(_)));
    engine.1 += SECOND;
    assert_eq!(engine.read(0, 9), Reply::Unknown);
    assert!(matches!(engine.create("r", "two"), Reply::Created { .. }));
}

#[test]
fn a_deleted_log_frees_its_thread() {
    let mut engine = Engine::with_log();
    let delete = || Operation::Delete { key: key("r") };
    assert_eq!((engine.run(delete()), engine.run(delete())), (Reply::Done, Reply::Done));
    assert_eq!(engine.append(1, &["a"], false), Reply::Unknown);
    assert!(matches!(engine.create("q", "two"), Reply::Created { .. }));
}

#[test]
fn logs_that_have_ended_make_room() {
    let limits = StoreLimits { max_logs: 2, max_bytes: 8 };
    let mut engine = Engine(MemoryStore::new(limits), SECOND);
    for run in ["r", "q", "p"] {
        assert!(matches!(engine.create(run, "one"), Reply::Created { .. }), "{run}");
        let end = Append { key: key(run), ..append(1, &["zzz"], true) };
        assert_eq!(engine.run(Operation::Append(end)), Reply::Appended { next: 2 });
        engine.1 += SECOND;
    }
    let info = |run| Operation::Info { key: key(run) };
    assert_eq!(engine.run(info("r")), Reply::Unknown, "the earliest has made room");
    assert!(matches!(engine.run(info("q")), Reply::Info(_)));
    let other =
        |thread: &str| Create { key: LogKey::new("scope", thread, "r").unwrap(), ..create("r", "one") };
    for thread in ["a", "b"] {
        assert!(matches!(engine.run(Operation::Create(other(thread))), Reply::Created { .. }));
    }
    assert_eq!(engine.run(Operation::Create(other("c"))), Reply::Full, "no run has ended");
    let append = |texts: &[&str]| Append { key: other("a").key, ..append(1, texts, false) };
    assert_eq!(engine.run(Operation::Append(append(&["123456789"]))), Reply::TooBig);
    assert_eq!(engine.run(Operation::Append(append(&["12345678"]))), Reply::Appended { next: 2 });
}

#[test]
fn a_frame_has_a_number_from_one() {
    let mut engine = Engine::with_log();
    assert_eq!(engine.append(0, &["a"], false), Reply::Gap { next: 1 });
    assert_eq!(engine.texts(), Vec::<String>::new());
}

#[test]
fn the_longest_times_are_no_overflow() {
    let mut engine = Engine::new();
    let policy = LogPolicy { keep: Duration::MAX, ..LogPolicy::default() };
    let create = Create { lease: Duration::MAX, policy, ..create("r", "one") };
    assert!(matches!(engine.run(Operation::Create(create)), Reply::Created { .. }));
    let renew = Operation::Renew { key: key("r"), epoch: 1, lease: Duration::MAX };
    assert_eq!(engine.run(renew), Reply::Renewed { is_cancelled: false });
    assert_eq!(engine.append(1, &["z"], true), Reply::Appended { next: 2 });
    assert!(matches!(engine.read(0, 9), Reply::Page(_)));
}
