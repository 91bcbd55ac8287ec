//! The beginning of a run: its log is created, or the request is refused.

use std::time::Duration;

use super::answers::Answers;
use super::cursor::Incarnation;
use super::exchange::{EngineFailure, Exchange, Ticket};
use super::key::LogKey;
use super::notice::{LogNotice, LogSubject, Notices};
use super::occupancy::Place;
use super::operation::{Create, Operation};
use super::refusal::LogRefusal;
use super::reply::{LogInfo, Reply, ThreadInfo};
use crate::defaults::LOG_PATIENCE;
use crate::error::{Code, Error};
use crate::types::Interrupt;

/// The pause before a log is created again, while the run that keeps the thread busy ends.
const BUSY_PAUSE: Duration = Duration::from_millis(250);

/// The treatment of a request whose thread has an active run.
///
/// ```
/// use ag_ui_native::durable::{LogOptions, OnBusy};
///
/// let options = LogOptions { on_busy: OnBusy::Interrupt, ..LogOptions::default() };
/// assert_eq!(LogOptions::default().on_busy, OnBusy::Reject);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnBusy {
    /// The request is refused with `thread_busy`.
    #[default]
    Reject,
    /// The active run is cancelled, and the new one begins at its end.
    Interrupt,
}

/// The options of an [`Admission`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdmissionOptions {
    /// The treatment of a busy thread.
    pub on_busy: OnBusy,
    /// The longest time to wait for a reply of the engine.
    pub patience: Duration,
    /// The longest time to wait for the end of a run that was interrupted.
    pub interrupt_timeout: Duration,
}

impl Default for AdmissionOptions {
    fn default() -> Self {
        Self { on_busy: OnBusy::Reject, patience: LOG_PATIENCE, interrupt_timeout: Duration::from_secs(60) }
    }
}

/// The decision about a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Admitted {
    /// Run the agent: this request has created the log.
    Created {
        /// The identity of the log.
        incarnation: Incarnation,
        /// The epoch of the lease.
        epoch: u64,
        /// The time from which the lease counts.
        leased_at: Duration,
    },
    /// Another request has created the log: read it.
    Exists(LogInfo),
    /// Refuse the request.
    Refused(LogRefusal),
}

/// A command to the host.
#[derive(Clone, Debug, PartialEq)]
pub enum AdmissionCommand {
    /// Send this operation to the engine, and give its reply to [`Admission::reply`].
    Send {
        /// The number to give back.
        ticket: Ticket,
        /// The operation.
        operation: Operation,
    },
    /// The decision. No command follows.
    Decided(Admitted),
}

/// Creates the log of a run.
#[derive(Debug)]
pub struct Admission {
    create: Create,
    options: AdmissionOptions,
    exchange: Exchange,
    tickets: u64,
    step: Step,
    /// The time until which the engine may be silent; with an interrupted run, until which that may end.
    until: Option<Duration>,
    /// The time of the next operation.
    send_at: Duration,
    decided: Option<Admitted>,
    /// The answers that are checked against the thread, if they are.
    answers: Option<Answers>,
    /// The run that the request itself says it follows.
    parent: Option<LogKey>,
    pending: Vec<Interrupt>,
    has_interrupted: bool,
    /// Counts a new run.
    place: Option<Place>,
    notices: Notices,
}

#[derive(Clone, Debug, PartialEq)]
enum Step {
    /// The thread is read, with the interrupts that wait in it.
    Look,
    /// The request is refused for this reason, unless the run has a log: the request reads that.
    Refuse(Error),
    Create,
    /// The run of this id is asked to end.
    Cancel(String),
    /// The run of this id ends.
    Await(String),
    Over,
}

impl Admission {
    /// Creates this log.
    pub fn new(create: Create, options: AdmissionOptions) -> Self {
        let exchange = Exchange::new(options.patience);
        Self {
            answers: None,
            parent: create.parent.clone(),
            pending: Vec::new(),
            has_interrupted: false,
            create,
            options,
            exchange,
            tickets: 0,
            step: Step::Create,
            until: None,
            send_at: Duration::ZERO,
            decided: None,
            place: None,
            notices: Notices::default(),
        }
    }

