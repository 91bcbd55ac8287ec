//! The tables of the rules, in a database.

use std::time::Duration;

use rusqlite::{CachedStatement, Connection, OptionalExtension, Row, named_params, params};

use super::batch::{self, Batch};
use super::failure::Failure;
use crate::durable::cursor::Incarnation;
use crate::durable::digest::InputDigest;
use crate::durable::frame::{Frame, Snapshot};
use crate::durable::key::{LogKey, ThreadKey};
use crate::durable::operation::LogPolicy;
use crate::durable::store::{Lack, LogRecord, Run, Storage, ThreadRecord};

/// A database within a transaction.
pub struct Tables<'c> {
    pub connection: &'c Connection,
    /// False if a write is a failure.
    pub can_write: bool,
}

impl Tables<'_> {
    fn prepare(&self, sql: &str) -> Result<CachedStatement<'_>, Failure> {
        Ok(self.connection.prepare_cached(sql)?)
    }

    fn prepare_write(&self, sql: &str) -> Result<CachedStatement<'_>, Failure> {
        if self.can_write { self.prepare(sql) } else { Err(Failure::MustWrite) }
    }

    fn number(&self, key: &LogKey) -> Result<Option<i64>, Failure> {
        let mut statement = self.prepare("SELECT number FROM logs WHERE thread = ?1 AND run = ?2")?;
        Ok(statement.query_row(params![key.thread().as_str(), key.run()], |row| row.get(0)).optional()?)
    }

    fn first_log(&self, sql: &str) -> Result<Option<(Duration, LogKey)>, Failure> {
        let read = |row: &Row<'_>| {
            let thread = ThreadKey::of_hash(row.get_ref(1)?.as_str()?);
            Ok((duration(row.get(0)?), thread.log_of_hash(row.get_ref(2)?.as_str()?)))
        };
        Ok(self.prepare(sql)?.query_row([], read).optional()?)
    }
}

