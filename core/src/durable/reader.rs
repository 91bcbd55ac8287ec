//! Reads the frames of a log: first those that are stored, then each as it is stored.

use std::collections::VecDeque;
use std::time::Duration;

use super::cursor::Cursor;
use super::exchange::{EngineFailure, Exchange, Ticket};
use super::frame::Frame;
use super::key::LogKey;
use super::notice::{LogNotice, LogSubject, Notices};
use super::occupancy::Place;
use super::operation::{Operation, Read};
use super::prefix::{Prefix, PrefixHead};
use super::reply::{Hint, Page, Reply};
use crate::defaults::{DRAIN, DRAIN_READING, LOG_PATIENCE};
use crate::error::{Code, Error};
use crate::types::Event;

/// The options of a [`Reader`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReaderOptions {
    /// The largest number of bytes of one read.
    pub max_bytes: usize,
    /// The time between two reads without a hint: hints may be lost.
    pub look: Duration,
    /// The longest time to wait for a reply before an operation is repeated.
    pub patience: Duration,
    /// The longest time for which an engine without replies is asked again once the response has begun. Then the response ends, so that
    /// its client asks another process, or hears that the log cannot be reached.
    pub outage: Duration,
    /// The grace time of the log, which the reader prolongs after each third of it; `None` if its run goes on without
    /// readers.
    pub grace: Option<Duration>,
    /// The time for which the reader goes on when its process shuts down: see [`Reader::drain`].
    pub drain: Duration,
}

impl Default for ReaderOptions {
    fn default() -> Self {
        Self {
            max_bytes: 64 << 10,
            look: Duration::from_secs(1),
            patience: LOG_PATIENCE,
            outage: Duration::from_secs(30),
            grace: None,
            drain: DRAIN.saturating_add(DRAIN_READING),
        }
    }
}

/// The reason why no more frames follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReaderEnd {
    /// The run has ended, and all its frames were read.
    Closed,
    /// There is no such log.
    Unknown,
    /// The frames behind the cursor are deleted.
    Trimmed,
    /// The log is not the one of the cursor.
    Replaced,
    /// The engine has lost frames that were read before.
    Ahead,
    /// The log has a frame that is no event.
    Damaged,
    /// The engine did not reply to a read before the response began, or has not replied for too long.
    Unavailable,
    /// The process shuts down: the client resumes at another one.
    Drained,
}

/// A command to the host.
#[derive(Clone, Debug, PartialEq)]
pub enum ReaderCommand {
    /// Send this operation to the engine, and give its reply to [`Reader::reply`].
    Send {
        /// The number to give back.
        ticket: Ticket,
        /// The operation.
        operation: Operation,
    },
    /// Give these frames to the client.
    Frames {
        /// The place before the first of them.
        after: Cursor,
        /// The frames.
        frames: Vec<Frame>,
    },
    /// The log can be read: the response begins. It comes once, before frames.
    Opened {
        /// The place before the first frame; of a client that joins, the beginning of the log.
        after: Cursor,
        /// The prefix, which follows; `None` for a client that does not join.
        prefix: Option<PrefixHead>,
    },
    /// Give the client the beginning of the run: all of it, or nothing. Only its last frame has a place, which is that of
    /// the log's last frame in it.
    Prefix(Box<Prefix>),
    /// No more frames follow.
    End(ReaderEnd),
}

/// Reads one log behind a place, to the end of its run.
///
/// Inputs are [`hint`](Self::hint) and [`reply`](Self::reply). The host calls [`poll`](Self::poll) when it has room for
/// frames, after each input and at the [`deadline`](Self::deadline), until there is no command. Replay and live frames
/// come from the same reads, so none is missed and none comes twice.
#[derive(Debug)]
pub struct Reader {
    key: LogKey,
    after: Option<Cursor>,
    join: Option<Join>,
    options: ReaderOptions,
    read: Exchange,
    /// The time of the next read without a hint.
    look_at: Duration,
    attend: Exchange,
    /// The time at which the grace time is prolonged.
    attend_at: Option<Duration>,
    tickets: u64,
    commands: VecDeque<ReaderCommand>,
    phase: Phase,
    /// The time until which a read is repeated before the response begins. Each page sets it anew.
    opens_until: Option<Duration>,
    /// The time of the last reply to a read.
    replied_at: Duration,
    /// The time at which a process that shuts down ends the reader.
    ends_at: Option<Duration>,
    /// The reader is counted until it is over.
    place: Option<Place>,
    notices: Notices,
    /// True if the run was begun before.
    joins: bool,
    /// True if the last frame says that the producer was lost.
    is_lost: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The first read has no reply.
    Opening,
    Reading,
    Over,
}

