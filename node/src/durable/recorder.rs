//! The writer of a log.

use ag_ui_native::bindings::durable::{ProducerCommand, Recorded, Recorder};
use napi::Result;
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;

use super::handles::{LogCommand, LogOperation, LogReply, given, hint_of};
use super::notice::notice_text;
use super::time::{duration, milliseconds};
use crate::error;

/// Stores the frames of a run.
#[napi]
#[derive(Debug)]
pub struct LogRecorder {
    pub(super) recorder: Recorder,
}

/// The treatment of frames that were written.
#[napi(object, object_from_js = false)]
pub struct LogRecorded {
    /// The number of the last frame.
    pub last: f64,
    /// True if the agent goes on when that frame is stored.
    pub is_awaited: bool,
    /// False if the agent goes on when there is room.
    pub has_room: bool,
}

#[napi]
impl LogRecorder {
    /// Takes the frames of an event stream. Throws the description of an error.
    #[napi(catch_unwind)]
    #[allow(clippy::needless_pass_by_value, clippy::cast_precision_loss)] // No run has so many frames.
    pub fn write(&mut self, now: f64, frames: Uint8Array) -> Result<LogRecorded> {
        let recorded = self.recorder.write(duration(now), &frames);
        let Recorded { last, is_awaited, has_room } =
            recorded.map_err(|error| napi::Error::from_reason(error::describe(&error)))?;
        Ok(LogRecorded { last: last as f64, is_awaited, has_room })
    }

    /// `send` with an operation; `stored` with the number of the last frame that is stored; `stop` with the reason, and 1 if the end
    /// of the run is still stored; or `closed`.
    #[napi(catch_unwind)]
    #[allow(clippy::cast_precision_loss)] // As above.
    pub fn poll(&mut self, now: f64) -> Option<LogCommand> {
        Some(match self.recorder.poll(duration(now))? {
            ProducerCommand::Send { ticket, operation } => LogCommand::send(operation, ticket),
            ProducerCommand::Stored { through } => {
                LogCommand { number: Some(through as f64), ..LogCommand::new("stored") }
            }
            ProducerCommand::Stop(reason) => LogCommand {
                number: Some(f64::from(u8::from(reason.has_end()))),
                ..LogCommand::of_text("stop", Some(reason.as_str().to_owned()))
            },
            ProducerCommand::Closed => LogCommand::new("closed"),
        })
    }

    /// Takes the reply to an operation; none if the engine has failed.
    #[napi(catch_unwind)]
    pub fn reply(&mut self, now: f64, operation: &LogOperation, reply: Option<&LogReply>) {
        if let Some(ticket) = operation.ticket {
            self.recorder.reply(duration(now), ticket, given(reply));
        }
    }

    /// The next notice for the application, as JSON text. Asked behind each command.
    #[napi(catch_unwind)]
    pub fn notice(&mut self) -> Option<String> {
        self.recorder.take_notice().map(|notice| notice_text(&notice))
    }

    /// The process shuts down: the run ends within its time to drain.
    #[napi(catch_unwind)]
    pub fn drain(&mut self, now: f64) {
        self.recorder.drain(duration(now));
    }

    /// The run counts no longer. Called when no more commands are carried out.
    #[napi(catch_unwind)]
    pub fn close(&mut self) {
        self.recorder.close();
    }

    /// Takes a hint, which is JSON text.
    #[napi(catch_unwind)]
    #[allow(clippy::needless_pass_by_value)] // napi hands strings over.
    pub fn hint(&mut self, hint: String) {
        if let Some(hint) = hint_of(&hint) {
            self.recorder.hint(hint);
        }
    }

    /// The time of the next poll.
    #[napi(catch_unwind)]
    pub fn deadline(&self) -> Option<f64> {
        self.recorder.deadline().map(milliseconds)
    }

    /// False if the agent waits until there is room.
    #[napi(getter, catch_unwind)]
    pub fn has_room(&self) -> bool {
        self.recorder.has_room()
    }
}
