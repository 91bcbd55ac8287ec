//! The script of each operation, with its arguments.

use super::command::{Call, Keyspace};
use super::script;
use crate::durable::frame::{Frame, Snapshot};
use crate::durable::key::{LogKey, ThreadKey};
use crate::durable::millis::from_duration as millis;
use crate::durable::operation::{Append, Create, Operation, Read};
use crate::durable::store::END_BYTES;
use crate::error::{Code, Error};

pub fn call(keyspace: &Keyspace, operation: &Operation) -> Call {
    let about = |script, key| Call::about_log(script, keyspace, key);
    match operation {
        Operation::Create(operation) => create(keyspace, operation),
        Operation::Claim { key, owner, lease } => about(&script::CLAIM, key).with(owner).with(millis(*lease)),
        Operation::Append(operation) => append(keyspace, operation),
        Operation::Renew { key, epoch, lease } => about(&script::RENEW, key).with(epoch).with(millis(*lease)),
        Operation::Attend { key } => about(&script::ATTEND, key),
        Operation::Read(operation) => read(keyspace, operation),
        Operation::Cancel { key } => about(&script::CANCEL, key).with(keyspace.log(key)),
        Operation::Info { key } => info(keyspace, key),
        Operation::Delete { key } => about(&script::DELETE, key),
        Operation::ReadThread { thread } => Call::about_thread(&script::THREAD, keyspace, thread),
        Operation::DeleteThread { thread } => Call::about_thread(&script::DELETE_THREAD, keyspace, thread),
    }
}

/// Describes a log. It ends a run whose lease is over.
pub fn info(keyspace: &Keyspace, key: &LogKey) -> Call {
    with_last_frame(keyspace, Call::about_log(&script::INFO, keyspace, key), key)
}

pub fn thread(operation: &Operation) -> &ThreadKey {
    match operation {
        Operation::Create(create) => create.key.thread(),
        Operation::Append(Append { key, .. })
        | Operation::Read(Read { key, .. })
        | Operation::Claim { key, .. }
        | Operation::Renew { key, .. }
        | Operation::Attend { key }
        | Operation::Cancel { key }
        | Operation::Info { key }
        | Operation::Delete { key } => key.thread(),
        Operation::ReadThread { thread } | Operation::DeleteThread { thread } => thread,
    }
}

fn create(keyspace: &Keyspace, create: &Create) -> Call {
    let policy = &create.policy;
    Call::about_log(&script::CREATE, keyspace, &create.key)
        .with(&create.run_id)
        .with(create.parent.as_ref().map_or("", LogKey::run))
        .with(create.incarnation)
        .with(create.digest)
        .with(&create.owner)
        .with(millis(create.lease))
        .with(policy.max_bytes)
        .with(millis(policy.keep))
        .with(millis(policy.keep_thread))
        .with(policy.grace.map_or(String::new(), |grace| millis(grace).to_string()))
        .with(create.snapshot.as_ref().map_or("", Snapshot::as_str))
        .with(if keyspace.asks_for_eviction() { "eviction" } else { "" })
}

fn append(keyspace: &Keyspace, append: &Append) -> Call {
    let call = Call::about_log(&script::APPEND, keyspace, &append.key)
        .with(keyspace.log(&append.key))
        .with(append.epoch)
        .with(append.first)
        .with(END_BYTES);
    let call = match append.end.as_ref().map(|end| &end.snapshot) {
        None => call.with(""),
        Some(None) => call.with("end"),
        Some(Some(snapshot)) => call.with("snapshot").with(snapshot.as_str()),
    };
    append.frames.iter().fold(call, |call, frame| call.with(frame.as_str()))
}

fn read(keyspace: &Keyspace, read: &Read) -> Call {
    let call = Call::about_log(&script::READ, keyspace, &read.key);
    with_last_frame(keyspace, call, &read.key)
        .with(read.after.map_or(String::new(), |after| after.incarnation.to_string()))
        .with(read.after.map_or(0, |after| after.number))
        .with(read.max_bytes)
}

/// The arguments of `end_if_lost`.
fn with_last_frame(keyspace: &Keyspace, call: Call, key: &LogKey) -> Call {
    call.with(Frame::run_error(&Error::new(Code::ProducerLost, "")).as_str()).with(keyspace.log(key))
}