/// The prefix that is read first, and the number of the log's next frame when it was begun.
#[derive(Debug, Default)]
struct Join {
    prefix: Option<Prefix>,
    target: Option<u64>,
}

impl Reader {
    /// Reads a log behind a place; `None` for its beginning.
    pub fn new(key: LogKey, after: Option<Cursor>, options: ReaderOptions) -> Self {
        Self {
            key,
            after,
            join: None,
            options,
            read: Exchange::new(options.patience),
            look_at: Duration::ZERO,
            attend: Exchange::new(options.patience),
            attend_at: options.grace.map(|_| Duration::ZERO),
            tickets: 0,
            commands: VecDeque::new(),
            phase: Phase::Opening,
            opens_until: None,
            replied_at: Duration::ZERO,
            ends_at: None,
            place: None,
            notices: Notices::default(),
            joins: false,
            is_lost: false,
        }
    }

    /// Joins a run: its beginning comes compacted, as [`ReaderCommand::Prefix`]. With a prefix that was kept, those frames are not read
    /// again. It may belong to a log that was replaced.
    pub fn join(key: LogKey, kept: Option<Prefix>, options: ReaderOptions) -> Self {
        let after = kept.as_ref().map(Prefix::through);
        Self { join: Some(Join { prefix: kept, target: None }), ..Self::new(key, after, options) }
    }

    /// The reader is counted by this place until it is over.
    #[must_use]
    pub fn with_place(self, place: Option<Place>) -> Self {
        Self { place, ..self }
    }

    /// Makes notices about this run. `joins` is false for the client that has begun it.
    #[must_use]
    pub fn about(self, subject: Option<LogSubject>, joins: bool) -> Self {
        Self { notices: Notices::about(subject), joins, ..self }
    }

    /// The next notice for the application. Asked behind each command.
    pub fn take_notice(&mut self) -> Option<LogNotice> {
        self.notices.take()
    }

    /// The reader counts no longer. Called when no more commands are carried out.
    pub fn close(&mut self) {
        self.place = None;
    }

    /// The process shuts down: its runs have their time to end, and a little later the reader ends, whatever run it reads.
    pub fn drain(&mut self, now: Duration) {
        self.ends_at.get_or_insert(now.saturating_add(self.options.drain));
    }

    /// The place behind the last frame; `None` before the first reply, if it was not given.
    pub fn cursor(&self) -> Option<Cursor> {
        self.after
    }

    /// Takes a hint of the log. It may be late or repeated.
    pub fn hint(&mut self, hint: Hint) {
        let Hint::Appended { next } = hint else { return };
        if self.after.is_none_or(|after| after.number + 1 < next) {
            self.look_at = Duration::ZERO;
        }
    }

    /// Takes the reply to an operation. Replies to operations that were repeated since are ignored.
    pub fn reply(&mut self, now: Duration, ticket: Ticket, reply: Result<Reply, EngineFailure>) {
        if self.attend.take(ticket).is_some() {
            return self.attended(now, reply.is_ok());
        }
        if self.read.take(ticket).is_none() {
            return;
        }
        let end = match reply {
            // A page from another place would be a gap or a repetition: it is read again.
            Ok(Reply::Page(page)) if page.first != self.after.map_or(0, |after| after.number) + 1 => {
                return self.fail(now);
            }
            Ok(Reply::Page(page)) => {
                self.read.succeed();
                self.replied_at = now;
                return self.took(now, page);
            }
            Ok(Reply::Replaced | Reply::Ahead) if self.takes_back_kept() => return,
            Ok(Reply::Trimmed) => ReaderEnd::Trimmed,
            Ok(Reply::Replaced) => ReaderEnd::Replaced,
            Ok(Reply::Ahead) => ReaderEnd::Ahead,
            Ok(_) => ReaderEnd::Unknown,
            Err(EngineFailure) => return self.fail(now),
        };
        self.end(end);
    }

    /// Returns the next command; `None` until the next input or the deadline.
    pub fn poll(&mut self, now: Duration) -> Option<ReaderCommand> {
        if let Some(command) = self.commands.pop_front() {
            return Some(command);
        }
        if self.phase == Phase::Over {
            return None;
        }
        if self.ends_at.is_some_and(|at| at <= now) {
            self.end(ReaderEnd::Drained);
            return self.commands.pop_front();
        }
        let opens_until = *self.opens_until.get_or_insert(now.saturating_add(self.options.patience));
        let is_late = match self.phase {
            Phase::Opening => opens_until <= now && self.read.is_free(now),
            _ => self.read.has_failed() && self.replied_at.saturating_add(self.options.outage) <= now,
        };
        if is_late {
            self.end(ReaderEnd::Unavailable);
            return self.commands.pop_front();
        }
        if self.attend.is_free(now) && self.attend_at.is_some_and(|at| at <= now) {
            let ticket = self.attend.send(now, &mut self.tickets);
            return Some(ReaderCommand::Send {
                ticket,
                operation: Operation::Attend { key: self.key.clone() },
            });
        }
        if !self.read.is_free(now) || self.look_at > now {
            return None;
        }
        let ticket = self.read.send(now, &mut self.tickets);
        let read = Read { key: self.key.clone(), after: self.after, max_bytes: self.options.max_bytes };
        self.look_at = now.saturating_add(self.options.look);
        Some(ReaderCommand::Send { ticket, operation: Operation::Read(read) })
    }

