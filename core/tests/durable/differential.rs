//! Random operations: every engine replies as the engine in memory. No lease ends meanwhile.

use std::time::Duration;

use ag_ui_native::bindings::durable::*;

use crate::engine::TestEngine;
use crate::simulation::Chance;

const MOMENT: Duration = Duration::from_secs(1);

/// Gives random operations to an engine, and compares each reply with that of the engine in memory.
pub fn check(engine: &mut impl TestEngine, scope: &str, seed: u64, operations: usize) {
    let mut chance = Chance(seed);
    let mut memory = MemoryStore::default();
    for number in 0..operations {
        let operation = draw(&mut chance, scope, &mut memory);
        let wanted = memory.execute(MOMENT, operation.clone()).reply;
        let found = engine.execute(operation.clone());
        assert_eq!(found, wanted, "operation {number} of seed {seed}: {operation:?}");
    }
}

fn draw(chance: &mut Chance, scope: &str, memory: &mut MemoryStore) -> Operation {
    let thread = ThreadKey::new(scope, chance.one(&["t", "u"])).unwrap();
    let key = thread.log(chance.one(&["q", "r", "s"])).unwrap();
    let owner = chance.one(&["one", "two"]).to_owned();
    let lease = Duration::from_secs(60 + chance.draw() % 60);
    let next = match memory.execute(MOMENT, Operation::Info { key: key.clone() }).reply {
        Reply::Info(info) => info.next,
        _ => 1,
    };
    match chance.below(20) {
        0..4 => create(chance, key, owner, lease),
        4 => Operation::Claim { key, owner, lease },
        5..11 => append(chance, key, next),
        11 => Operation::Renew { key, epoch: 1 + chance.draw() % 3, lease },
        12 => Operation::Attend { key },
        13..16 => read(chance, key, next),
        16 => Operation::Cancel { key },
        17 => Operation::Info { key },
        18 if chance.is(2) => Operation::Delete { key },
        18 if chance.is(4) => Operation::DeleteThread { thread },
        _ => Operation::ReadThread { thread },
    }
}

fn create(chance: &mut Chance, key: LogKey, owner: String, lease: Duration) -> Operation {
    let parent = chance.one(&[None, None, Some("q"), Some("r")]).map(|run| key.thread().log(run).unwrap());
    let grace = chance.one(&[None, Some(Duration::from_secs(60))]);
    let policy = LogPolicy { max_bytes: chance.one(&[20, 1_000]), grace, ..LogPolicy::default() };
    Operation::Create(Box::new(Create {
        run_id: format!("the id of {}", key.run()),
        incarnation: Incarnation::from_bytes([u8::try_from(chance.below(256)).unwrap(); 16]),
        digest: InputDigest::of_canonical(chance.one(&["{}", "{}", "{}", "[]"]).as_bytes()),
        key,
        parent,
        owner,
        lease,
        policy,
        snapshot: chance.is(2).then(|| Snapshot::from(format!("[{}]", chance.below(100)))),
    }))
}

fn append(chance: &mut Chance, key: LogKey, next: u64) -> Operation {
    // Mostly new frames, sometimes some that are stored already, sometimes behind a gap.
    let first = match chance.below(8) {
        0 => next + 1,
        1 | 2 => next.saturating_sub(chance.draw() % 3),
        _ => next,
    };
    let frames = (0..=chance.draw() % 4).map(|index| frame(first + index)).collect();
    let snapshot = chance.is(2).then(|| Snapshot::from(format!("[{next}]")));
    let end = chance.is(6).then_some(RunEnd { snapshot });
    Operation::Append(Append { key, epoch: 1 + u64::from(chance.is(8)), first, frames, end })
}

/// The frame of this number: a repetition has the same one.
fn frame(number: u64) -> Frame {
    let text = ["{}", "[1,2,3]", "\"é 😀\"", "\"\u{0}\"", "1", "-0"];
    text[usize::try_from(number).unwrap() % text.len()].into()
}

fn read(chance: &mut Chance, key: LogKey, next: u64) -> Operation {
    let incarnation = Incarnation::from_bytes([u8::try_from(chance.below(256)).unwrap(); 16]);
    let number = chance.draw() % (next + 1);
    let after = chance.is(8).then_some(Cursor { incarnation, number });
    let max_bytes = chance.one(&[0, 10, 100_000]);
    Operation::Read(Read { key, after, max_bytes })
}
