//! All keys of a thread are in one slot of a cluster.

use std::collections::BTreeSet;

use ag_ui_native::bindings::durable::*;

use crate::redis_server::Cluster;
use crate::simulation::Chance;
use crate::store::create;

/// The slot of a key: the rule of Redis Cluster's specification.
fn slot(key: &[u8]) -> u16 {
    let hashed = hash_tag(key).unwrap_or(key);
    let mut crc = 0_u16;
    for byte in hashed {
        crc ^= u16::from(*byte) << 8;
        for _ in 0..8 {
            crc = if crc & 0x8000 == 0 { crc << 1 } else { (crc << 1) ^ 0x1021 };
        }
    }
    crc % 16_384
}

/// What is between the first `{` and the first `}` behind it, if it is not empty.
fn hash_tag(key: &[u8]) -> Option<&[u8]> {
    let open = key.iter().position(|byte| *byte == b'{')?;
    let behind = &key[open + 1..];
    let close = behind.iter().position(|byte| *byte == b'}')?;
    Some(&behind[..close]).filter(|tag| !tag.is_empty())
}

/// The keys that the commands of an operation name.
fn keys_of(keyspace: &RedisKeyspace, operation: Operation) -> Vec<String> {
    let RedisStep::Send(words) = keyspace.begin(operation).start() else { panic!("a command") };
    let count: usize = words[2].parse().unwrap();
    words[3..3 + count].to_vec()
}

/// The keys and the channel of a thread with two runs.
fn keys_of_thread(keyspace: &RedisKeyspace, scope: &str, thread: &str, runs: [&str; 2]) -> BTreeSet<String> {
    let thread = ThreadKey::new(scope, thread).unwrap();
    let mut keys = BTreeSet::from_iter(keys_of(keyspace, Operation::ReadThread { thread: thread.clone() }));
    keys.extend(keys_of(keyspace, Operation::DeleteThread { thread: thread.clone() }));
    for run in runs {
        let key = thread.log(run).unwrap();
        keys.insert(keyspace.channel(&key));
        keys.extend(keys_of(keyspace, Operation::Create(create(key.clone()).into())));
        keys.extend(keys_of(keyspace, Operation::Delete { key }));
    }
    keys
}

fn odd_id(chance: &mut Chance) -> String {
    let pieces = [
        "{", "}", "{}", "{a}", "}{", ":", "", " ", "a", "é", "😀", "\0", "\r\n", "*", "%7B", "\u{feff}", "\\",
    ];
    (0..chance.below(9)).map(|_| chance.one(&pieces)).collect()
}

fn odd_keys(chance: &mut Chance) -> BTreeSet<String> {
    let [scope, thread, one, two] = [(); 4].map(|()| odd_id(chance));
    keys_of_thread(&RedisKeyspace::default(), &scope, &thread, [&one, &two])
}

#[test]
fn the_rule_is_that_of_redis() {
    // The value that the specification names, and its examples of hash tags.
    assert_eq!(slot(b"123456789"), 0x31c3);
    assert_eq!(slot(b"{user1000}.following"), slot(b"{user1000}.followers"));
    assert_ne!(slot(b"foo{}{bar}"), slot(b"bar"));
    assert_eq!(slot(b"foo{{bar}}zap"), slot(b"{bar"));
    assert_eq!(slot(b"foo{bar}{zap}"), slot(b"bar"));
}

#[test]
fn keys_of_a_thread_are_in_one_slot() {
    let mut threads = BTreeSet::new();
    for seed in 0..5_000 {
        let keys = odd_keys(&mut Chance(seed));
        assert!(keys.len() >= 4, "{keys:?}");
        let slots: BTreeSet<_> = keys.iter().map(|key| slot(key.as_bytes())).collect();
        assert_eq!(slots.len(), 1, "seed {seed}: {keys:?}");
        threads.extend(slots);
    }
    assert!(threads.len() > 1_000, "threads are spread over the slots: {}", threads.len());
}

#[test]
fn a_prefix_with_braces_keeps_them_in_one_slot() {
    for prefix in ["{app}:", "{app", "app}", ""] {
        let keys = keys_of_thread(&RedisKeyspace::new(prefix), "scope", "t", ["q", "r"]);
        let slots: BTreeSet<_> = keys.iter().map(|key| slot(key.as_bytes())).collect();
        assert_eq!(slots.len(), 1, "{prefix}: {keys:?}");
    }
}

#[test]
fn a_cluster_has_the_same_slots_and_takes_every_script() {
    let cluster = Cluster::start("slots", 1);
    let mut connection = cluster.nodes[0].connect();
    for seed in 0..500 {
        for key in odd_keys(&mut Chance(seed)) {
            let replied = connection.send(&["CLUSTER", "KEYSLOT", &key]);
            assert_eq!(replied, RedisReply::Integer(slot(key.as_bytes()).into()), "{key:?}");
        }
    }
    // A cluster refuses a script whose keys are in several slots, or that uses a key that it does not name.
    for seed in 1..=20 {
        crate::differential::check(&mut connection, &seed.to_string(), seed, 200);
    }
}