impl Storage for Tables<'_> {
    type Failure = Failure;

    fn log(&mut self, key: &LogKey) -> Result<Option<LogRecord>, Failure> {
        let mut statement = self.prepare(
            "SELECT incarnation, digest, max_bytes, keep, keep_thread, grace, owner, epoch, lease_until, attended_until,
                expires_at, next, bytes, is_closed, is_cancelled
            FROM logs WHERE thread = ?1 AND run = ?2",
        )?;
        Ok(statement.query_row(params![key.thread().as_str(), key.run()], read_log).optional()?)
    }

    fn put_log(&mut self, key: &LogKey, log: LogRecord) -> Result<(), Failure> {
        let mut statement = self.prepare_write(
            "INSERT INTO logs (thread, run, incarnation, digest, max_bytes, keep, keep_thread, grace, owner, epoch,
                lease_until, attended_until, expires_at, next, bytes, is_closed, is_cancelled)
            VALUES (:thread, :run, :incarnation, :digest, :max_bytes, :keep, :keep_thread, :grace, :owner, :epoch,
                :lease_until, :attended_until, :expires_at, :next, :bytes, :is_closed, :is_cancelled)
            ON CONFLICT (thread, run) DO UPDATE SET owner = :owner, epoch = :epoch, lease_until = :lease_until,
                attended_until = :attended_until, expires_at = :expires_at, next = :next, bytes = :bytes,
                is_closed = :is_closed, is_cancelled = :is_cancelled",
        )?;
        statement.execute(named_params! {
            ":thread": key.thread().as_str(),
            ":run": key.run(),
            ":incarnation": log.incarnation.as_bytes(),
            ":digest": log.digest.as_bytes(),
            ":max_bytes": integer(log.policy.max_bytes),
            ":keep": nanos(log.policy.keep),
            ":keep_thread": nanos(log.policy.keep_thread),
            ":grace": log.policy.grace.map(nanos),
            ":owner": &*log.owner,
            ":epoch": integer(log.epoch),
            ":lease_until": nanos(log.lease_until),
            ":attended_until": nanos(log.attended_until),
            ":expires_at": nanos(log.expires_at),
            ":next": integer(log.next),
            ":bytes": integer(log.bytes),
            ":is_closed": log.is_closed,
            ":is_cancelled": log.is_cancelled,
        })?;
        Ok(())
    }

    fn delete_log(&mut self, key: &LogKey) -> Result<(), Failure> {
        let Some(number) = self.number(key)? else { return Ok(()) };
        self.prepare_write("DELETE FROM batches WHERE log = ?1")?.execute([number])?;
        self.prepare_write("DELETE FROM logs WHERE number = ?1")?.execute([number])?;
        Ok(())
    }

    fn append(&mut self, key: &LogKey, log: &mut LogRecord, frames: &[Frame]) -> Result<(), Failure> {
        let first = log.next;
        log.count(frames);
        let mut insert =
            self.prepare_write("INSERT INTO batches (log, first, frames) VALUES (?1, ?2, ?3)")?;
        let Some(number) = self.number(key)? else { return Ok(()) };
        insert.execute(params![number, integer(first), batch::encode(frames)])?;
        self.prepare_write("UPDATE logs SET next = ?2, bytes = ?3 WHERE number = ?1")?.execute(params![
            number,
            integer(log.next),
            integer(log.bytes)
        ])?;
        Ok(())
    }

    fn frames(&mut self, key: &LogKey, after: u64, max_bytes: usize) -> Result<Vec<Frame>, Failure> {
        let mut statement = self.prepare(
            "SELECT first, frames FROM batches WHERE log = ?1 AND first >=
                (SELECT max(first) FROM batches WHERE log = ?1 AND first <= ?2)
            ORDER BY first",
        )?;
        let Some(number) = self.number(key)? else { return Ok(Vec::new()) };
        let mut rows = statement.query(params![number, integer(after.saturating_add(1))])?;
        let (mut frames, mut left) = (Vec::new(), max_bytes);
        while let Some(row) = rows.next()? {
            let first: i64 = row.get(0)?;
            let batch = Batch(row.get_ref(1)?.as_blob().map_err(|_| Failure::Damaged)?);
            let skipped = (after + 1).saturating_sub(first.unsigned_abs());
            for text in batch.skip(usize::try_from(skipped).unwrap_or(usize::MAX)) {
                let text = text?;
                if !frames.is_empty() && text.len() > left {
                    return Ok(frames);
                }
                left = left.saturating_sub(text.len());
                frames.push(text.into());
            }
        }
        Ok(frames)
    }

    fn log_of(&mut self, thread: &ThreadKey) -> Result<Option<LogKey>, Failure> {
        let mut statement = self.prepare("SELECT run FROM logs WHERE thread = ?1 LIMIT 1")?;
        let read = |row: &Row<'_>| Ok(thread.log_of_hash(row.get_ref(0)?.as_str()?));
        Ok(statement.query_row([thread.as_str()], read).optional()?)
    }

    fn thread(&mut self, key: &ThreadKey) -> Result<Option<ThreadRecord>, Failure> {
        let mut statement = self.prepare(
            "SELECT active_run, active_run_id, last_run, last_run_id, version, keep, expires_at
            FROM threads WHERE thread = ?1",
        )?;
        Ok(statement.query_row([key.as_str()], |row| read_thread(key, row)).optional()?)
    }

    fn put_thread(&mut self, key: &ThreadKey, thread: ThreadRecord) -> Result<(), Failure> {
        let mut statement = self.prepare_write(
            "INSERT INTO threads (thread, active_run, active_run_id, last_run, last_run_id, version, keep, expires_at)
            VALUES (:thread, :active_run, :active_run_id, :last_run, :last_run_id, :version, :keep, :expires_at)
            ON CONFLICT (thread) DO UPDATE SET active_run = :active_run, active_run_id = :active_run_id,
                last_run = :last_run, last_run_id = :last_run_id, version = :version, keep = :keep,
                expires_at = :expires_at",
        )?;
        let (active, last) = (thread.active.as_ref(), thread.last.as_ref());
        statement.execute(named_params! {
            ":thread": key.as_str(),
            ":active_run": active.map(|run| run.key.run()),
            ":active_run_id": active.map(|run| &*run.run_id),
            ":last_run": last.map(|run| run.key.run()),
            ":last_run_id": last.map(|run| &*run.run_id),
            ":version": integer(thread.version),
            ":keep": nanos(thread.keep),
            ":expires_at": nanos(thread.expires_at),
        })?;
        Ok(())
    }

    fn delete_thread(&mut self, key: &ThreadKey) -> Result<(), Failure> {
        self.prepare_write("DELETE FROM snapshots WHERE thread = ?1")?.execute([key.as_str()])?;
        self.prepare_write("DELETE FROM threads WHERE thread = ?1")?.execute([key.as_str()])?;
        Ok(())
    }

    fn snapshot(&mut self, key: &ThreadKey) -> Result<Option<Snapshot>, Failure> {
        let mut statement = self.prepare("SELECT json FROM snapshots WHERE thread = ?1")?;
        let mut rows = statement.query([key.as_str()])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let json = row.get_ref(0)?.as_blob().map_err(|_| Failure::Damaged)?;
        Ok(Some(simdutf8::basic::from_utf8(json).map_err(|_| Failure::Damaged)?.into()))
    }

    fn put_snapshot(&mut self, key: &ThreadKey, snapshot: Snapshot) -> Result<(), Failure> {
        self.prepare_write("INSERT OR REPLACE INTO snapshots (thread, json) VALUES (?1, ?2)")?
            .execute(params![key.as_str(), snapshot.as_str().as_bytes()])?;
        Ok(())
    }

    fn first_expiry(&mut self) -> Result<Option<(Duration, LogKey)>, Failure> {
        self.first_log("SELECT expires_at, thread, run FROM logs ORDER BY expires_at LIMIT 1")
    }

    fn first_closed_expiry(&mut self) -> Result<Option<(Duration, LogKey)>, Failure> {
        self.first_log("SELECT expires_at, thread, run FROM logs WHERE is_closed ORDER BY expires_at LIMIT 1")
    }

    fn first_thread_expiry(&mut self) -> Result<Option<(Duration, ThreadKey)>, Failure> {
        let mut statement = self.prepare(
            "SELECT expires_at, thread FROM threads WHERE active_run IS NULL ORDER BY expires_at LIMIT 1",
        )?;
        let read = |row: &Row<'_>| Ok((duration(row.get(0)?), ThreadKey::of_hash(row.get_ref(1)?.as_str()?)));
        Ok(statement.query_row([], read).optional()?)
    }

    /// The room is that of the file: SQLite refuses what exceeds it.
    fn lack(&self, _: usize, _: usize, _: usize) -> Lack {
        Lack::default()
    }
}