    /// The same with a check of these answers: the run begins if they are those to the interrupts that wait in the thread, and if
    /// no other run ends meanwhile. A run that has a log already is read, whatever waits now. The run that seems to be the first of
    /// its thread begins without a look at it, if that is true.
    #[must_use]
    pub fn with_answers(self, answers: Answers) -> Self {
        let mut admission = self;
        let Create { key, owner, parent, .. } = &mut admission.create;
        // Behind a run that does not exist no run has ended.
        match key.thread().log(owner) {
            Ok(nothing) if answers.is_first && parent.is_none() => *parent = Some(nothing),
            _ => admission.step = Step::Look,
        }
        admission.answers = Some(answers);
        admission
    }

    /// A new run is counted by this place. Without one a new run is refused, and one that exists is read.
    #[must_use]
    pub fn in_place(self, place: Result<Place, Error>) -> Self {
        match place {
            Ok(place) => Self { place: Some(place), ..self },
            Err(error) => Self { step: Step::Refuse(error), ..self },
        }
    }

    /// Makes notices about this run.
    #[must_use]
    pub fn about(self, subject: Option<LogSubject>) -> Self {
        Self { notices: Notices::about(subject), ..self }
    }

    /// The next notice for the application. Asked behind each command.
    pub fn take_notice(&mut self) -> Option<LogNotice> {
        self.notices.take()
    }

    /// The place of a run that was created.
    pub fn take_place(&mut self) -> Option<Place> {
        self.place.take()
    }

    /// The run that notices are about.
    pub(super) fn subject(&self) -> Option<LogSubject> {
        self.notices.subject()
    }

    /// The log that is created, and the interrupts that its run answers.
    pub(super) fn run(&self) -> (&Create, &[Interrupt]) {
        (&self.create, &self.pending)
    }

    /// Returns the next command; `None` until the next input or the deadline.
    pub fn poll(&mut self, now: Duration) -> Option<AdmissionCommand> {
        if let Some(decided) = self.decided.take() {
            return Some(self.decide(decided));
        }
        if self.step == Step::Over {
            return None;
        }
        let until = *self.until.get_or_insert(now.saturating_add(self.options.patience));
        if !self.exchange.is_free(now) || self.send_at > now {
            return None;
        }
        if until <= now {
            let refusal = match &self.step {
                Step::Await(run_id) => LogRefusal::thread_busy(run_id.clone()),
                _ => LogRefusal::new(Code::LogUnavailable),
            };
            return Some(self.decide(Admitted::Refused(refusal)));
        }
        let operation = match &self.step {
            Step::Look => Operation::ReadThread { thread: self.create.key.thread().clone() },
            Step::Refuse(_) => Operation::Info { key: self.create.key.clone() },
            Step::Cancel(run_id) => match self.create.key.thread().log(run_id) {
                Ok(key) => Operation::Cancel { key },
                Err(error) => return Some(self.decide(Admitted::Refused(error.into()))),
            },
            _ => Operation::Create(Box::new(self.create.clone())),
        };
        let ticket = self.exchange.send(now, &mut self.tickets);
        Some(AdmissionCommand::Send { ticket, operation })
    }

    /// Takes the reply to an operation.
    pub fn reply(&mut self, now: Duration, ticket: Ticket, reply: Result<Reply, EngineFailure>) {
        let Some(sent_at) = self.exchange.take(ticket) else { return };
        let Ok(reply) = reply else { return self.exchange.fail(now) };
        self.exchange.succeed();
        if let Step::Cancel(run_id) = &self.step {
            self.step = Step::Await(run_id.clone());
            self.send_at = now;
            return;
        }
        self.decided = self.judge(now, sent_at, reply);
    }

