//! The response to a client that reads a log.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use ag_ui_native::Object;
use ag_ui_native::bindings::durable::{
    Channel, LogOptions, LogStream as CoreLogStream, LogStreamCommand, LogStreamHead, Place, PrefixCache,
};
use ag_ui_native::bindings::server::{PlainResponse, WireFormat};
use napi::Result;
use napi_derive::napi;

use super::handles::{LogCommand, key_of};
use super::machine::LogMachine;
use super::response::refusal;
use super::time::duration;
use crate::error;

/// The client that reads a log.
#[napi(object)]
#[derive(Clone, Debug)]
pub struct ReaderHead {
    /// The key of the log.
    pub key: String,
    pub thread_id: String,
    pub run_id: String,
    /// The place behind which it begins; without one the client joins.
    pub after: Option<String>,
    /// `text` or `binary`.
    pub wire_format: String,
    /// The path of the agent's address.
    pub address: String,
    /// The WebSocket that gets the frames, if it is none of HTTP: `pinged`, or `silent` if its host sends the pings.
    pub socket: Option<String>,
    /// True if the run was begun by this request.
    pub is_new: bool,
}

/// Reads a log for one client.
#[napi]
#[derive(Debug)]
pub struct LogStream {
    stream: Rc<RefCell<CoreLogStream>>,
}

#[napi]
impl LogStream {
    /// Its machine. The commands are `refused` with the whole response, or `opened` with the headers; `bytes`; `end` with the code that closes
    /// a WebSocket; for a WebSocket, `ping`, and `giveUp` if the client answers none.
    #[napi(getter, catch_unwind)]
    pub fn machine(&self) -> LogMachine {
        LogMachine::of(&self.stream)
    }

    /// The process shuts down: the stream ends soon.
    #[napi(catch_unwind)]
    pub fn drain(&self, now: f64) {
        self.stream.borrow_mut().drain(duration(now));
    }

    /// Called when the client of a WebSocket has sent a message.
    #[napi(catch_unwind)]
    pub fn heard(&self) {
        self.stream.borrow_mut().heard();
    }

    /// Says whether the connection takes more bytes.
    #[napi(catch_unwind)]
    pub fn set_room(&self, has_room: bool) {
        self.stream.borrow_mut().set_room(has_room);
    }

    /// The client counts no longer. Called when no more commands are carried out.
    #[napi(catch_unwind)]
    pub fn close(&self) {
        self.stream.borrow_mut().close();
    }
}

impl LogStream {
    pub(super) fn new(
        head: ReaderHead,
        heartbeat: Duration,
        place: Place,
        options: &LogOptions,
        prefixes: &PrefixCache,
    ) -> Result<Self> {
        let after = head.after.as_deref().map(str::parse).transpose();
        let head = LogStreamHead {
            key: key_of(&head.key)?,
            thread_id: head.thread_id,
            run_id: head.run_id,
            address: head.address,
            wire_format: if head.wire_format == "binary" { WireFormat::Binary } else { WireFormat::Text },
            channel: match head.socket.as_deref() {
                None => Channel::Http,
                Some(socket) => Channel::WebSocket { has_pings: socket == "pinged" },
            },
            heartbeat,
            after: after.map_err(|error| napi::Error::from_reason(error::describe(&error)))?,
            is_new: head.is_new,
        };
        let stream = CoreLogStream::new(head, place, options, prefixes);
        Ok(Self { stream: Rc::new(RefCell::new(stream)) })
    }
}

impl From<LogStreamCommand> for LogCommand {
    fn from(command: LogStreamCommand) -> Self {
        match command {
            LogStreamCommand::Send { ticket, operation } => Self::send(operation, ticket),
            LogStreamCommand::Refused(Some(refused)) => refused.into(),
            LogStreamCommand::Refused(None) => {
                let nothing = PlainResponse { status: 204, headers: vec![], body: String::new() };
                Self::of_text("refused", Some(refusal(nothing)))
            }
            LogStreamCommand::Opened(headers) => {
                Self::of_text("opened", Some(error::text(&Object::from_iter(headers).into())))
            }
            LogStreamCommand::Bytes(bytes) => Self { bytes: Some(bytes.into()), ..Self::new("bytes") },
            LogStreamCommand::Ping => Self::new("ping"),
            LogStreamCommand::End(code) => Self { number: Some(f64::from(code)), ..Self::new("end") },
            LogStreamCommand::GiveUp => Self::new("giveUp"),
        }
    }
}
