//! Stores the frames of a run.

use std::collections::VecDeque;
use std::time::Duration;

use super::exchange::{EngineFailure, Exchange, Ticket};
use super::frame::{Frame, Snapshot};
use super::key::LogKey;
use super::lease::{Lease, Renewal};
use super::operation::{Append, Operation, RunEnd};
use super::reply::{Hint, Reply};
use crate::defaults::DRAIN;
use crate::defaults::LOG_PATIENCE;
use crate::error::{Code, Error};

/// The options of a [`Producer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProducerOptions {
    /// The length of the lease. It is renewed after a third of it.
    pub lease: Duration,
    /// The grace time of the log: the time for which its run goes on without a client that reads it. Each renewal checks it, at least three
    /// times within it.
    pub grace: Option<Duration>,
    /// The maximum time for which a frame waits for others of its batch. The first frame of a run does not wait.
    pub gather: Duration,
    /// The largest number of frames of a batch.
    pub batch: usize,
    /// The bytes of frames that are not stored, from which on [`Producer::has_room`] is false.
    pub max_waiting: usize,
    /// The longest time to wait for a reply before an operation is repeated.
    pub patience: Duration,
    /// The longest duration of the run; a longer one is ended.
    pub max_age: Option<Duration>,
    /// The time that [`Producer::drain`] leaves to the run.
    pub drain: Duration,
}

impl Default for ProducerOptions {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(30),
            grace: None,
            gather: Duration::from_millis(5),
            batch: 32,
            max_waiting: 1 << 20,
            patience: LOG_PATIENCE,
            max_age: None,
            drain: DRAIN,
        }
    }
}

impl ProducerOptions {
    fn renews_after(&self) -> Duration {
        self.grace.map_or(self.lease, |grace| grace.min(self.lease)) / 3
    }
}

/// The reason why an agent has to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// A cancel was requested: the agent ends the run as usual.
    Cancelled,
    /// No client reads the run, and its grace time is over: the agent ends the run as usual.
    Unattended,
    /// The lease was taken away: the run has been ended for its readers. Nothing more is stored.
    Fenced,
    /// The engine does not answer, or has lost frames. Nothing more is stored.
    LogFailed,
    /// The log has reached its limit. The producer has ended the run by RUN_ERROR `limit_exceeded`.
    TooBig,
    /// The run has lasted too long. The producer has ended it by RUN_ERROR `limit_exceeded`.
    TooOld,
    /// The process shuts down. The producer has ended the run by RUN_ERROR `producer_lost`.
    Drained,
}

impl StopReason {
    /// The event by which the producer ends the run; `None` if it does not.
    fn ending(self) -> Option<Frame> {
        match self {
            Self::TooBig => Some(Error::of_limit("log_bytes")),
            Self::TooOld => Some(Error::of_limit("log_age")),
            Self::Drained => Some(Error::new(Code::ProducerLost, "")),
            Self::Cancelled | Self::Unattended | Self::Fenced | Self::LogFailed => None,
        }
        .map(|error| Frame::run_error(&error))
    }

    /// The reason as one word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::Unattended => "unattended",
            Self::Fenced => "fenced",
            Self::LogFailed => "log_failed",
            Self::TooBig => "too_big",
            Self::TooOld => "too_old",
            Self::Drained => "drained",
        }
    }

    /// True if the end of the run is still stored behind it.
    pub fn has_end(self) -> bool {
        !matches!(self, Self::Fenced | Self::LogFailed)
    }
}

/// A command to the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProducerCommand {
    /// Send this operation to the engine, and give its reply to [`Producer::reply`].
    Send {
        /// The number to give back.
        ticket: Ticket,
        /// The operation.
        operation: Operation,
    },
    /// All frames up to this number are stored: writes that await that return.
    Stored {
        /// The number.
        through: u64,
    },
    /// Stop the agent.
    Stop(StopReason),
    /// The run has ended, and all of it is stored.
    Closed,
}

/// Stores the frames of one run in order, in batches, under a lease.
///
/// Inputs are [`write`](Self::write), [`finish`](Self::finish), [`flush`](Self::flush), [`hint`](Self::hint) and
/// [`reply`](Self::reply). After each input, and at the [`deadline`](Self::deadline), the host carries out the commands of [`poll`](Self::poll) until
/// there are none.
#[derive(Debug)]
pub struct Producer {
    key: LogKey,
    epoch: u64,
    options: ProducerOptions,
    /// The number of the last frame that is stored.
    stored: u64,
    /// The frames behind it.
    waiting: VecDeque<Frame>,
    waiting_bytes: usize,
    /// The time at which waiting frames are sent, though their batch is not full.
    send_at: Option<Duration>,
    /// The time of the next batch.
    gather_until: Duration,
    /// The number of the last frame that was flushed.
    flushed: u64,
    /// The end of the run, if the last waiting frame is that.
    end: Option<RunEnd>,
    append: Exchange,
    /// The number of frames of the append that is on its way.
    appending: usize,
    lease: Lease,
    /// The time at which the run is ended if its agent has not ended it, and the reason.
    ends_at: Option<(Duration, StopReason)>,
    /// The time at which a process that shuts down waits no longer for the engine.
    gives_up_at: Option<Duration>,
    tickets: u64,
    commands: VecDeque<ProducerCommand>,
    /// True if the agent was asked to end the run.
    is_stopping: bool,
    /// True if nothing more is stored.
    is_over: bool,
}