    /// The decision that follows from a reply; `None` if the admission goes on.
    fn judge(&mut self, now: Duration, sent_at: Duration, reply: Reply) -> Option<Admitted> {
        Some(match reply {
            Reply::Thread(thread) if self.step == Step::Look => match self.look(&thread) {
                Ok(step) => {
                    self.step = step;
                    return None;
                }
                Err(error) => Admitted::Refused(error.into()),
            },
            Reply::Info(info) if info.digest == self.create.digest => Admitted::Exists(info),
            Reply::Unknown => Admitted::Refused(match &self.step {
                Step::Refuse(error) => error.clone().into(),
                _ => LogRefusal::new(Code::LogUnavailable),
            }),
            Reply::Created { incarnation, epoch } => {
                Admitted::Created { incarnation, epoch, leased_at: sent_at }
            }
            Reply::Exists(info) => Admitted::Exists(info),
            Reply::Busy { run_id } => match self.busy(now, run_id) {
                Some(refusal) => Admitted::Refused(refusal),
                None => return None,
            },
            Reply::Conflict | Reply::Info(_) => Admitted::Refused(LogRefusal::new(Code::RunConflict)),
            // Another run has ended since the thread was read.
            Reply::Stale { .. } if self.answers.is_some() && self.create.parent != self.parent => {
                self.step = Step::Look;
                return None;
            }
            Reply::Stale { run_id } => Admitted::Refused(LogRefusal::thread_stale(run_id)),
            _ => Admitted::Refused(LogRefusal::new(Code::LogUnavailable)),
        })
    }

    /// Checks the answers against the thread. Returns the next step: the log is created if no other run ends before.
    fn look(&mut self, thread: &ThreadInfo) -> Result<Step, Error> {
        let Some(answers) = &self.answers else { return Ok(Step::Create) };
        let key = &self.create.key;
        self.pending = thread.pending_interrupts()?;
        // The engine says whether the active run is in the way. When it has ended, the thread is read again.
        let is_free = thread.active_run.is_none();
        if is_free && let Err(error) = answers.check(&self.pending) {
            return Ok(Step::Refuse(error));
        }
        let last = thread.last_run.as_deref().map(|last| key.thread().log(last)).transpose()?;
        // Behind the own key no run has ended: it stands for a thread without one.
        let seen = last.unwrap_or_else(|| key.clone());
        self.create.parent = self.parent.clone().filter(|_| is_free).or(Some(seen));
        Ok(Step::Create)
    }

    /// The time of the next call of [`poll`](Self::poll), unless an input comes before; `None` behind the decision.
    pub fn deadline(&self) -> Option<Duration> {
        match (&self.decided, &self.step) {
            (Some(_), _) => Some(Duration::ZERO),
            (None, Step::Over) => None,
            (None, _) => Some(self.exchange.deadline().max(self.send_at)),
        }
    }

    fn decide(&mut self, decided: Admitted) -> AdmissionCommand {
        self.step = Step::Over;
        if matches!(decided, Admitted::Created { .. }) {
            self.notices.opened();
        } else {
            self.place = None;
        }
        AdmissionCommand::Decided(decided)
    }

    /// Another run is active. Returns the refusal, or goes on to interrupt it.
    fn busy(&mut self, now: Duration, run_id: String) -> Option<LogRefusal> {
        if self.options.on_busy == OnBusy::Reject {
            return Some(LogRefusal::thread_busy(run_id));
        }
        if !self.has_interrupted {
            self.has_interrupted = true;
            self.until = Some(now.saturating_add(self.options.interrupt_timeout));
        }
        // Another one may have begun meanwhile: it is interrupted, too.
        let is_same = matches!(&self.step, Step::Await(before) if *before == run_id);
        self.step = if is_same { Step::Await(run_id) } else { Step::Cancel(run_id) };
        self.send_at = now.saturating_add(if is_same { BUSY_PAUSE } else { Duration::ZERO });
        None
    }
}