    /// The time of the next call of [`poll`](Self::poll), unless an input comes before; `None` at the end.
    pub fn deadline(&self) -> Option<Duration> {
        let read = (self.phase != Phase::Over).then(|| self.read.deadline().max(self.look_at))?;
        let attend = self.attend_at.map(|at| self.attend.deadline().max(at));
        [attend, self.ends_at].into_iter().flatten().chain([read]).min()
    }

    fn took(&mut self, now: Duration, page: Page) {
        let after = Cursor { incarnation: page.incarnation, number: page.first - 1 };
        let last = after.number + page.frames.len() as u64;
        self.after = Some(Cursor { number: last, ..after });
        self.opens_until = None;
        self.is_lost = page.is_closed && page.frames.last().is_some_and(says_producer_lost);
        if self.join.is_some() {
            if self.collect(&page).is_err() {
                return self.end(ReaderEnd::Damaged);
            }
        } else if !page.frames.is_empty() {
            self.open(after, None);
            self.commands.push_back(ReaderCommand::Frames { after, frames: page.frames });
        } else if !page.is_closed {
            self.open(after, None);
        }
        if last + 1 < page.next {
            self.look_at = now;
        } else if page.is_closed {
            self.end(ReaderEnd::Closed);
        }
    }

    /// Adds a page to the prefix. It is complete when it has the frames that were stored when it was begun.
    fn collect(&mut self, page: &Page) -> Result<(), Error> {
        let Some(mut join) = self.join.take() else { return Ok(()) };
        let target = *join.target.get_or_insert(page.next);
        let mut prefix = join.prefix.take().unwrap_or_else(|| Prefix::new(page.incarnation));
        prefix.push(&page.frames)?;
        if prefix.through().number + 1 < target {
            self.join = Some(Join { prefix: Some(prefix), target: Some(target) });
        } else {
            prefix.compact()?;
            let beginning = Cursor { number: 0, ..prefix.through() };
            self.open(beginning, Some(prefix.head()));
            self.commands.push_back(ReaderCommand::Prefix(Box::new(prefix)));
        }
        Ok(())
    }

    fn open(&mut self, after: Cursor, prefix: Option<PrefixHead>) {
        if self.phase == Phase::Opening {
            self.phase = Phase::Reading;
            if self.joins {
                self.notices.joined(after.number, prefix.is_none());
            }
            self.commands.push_back(ReaderCommand::Opened { after, prefix });
        }
    }

    /// Begins again if the prefix that was kept is not one of this log.
    fn takes_back_kept(&mut self) -> bool {
        let is_kept = self.join.as_mut().map(std::mem::take).is_some_and(|join| join.prefix.is_some());
        if is_kept {
            self.join = Some(Join::default());
            self.after = None;
            self.look_at = Duration::ZERO;
            self.read.succeed();
        }
        is_kept
    }

    fn attended(&mut self, now: Duration, has_reply: bool) {
        if !has_reply {
            return self.attend.fail(now);
        }
        self.attend.succeed();
        self.attend_at = self.options.grace.map(|grace| now.saturating_add(grace / 3));
    }

    /// The next read follows after the pause of a failure, and not after the time between two reads.
    fn fail(&mut self, now: Duration) {
        self.look_at = Duration::ZERO;
        self.read.fail(now);
    }

    fn end(&mut self, end: ReaderEnd) {
        match end {
            _ if self.phase == Phase::Opening => {}
            ReaderEnd::Closed if self.is_lost => self.notices.lost(),
            ReaderEnd::Closed | ReaderEnd::Drained => {}
            ReaderEnd::Unavailable => self.notices.unavailable(),
            _ => self.notices.lag(self.after.map(|after| after.number)),
        }
        self.phase = Phase::Over;
        self.place = None;
        self.commands.push_back(ReaderCommand::End(end));
    }
}

fn says_producer_lost(frame: &Frame) -> bool {
    matches!(frame.event(), Ok(Event::RunError(error)) if error.code.as_deref() == Some(Code::ProducerLost.as_str()))
}
