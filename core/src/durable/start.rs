//! The start of a run: its log is created, and then it is recorded.

use std::time::Duration;

use super::admission::{Admission, AdmissionCommand, Admitted};
use super::answers::Answers;
use super::cursor::{Cursor, Incarnation};
use super::exchange::{EngineFailure, Ticket};
use super::key::LogKey;
use super::machine::{Machine, Step};
use super::notice::{LogNotice, LogSubject};
use super::occupancy::Occupancy;
use super::options::{LogOptions, resumes};
use super::producer::Producer;
use super::recorder::Recorder;
use super::refusal::LogRefusal;
use super::reply::Reply;
use crate::error::Error;
use crate::limits::Limits;
use crate::types::RunAgentInput;

/// A request that starts a run, unless the run has been started before.
#[derive(Debug)]
pub struct LogStart {
    admission: Admission,
    options: LogOptions,
    input: RunAgentInput,
    limits: Limits,
    /// The epoch of the lease, and the time from which it counts, until the recorder is made.
    lease: Option<(u64, Duration)>,
}

/// A run that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begun {
    /// The place before its first frame.
    pub beginning: Cursor,
    /// True if this request has begun it: its agent is executed here.
    pub is_new: bool,
}

/// The request that starts a run, besides its input.
#[derive(Clone, Copy, Debug)]
pub struct LogStartHead<'h> {
    /// The scope of the request.
    pub scope: &'h str,
    /// The header `AG-UI-Resume`.
    pub resume: Option<&'h str>,
    /// The time in milliseconds since the Unix epoch, if the input has to answer the interrupts that wait in the thread.
    pub now: Option<i64>,
    /// True if the server that was asked shuts down.
    pub is_draining: bool,
}

impl LogStart {
    /// Asks for the log of this input's run.
    ///
    /// # Errors
    /// `limit_exceeded`: an id is too long.
    pub fn new(
        head: LogStartHead<'_>,
        input: RunAgentInput,
        limits: Limits,
        options: &LogOptions,
        occupancy: &Occupancy,
    ) -> Result<Self, Error> {
        let LogStartHead { scope, resume, now, is_draining } = head;
        let create = options.create(scope, &input, resumes(resume))?;
        let mut admission = Admission::new(create, options.admission());
        if let Some(now) = now {
            admission = admission.with_answers(Answers::of(&input, now));
        }
        let subject = LogSubject::run(scope, &input.thread_id, &input.run_id);
        let place = occupancy.run(scope, options.max_active_runs, is_draining);
        let admission = admission.in_place(place).about(Some(subject));
        Ok(Self { admission, options: *options, input, limits, lease: None })
    }

    /// The log.
    pub fn key(&self) -> &LogKey {
        &self.admission.run().0.key
    }

    /// The input of the run.
    pub fn into_input(self) -> RunAgentInput {
        self.input
    }

    /// The recorder of a run that this request has begun, once. If the run fails, the interrupts that it answers wait on.
    pub fn recorder(&mut self) -> Option<Recorder> {
        let (epoch, leased_at) = self.lease.take()?;
        let (place, subject) = (self.admission.take_place(), self.admission.subject());
        let (create, pending) = self.admission.run();
        let options = self.options.producer(&create.policy);
        let producer = Producer::new(create.key.clone(), epoch, leased_at, options);
        let recorder = Recorder::new(producer, &self.input, self.limits);
        Some(recorder.with_pending_interrupts(pending.to_vec()).with_place(place).about(subject))
    }

    fn decide(&mut self, admitted: Admitted) -> Result<Begun, LogRefusal> {
        let begun =
            |incarnation: Incarnation, is_new| Begun { beginning: Cursor { incarnation, number: 0 }, is_new };
        match admitted {
            Admitted::Created { incarnation, epoch, leased_at } => {
                self.lease = Some((epoch, leased_at));
                Ok(begun(incarnation, true))
            }
            Admitted::Exists(info) => Ok(begun(info.incarnation, false)),
            Admitted::Refused(refusal) => Err(refusal),
        }
    }
}

impl Machine for LogStart {
    type Command = Result<Begun, LogRefusal>;

    fn step(&mut self, now: Duration) -> Option<Step<Self::Command>> {
        Some(match self.admission.poll(now)? {
            AdmissionCommand::Send { ticket, operation } => Step::Send(ticket, operation),
            AdmissionCommand::Decided(admitted) => Step::Other(self.decide(admitted)),
        })
    }

    fn take_reply(&mut self, now: Duration, ticket: Ticket, reply: Result<Reply, EngineFailure>) {
        self.admission.reply(now, ticket, reply);
    }

    fn next_step(&self) -> Option<Duration> {
        self.admission.deadline()
    }

    fn next_notice(&mut self) -> Option<LogNotice> {
        self.admission.take_notice()
    }
}