fn read_log(row: &Row<'_>) -> rusqlite::Result<LogRecord> {
    Ok(LogRecord {
        incarnation: Incarnation::from_bytes(row.get(0)?),
        digest: InputDigest::from_bytes(row.get(1)?),
        policy: LogPolicy {
            max_bytes: usize::try_from(row.get::<_, i64>(2)?).unwrap_or(usize::MAX),
            keep: duration(row.get(3)?),
            keep_thread: duration(row.get(4)?),
            grace: row.get::<_, Option<i64>>(5)?.map(duration),
        },
        owner: row.get_ref(6)?.as_str()?.into(),
        epoch: row.get::<_, i64>(7)?.unsigned_abs(),
        lease_until: duration(row.get(8)?),
        attended_until: duration(row.get(9)?),
        expires_at: duration(row.get(10)?),
        next: row.get::<_, i64>(11)?.unsigned_abs(),
        bytes: usize::try_from(row.get::<_, i64>(12)?).unwrap_or(usize::MAX),
        is_closed: row.get(13)?,
        is_cancelled: row.get(14)?,
    })
}

fn read_thread(key: &ThreadKey, row: &Row<'_>) -> rusqlite::Result<ThreadRecord> {
    let run = |index| {
        let (run, run_id): (Option<String>, Option<String>) = (row.get(index)?, row.get(index + 1)?);
        let run = run.zip(run_id);
        Ok::<_, rusqlite::Error>(
            run.map(|(run, run_id)| Run { key: key.log_of_hash(&run), run_id: run_id.into() }),
        )
    };
    Ok(ThreadRecord {
        active: run(0)?,
        last: run(2)?,
        version: row.get::<_, i64>(4)?.unsigned_abs(),
        keep: duration(row.get(5)?),
        expires_at: duration(row.get(6)?),
    })
}

/// The largest number of SQLite means the longest time.
pub fn nanos(duration: Duration) -> i64 {
    i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX)
}

fn duration(nanos: i64) -> Duration {
    if nanos == i64::MAX { Duration::MAX } else { Duration::from_nanos(nanos.unsigned_abs()) }
}

fn integer(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}