impl Producer {
    /// Stores the frames of a log whose lease was taken at that time, under that epoch.
    pub fn new(key: LogKey, epoch: u64, leased_at: Duration, options: ProducerOptions) -> Self {
        let renew = Operation::Renew { key: key.clone(), epoch, lease: options.lease };
        let pause = options.renews_after();
        Self {
            key,
            epoch,
            options,
            stored: 0,
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            send_at: None,
            gather_until: Duration::ZERO,
            flushed: 0,
            end: None,
            append: Exchange::new(options.patience),
            appending: 0,
            lease: Lease::new(renew, leased_at, options.lease, pause, options.patience),
            ends_at: options.max_age.map(|age| (leased_at.saturating_add(age), StopReason::TooOld)),
            gives_up_at: None,
            tickets: 0,
            commands: VecDeque::new(),
            is_stopping: false,
            is_over: false,
        }
    }

    /// Takes the next frame of the run. Returns its number; `None` if nothing more is stored.
    pub fn write(&mut self, now: Duration, frame: Frame) -> Option<u64> {
        if self.is_over || self.end.is_some() {
            return None;
        }
        self.push(frame);
        self.send_by(self.gather_until.max(now));
        Some(self.last())
    }

    /// Takes the last frame of the run, and the new snapshot of its thread. Returns its number; `None` if nothing more is
    /// stored.
    pub fn finish(&mut self, now: Duration, frame: Frame, snapshot: Option<Snapshot>) -> Option<u64> {
        let number = self.write(now, frame)?;
        self.end = Some(RunEnd { snapshot });
        self.flush(now);
        Some(number)
    }

    /// Sends the waiting frames without waiting for others. For frames whose writer awaits their storage.
    pub fn flush(&mut self, now: Duration) {
        if !self.waiting.is_empty() {
            self.flushed = self.last();
            self.send_by(now);
        }
    }

    /// The process shuts down: the run is ended unless it ends itself in time. All of it is over a little later, whatever the
    /// engine does.
    pub fn drain(&mut self, now: Duration) {
        let at = now.saturating_add(self.options.drain);
        self.gives_up_at.get_or_insert(at.saturating_add(self.options.patience));
        if self.ends_at.is_none_or(|(before, _)| at < before) {
            self.ends_at = Some((at, StopReason::Drained));
        }
    }

    /// True if no command follows.
    pub fn is_over(&self) -> bool {
        self.is_over && self.commands.is_empty()
    }

    /// The number of the last frame that was written.
    pub fn last(&self) -> u64 {
        self.stored + self.waiting.len() as u64
    }

    /// True if an awaited write may return before its frame is stored.
    pub fn has_room(&self) -> bool {
        self.waiting_bytes < self.options.max_waiting
    }

    /// Another machine that renews the lease: for a host that renews it in another thread, while its event loop is blocked.
    pub fn renewal(&self) -> Renewal {
        self.lease.renewal()
    }

    /// Takes a hint of the log. A cancel is confirmed by the engine before the agent stops.
    pub fn hint(&mut self, hint: Hint) {
        if hint == Hint::Cancelled && !self.is_stopping {
            self.lease.ask();
        }
    }

    /// Takes the reply to an operation. Replies to operations that were repeated since are ignored.
    #[allow(clippy::needless_pass_by_value)] // As the other machines.
    pub fn reply(&mut self, now: Duration, ticket: Ticket, reply: Result<Reply, EngineFailure>) {
        if let Some(sent_at) = self.append.take(ticket) {
            self.appended(now, sent_at, &reply);
        } else if let Some(sent_at) = self.lease.take(ticket) {
            self.renewed(now, sent_at, &reply);
        }
    }

    /// Returns the next command; `None` until the next input or the deadline.
    pub fn poll(&mut self, now: Duration) -> Option<ProducerCommand> {
        if let Some(command) = self.commands.pop_front() {
            return Some(command);
        }
        if self.is_over {
            return None;
        }
        if let Some((at, reason)) = self.ends_at
            && at <= now
        {
            self.end_by(now, reason);
            return self.commands.pop_front();
        }
        if self.append.is_free(now) && self.send_at.is_some_and(|at| at <= now) {
            return Some(self.send_append(now));
        }
        if let Some((ticket, operation)) = self.lease.poll(now, &mut self.tickets) {
            return Some(ProducerCommand::Send { ticket, operation });
        }
        self.give_up(now);
        self.commands.pop_front()
    }

    /// The time of the next call of [`poll`](Self::poll), unless an input comes before; `None` at the end.
    pub fn deadline(&self) -> Option<Duration> {
        if self.is_over {
            return None;
        }
        let renews = self.lease.deadline();
        let sends = self.send_at.map_or(renews, |at| self.append.deadline().max(at));
        let limits = [self.ends_at.map(|(at, _)| at), self.gives_up_at];
        limits.into_iter().flatten().chain([renews, sends]).min()
    }

