//! The meaning of the scripts' replies.

use super::command::RedisReply;
use crate::durable::cursor::Incarnation;
use crate::durable::digest::InputDigest;
use crate::durable::frame::{Frame, Snapshot};
use crate::durable::reply::{LogInfo, Page, Reply, ThreadInfo};

/// The name of a reply, and its values.
pub fn named(reply: &RedisReply) -> Option<(&str, &[RedisReply])> {
    let RedisReply::List(values) = reply else { return None };
    let (name, values) = values.split_first()?;
    Some((text(name)?, values))
}

/// The hash of the run that has to be looked at before the reply is given.
pub fn active_run(name: &str, values: &[RedisReply]) -> Option<String> {
    let place = match name {
        "busy" => 1,
        "thread" => 4,
        _ => return None,
    };
    Some(text(values.get(place)?)?.into())
}

/// The policy by which the server evicts keys, if it was asked; empty if it does not.
pub fn eviction<'r>(name: &str, values: &'r [RedisReply]) -> Option<&'r str> {
    match (name, values) {
        ("created", [_, _, policy]) => text(policy),
        _ => None,
    }
}

pub fn reply(name: &str, values: &[RedisReply]) -> Option<Reply> {
    Some(match (name, values) {
        ("created", [incarnation, epoch, ..]) => {
            Reply::Created { incarnation: parsed(incarnation)?, epoch: parsed(epoch)? }
        }
        ("exists", values) => Reply::Exists(info(values)?),
        ("conflict", []) => Reply::Conflict,
        ("busy", [run_id, _]) => Reply::Busy { run_id: text(run_id)?.into() },
        ("stale", [run_id]) => Reply::Stale { run_id: text(run_id)?.into() },
        ("claimed", [epoch]) => Reply::Claimed { epoch: parsed(epoch)? },
        ("held", []) => Reply::Held,
        ("closed", []) => Reply::Closed,
        ("appended", [next]) => Reply::Appended { next: parsed(next)? },
        ("fenced", []) => Reply::Fenced,
        ("gap", [next]) => Reply::Gap { next: parsed(next)? },
        ("tooBig", []) => Reply::TooBig,
        ("renewed", [is_cancelled, is_attended]) => {
            Reply::Renewed { is_cancelled: flag(is_cancelled)?, is_attended: flag(is_attended)? }
        }
        ("page", [incarnation, first, next, is_closed, lengths, texts]) => Reply::Page(Page {
            incarnation: parsed(incarnation)?,
            first: parsed(first)?,
            next: parsed(next)?,
            is_closed: flag(is_closed)?,
            frames: frames(text(lengths)?, text(texts)?)?,
        }),
        ("trimmed", []) => Reply::Trimmed,
        ("replaced", []) => Reply::Replaced,
        ("ahead", []) => Reply::Ahead,
        ("info", values) => Reply::Info(info(values)?),
        ("thread", [active_run, last_run, version, snapshot, _]) => Reply::Thread(ThreadInfo {
            active_run: text(active_run).map(str::to_owned),
            last_run: text(last_run).map(str::to_owned),
            version: if *version == RedisReply::Nil { 0 } else { parsed(version)? },
            snapshot: text(snapshot).map(Snapshot::from),
        }),
        ("done", []) => Reply::Done,
        ("unknown", []) => Reply::Unknown,
        _ => return None,
    })
}

pub fn text(value: &RedisReply) -> Option<&str> {
    match value {
        RedisReply::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
        _ => None,
    }
}

/// Splits a text into frames of these lengths.
fn frames(lengths: &str, mut texts: &str) -> Option<Vec<Frame>> {
    let frames = lengths.split_ascii_whitespace().map(|length| {
        let (frame, rest) = texts.split_at_checked(length.parse().ok()?)?;
        texts = rest;
        Some(frame.into())
    });
    let frames = frames.collect::<Option<_>>()?;
    texts.is_empty().then_some(frames)
}

fn info(values: &[RedisReply]) -> Option<LogInfo> {
    let [incarnation, digest, next, is_closed, is_cancelled] = values else { return None };
    Some(LogInfo {
        incarnation: parsed::<Incarnation>(incarnation)?,
        digest: parsed::<InputDigest>(digest)?,
        next: parsed(next)?,
        is_closed: flag(is_closed)?,
        is_cancelled: flag(is_cancelled)?,
    })
}

/// Reads a value that is an integer, or that is kept as a text.
fn parsed<T: std::str::FromStr>(value: &RedisReply) -> Option<T> {
    match value {
        RedisReply::Integer(integer) => integer.to_string().parse().ok(),
        value => text(value)?.parse().ok(),
    }
}

fn flag(value: &RedisReply) -> Option<bool> {
    parsed::<u8>(value).map(|flag| flag != 0)
}
