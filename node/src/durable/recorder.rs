//! The writer of a log.

use std::cell::RefCell;
use std::rc::Rc;

use ag_ui_native::bindings::durable::{ProducerCommand, Recorded, Recorder};
use napi::Result;
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;

use super::handles::LogCommand;
use super::machine::LogMachine;
use super::time::duration;
use crate::error;

/// Stores the frames of a run.
#[napi]
#[derive(Debug)]
pub struct LogRecorder {
    recorder: Rc<RefCell<Recorder>>,
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
    pub fn write(&self, now: f64, frames: Uint8Array) -> Result<LogRecorded> {
        let recorded = self.recorder.borrow_mut().write(duration(now), &frames);
        let Recorded { last, is_awaited, has_room } =
            recorded.map_err(|error| napi::Error::from_reason(error::describe(&error)))?;
        Ok(LogRecorded { last: last as f64, is_awaited, has_room })
    }

    /// Its machine. The commands are `stored` with the number of the last frame that is stored; `stop` with the reason, and 1 if the end
    /// of the run is still stored; and `closed`.
    #[napi(getter, catch_unwind)]
    pub fn machine(&self) -> LogMachine {
        LogMachine::of(&self.recorder)
    }

    /// The process shuts down: the run ends within its time to drain.
    #[napi(catch_unwind)]
    pub fn drain(&self, now: f64) {
        self.recorder.borrow_mut().drain(duration(now));
    }

    /// The run counts no longer. Called when no more commands are carried out.
    #[napi(catch_unwind)]
    pub fn close(&self) {
        self.recorder.borrow_mut().close();
    }

    /// False if the agent waits until there is room.
    #[napi(getter, catch_unwind)]
    pub fn has_room(&self) -> bool {
        self.recorder.borrow().has_room()
    }
}

impl LogRecorder {
    pub(super) fn new(recorder: Recorder) -> Self {
        Self { recorder: Rc::new(RefCell::new(recorder)) }
    }
}

impl From<ProducerCommand> for LogCommand {
    #[allow(clippy::cast_precision_loss)] // As above.
    fn from(command: ProducerCommand) -> Self {
        match command {
            ProducerCommand::Send { ticket, operation } => Self::send(operation, ticket),
            ProducerCommand::Stored { through } => {
                Self { number: Some(through as f64), ..Self::new("stored") }
            }
            ProducerCommand::Stop(reason) => Self {
                number: Some(f64::from(u8::from(reason.has_end()))),
                ..Self::of_text("stop", Some(reason.as_str().to_owned()))
            },
            ProducerCommand::Closed => Self::new("closed"),
        }
    }
}