    fn push(&mut self, frame: Frame) {
        self.waiting_bytes += frame.len();
        self.waiting.push_back(frame);
    }

    fn send_by(&mut self, moment: Duration) {
        let is_full = self.waiting.len() >= self.options.batch;
        let moment = if is_full { Duration::ZERO } else { moment };
        self.send_at = Some(self.send_at.map_or(moment, |before| before.min(moment)));
    }

    fn send_append(&mut self, now: Duration) -> ProducerCommand {
        let ticket = self.append.send(now, &mut self.tickets);
        // The first token follows the start of the run, which is flushed: it does not wait for others.
        let gather = if self.flushed > self.stored { Duration::ZERO } else { self.options.gather };
        self.gather_until = now.saturating_add(gather);
        // A repetition has the same frames, and perhaps more behind them.
        self.appending = self.waiting.len().min(self.options.batch);
        let append = Append {
            key: self.key.clone(),
            epoch: self.epoch,
            first: self.stored + 1,
            frames: self.waiting.iter().take(self.appending).cloned().collect(),
            end: self.end.clone().filter(|_| self.appending == self.waiting.len()),
        };
        ProducerCommand::Send { ticket, operation: Operation::Append(append) }
    }

    fn appended(&mut self, now: Duration, sent_at: Duration, reply: &Result<Reply, EngineFailure>) {
        match reply {
            Ok(Reply::Appended { .. }) => {
                self.append.succeed();
                self.store(now, sent_at);
            }
            Ok(Reply::TooBig) => self.too_big(now),
            Ok(Reply::Fenced | Reply::Closed) => self.stop(StopReason::Fenced),
            Ok(_) => self.stop(StopReason::LogFailed),
            Err(EngineFailure) => self.append.fail(now),
        }
    }

    /// The frames of the append are stored.
    fn store(&mut self, now: Duration, sent_at: Duration) {
        let bytes: usize = self.waiting.drain(..self.appending).map(|frame| frame.len()).sum();
        self.waiting_bytes -= bytes;
        self.stored += self.appending as u64;
        self.commands.push_back(ProducerCommand::Stored { through: self.stored });
        self.send_at = None;
        if self.waiting.is_empty() && self.end.is_some() {
            self.is_over = true;
            self.commands.push_back(ProducerCommand::Closed);
        } else if !self.waiting.is_empty() {
            // These frames have waited for the reply.
            self.send_by(if self.end.is_some() { now } else { sent_at.saturating_add(self.options.gather) });
        }
    }

    fn renewed(&mut self, now: Duration, sent_at: Duration, reply: &Result<Reply, EngineFailure>) {
        match reply {
            Ok(Reply::Renewed { is_cancelled, is_attended }) => {
                self.lease.renewed(now, sent_at);
                if *is_cancelled {
                    self.stop_agent(StopReason::Cancelled);
                } else if !is_attended {
                    self.stop_agent(StopReason::Unattended);
                }
            }
            // The append of the last frames has closed the log: its reply decides.
            Ok(Reply::Closed) if self.end.is_some() => self.lease.wait(now),
            Ok(Reply::Fenced | Reply::Closed) => self.stop(StopReason::Fenced),
            Ok(_) => self.stop(StopReason::LogFailed),
            Err(EngineFailure) => self.lease.fail(now),
        }
    }

    /// Ends the run instead of the frames that do not fit.
    fn too_big(&mut self, now: Duration) {
        self.waiting.clear();
        self.waiting_bytes = 0;
        self.end = None;
        self.end_by(now, StopReason::TooBig);
    }

    /// Ends the run behind what was written, unless its end waits already.
    fn end_by(&mut self, now: Duration, reason: StopReason) {
        self.ends_at = None;
        if self.end.is_some() {
            return;
        }
        if let Some(frame) = reason.ending() {
            self.push(frame);
            self.end = Some(RunEnd::default());
            self.flush(now);
            self.commands.push_back(ProducerCommand::Stop(reason));
        }
    }

    /// Stops when the engine has been silent until the end of the lease, or of the time to shut down.
    fn give_up(&mut self, now: Duration) {
        let is_silent = self.append.has_failed() || self.lease.has_failed();
        let is_late = self.gives_up_at.is_some_and(|at| at <= now);
        if is_late || is_silent && self.lease.is_over(now) {
            self.stop(StopReason::LogFailed);
        }
    }

    /// Stops the agent, once. It ends the run itself.
    fn stop_agent(&mut self, reason: StopReason) {
        if !self.is_stopping && self.end.is_none() {
            self.is_stopping = true;
            self.commands.push_back(ProducerCommand::Stop(reason));
        }
    }

    fn stop(&mut self, reason: StopReason) {
        self.is_over = true;
        self.ends_at = None;
        self.commands.push_back(ProducerCommand::Stop(reason));
    }
}
