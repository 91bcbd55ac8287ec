//! The beginning of a run with a log.

use std::time::Duration;

use ag_ui_native::Limits;
use ag_ui_native::bindings::durable::{
    Admission, AdmissionCommand, Admitted, Cursor, LogInfo, LogOptions, LogRefusal,
};
use ag_ui_native::types::RunAgentInput;
use napi_derive::napi;

use super::handles::{LogCommand, LogOperation, LogReply, given};
use super::notice::notice_text;
use super::recorder::LogRecorder;
use super::response::log_refusal;
use super::time::{duration, milliseconds};

/// Creates the log of a run.
#[napi]
#[derive(Debug)]
pub struct LogAdmission {
    step: Step,
}

#[derive(Debug)]
enum Step {
    Refused(LogRefusal),
    Asks(Box<Candidate>),
    Created { candidate: Box<Candidate>, epoch: u64, leased_at: Duration },
    Over,
}

/// A run that asks to be admitted.
#[derive(Debug)]
struct Candidate {
    admission: Admission,
    options: LogOptions,
    input: RunAgentInput,
    limits: Limits,
}

#[napi]
impl LogAdmission {
    /// `send` with an operation; `created` or `exists`, with the place before the first frame; or `refused` with the refusal.
    #[napi(catch_unwind)]
    pub fn poll(&mut self, now: f64) -> Option<LogCommand> {
        let candidate = match &mut self.step {
            Step::Asks(candidate) => candidate,
            Step::Refused(_) => return self.refuse(),
            Step::Created { .. } | Step::Over => return None,
        };
        Some(match candidate.admission.poll(duration(now))? {
            AdmissionCommand::Send { ticket, operation } => LogCommand::send(operation, ticket),
            AdmissionCommand::Decided(Admitted::Created { incarnation, epoch, leased_at }) => {
                if let Step::Asks(candidate) = std::mem::replace(&mut self.step, Step::Over) {
                    self.step = Step::Created { candidate, epoch, leased_at };
                }
                LogCommand::of_text("created", Some(Cursor { incarnation, number: 0 }.to_string()))
            }
            AdmissionCommand::Decided(Admitted::Exists(LogInfo { incarnation, .. })) => {
                self.step = Step::Over;
                LogCommand::of_text("exists", Some(Cursor { incarnation, number: 0 }.to_string()))
            }
            AdmissionCommand::Decided(Admitted::Refused(refused)) => {
                self.step = Step::Refused(refused);
                return self.refuse();
            }
        })
    }

    /// Takes the reply to an operation; none if the engine has failed.
    #[napi(catch_unwind)]
    pub fn reply(&mut self, now: f64, operation: &LogOperation, reply: Option<&LogReply>) {
        if let (Step::Asks(candidate), Some(ticket)) = (&mut self.step, operation.ticket) {
            candidate.admission.reply(duration(now), ticket, given(reply));
        }
    }

    /// The time of the next poll.
    #[napi(catch_unwind)]
    pub fn deadline(&self) -> Option<f64> {
        match &self.step {
            Step::Asks(candidate) => candidate.admission.deadline().map(milliseconds),
            _ => None,
        }
    }

    /// The next notice for the application, as JSON text. Asked behind each command.
    #[napi(catch_unwind)]
    pub fn notice(&mut self) -> Option<String> {
        let (Step::Asks(candidate) | Step::Created { candidate, .. }) = &mut self.step else { return None };
        candidate.admission.take_notice().map(|notice| notice_text(&notice))
    }

    /// Makes the recorder of a run that was admitted.
    #[napi(catch_unwind)]
    pub fn recorder(&mut self) -> Option<LogRecorder> {
        let Step::Created { candidate, epoch, leased_at } = std::mem::replace(&mut self.step, Step::Over)
        else {
            return None;
        };
        let Candidate { mut admission, options, input, limits } = *candidate;
        Some(LogRecorder { recorder: options.recorder(&mut admission, epoch, leased_at, &input, limits) })
    }
}

impl LogAdmission {
    pub(super) fn new(
        admission: Admission,
        options: LogOptions,
        input: RunAgentInput,
        limits: Limits,
    ) -> Self {
        Self { step: Step::Asks(Box::new(Candidate { admission, options, input, limits })) }
    }

    pub(super) fn refused(refusal: LogRefusal) -> Self {
        Self { step: Step::Refused(refusal) }
    }

    fn refuse(&mut self) -> Option<LogCommand> {
        let Step::Refused(refused) = std::mem::replace(&mut self.step, Step::Over) else { return None };
        Some(LogCommand::of_text("refused", Some(log_refusal(&refused))))
    }
}
