//! The reader of a log, for one response.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use ag_ui_native::Object;
use ag_ui_native::bindings::durable::{
    Cursor, LogKey, LogRefusal, LogResponse, LogSubject, PrefixCache, PrefixHead, Reader, ReaderCommand,
    ReaderEnd, ReaderOptions, encode_frames, encode_prefix,
};
use ag_ui_native::bindings::server::{Beat, Close, Heartbeat, PlainResponse, WireFormat};
use ag_ui_native::bindings::sse::frame;
use napi::Result;
use napi_derive::napi;

use super::handles::{LogCommand, LogOperation, LogReply, given, hint_of, key_of};
use super::notice::notice_text;
use super::response::{log_refusal, refusal};
use super::time::{duration, milliseconds};
use crate::error;

/// The response that a reader feeds.
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
    /// The scope of the request.
    pub scope: String,
    /// True if the run was begun by this request.
    pub is_new: bool,
}

/// Reads a log.
#[napi]
#[derive(Debug)]
pub struct LogReader {
    reader: Reader,
    key: LogKey,
    head: ReaderHead,
    wire_format: WireFormat,
    pause: Option<Duration>,
    heartbeat: Option<Heartbeat>,
    prefixes: Rc<RefCell<PrefixCache>>,
    is_opened: bool,
    is_over: bool,
}

#[napi]
impl LogReader {
    /// `send` with an operation; `opened` with the headers; `bytes`; `end` with the code that closes a WebSocket, before `opened` with the whole response. For a
    /// WebSocket, `ping`, and `giveUp` if the client answers none.
    #[napi(catch_unwind)]
    pub fn poll(&mut self, now: f64) -> Option<LogCommand> {
        let now = duration(now);
        let Some(command) = self.reader.poll(now) else { return self.beat(now) };
        Some(match command {
            ReaderCommand::Send { ticket, operation } => LogCommand::send(operation, ticket),
            ReaderCommand::Opened { after, prefix } => {
                self.is_opened = true;
                self.heartbeat = self.heartbeat_from(now);
                LogCommand::of_text("opened", Some(self.headers(after, prefix)))
            }
            ReaderCommand::Frames { frames, .. } if self.has_plain_frames() => {
                self.bytes(Ok(frames.iter().map(|json| frame(json.as_str())).collect::<String>().into()))
            }
            ReaderCommand::Frames { after, frames } => {
                self.bytes(encode_frames(self.wire_format, after, &frames))
            }
            ReaderCommand::Prefix(prefix) => {
                let bytes = encode_prefix(self.wire_format, &prefix);
                self.prefixes.borrow_mut().put(self.key.clone(), *prefix);
                self.bytes(bytes)
            }
            ReaderCommand::End(end) => self.end(end),
        })
    }

    /// Takes the reply to an operation; none if the engine has failed.
    #[napi(catch_unwind)]
    pub fn reply(&mut self, now: f64, operation: &LogOperation, reply: Option<&LogReply>) {
        if let Some(ticket) = operation.ticket {
            self.reader.reply(duration(now), ticket, given(reply));
        }
    }

    /// The next notice for the application, as JSON text. Asked behind each command.
    #[napi(catch_unwind)]
    pub fn notice(&mut self) -> Option<String> {
        self.reader.take_notice().map(|notice| notice_text(&notice))
    }

    /// The process shuts down: the reader ends soon.
    #[napi(catch_unwind)]
    pub fn drain(&mut self, now: f64) {
        self.reader.drain(duration(now));
    }

    /// Called when the client of a WebSocket has sent a message.
    #[napi(catch_unwind)]
    pub fn heard(&mut self) {
        self.heartbeat.iter_mut().for_each(Heartbeat::heard);
    }

    /// Takes a hint, which is JSON text.
    #[napi(catch_unwind)]
    #[allow(clippy::needless_pass_by_value)] // napi hands strings over.
    pub fn hint(&mut self, hint: String) {
        if let Some(hint) = hint_of(&hint) {
            self.reader.hint(hint);
        }
    }

    /// The time of the next poll.
    #[napi(catch_unwind)]
    pub fn deadline(&self) -> Option<f64> {
        let reader = self.reader.deadline().filter(|_| !self.is_over)?;
        let beat = self.heartbeat.map_or(reader, |heartbeat| heartbeat.deadline());
        Some(milliseconds(reader.min(beat)))
    }
}

impl LogReader {
    pub(super) fn new(
        head: ReaderHead,
        options: ReaderOptions,
        pause: Option<Duration>,
        prefixes: Rc<RefCell<PrefixCache>>,
    ) -> Result<Self> {
        let key = key_of(&head.key)?;
        let after = head.after.as_deref().map(str::parse::<Cursor>).transpose();
        let after = after.map_err(|error| napi::Error::from_reason(error::describe(&error)))?;
        let reader = if after.is_some() {
            Reader::new(key.clone(), after, options)
        } else {
            Reader::join(key.clone(), prefixes.borrow_mut().get(&key), options)
        };
        let subject = LogSubject::run(&head.scope, &head.thread_id, &head.run_id);
        let reader = reader.about(Some(subject), !head.is_new);
        let wire_format = if head.wire_format == "binary" { WireFormat::Binary } else { WireFormat::Text };
        let (heartbeat, is_opened, is_over) = (None, false, false);
        Ok(Self { reader, key, head, wire_format, pause, heartbeat, prefixes, is_opened, is_over })
    }

    /// True if frames are split into messages, which have no ids.
    fn has_plain_frames(&self) -> bool {
        self.head.socket.is_some() && self.wire_format == WireFormat::Text
    }

    fn heartbeat_from(&self, now: Duration) -> Option<Heartbeat> {
        let pause = self.pause?;
        match self.head.socket.as_deref() {
            None => Heartbeat::of_comments(self.wire_format, pause, now),
            Some("pinged") => Heartbeat::of_pings(pause, now),
            Some(_) => None,
        }
    }

    fn headers(&self, after: Cursor, prefix: Option<PrefixHead>) -> String {
        let response = LogResponse {
            wire_format: self.wire_format,
            thread_id: &self.head.thread_id,
            run_id: &self.head.run_id,
            after,
            prefix,
            heartbeat: self.pause,
            path: &self.head.address,
        };
        let mut headers = Object::from_iter(self.wire_format.headers());
        for (name, value) in response.headers() {
            headers.insert(name, value);
        }
        error::text(&headers.into())
    }

    fn bytes(&mut self, encoded: std::result::Result<Vec<u8>, ag_ui_native::Error>) -> LogCommand {
        self.heartbeat.iter_mut().for_each(Heartbeat::written);
        match encoded {
            Ok(bytes) => LogCommand { bytes: Some(bytes.into()), ..LogCommand::new("bytes") },
            Err(_) => self.end(ReaderEnd::Damaged),
        }
    }

    fn end(&mut self, end: ReaderEnd) -> LogCommand {
        self.is_over = true;
        let response = match LogRefusal::of_reader(end) {
            _ if self.is_opened => {
                return LogCommand { number: Some(f64::from(Close::DONE)), ..LogCommand::new("end") };
            }
            Some(refused) => log_refusal(&refused),
            None => refusal(PlainResponse { status: 204, headers: vec![], body: String::new() }),
        };
        LogCommand::of_text("end", Some(response))
    }

    /// Checks for silence, in which a comment or a ping is sent.
    fn beat(&mut self, now: Duration) -> Option<LogCommand> {
        let heartbeat = self.heartbeat.as_mut().filter(|heartbeat| heartbeat.deadline() <= now)?;
        if self.is_over {
            return None;
        }
        match heartbeat.check_silence(now, false) {
            Beat::Nothing => None,
            Beat::Ping => Some(LogCommand::new("ping")),
            Beat::GiveUp => {
                self.is_over = true;
                Some(LogCommand::new("giveUp"))
            }
            Beat::Comment => {
                heartbeat.written();
                let comment = self.wire_format.heartbeat()?;
                Some(LogCommand {
                    bytes: Some(comment.as_bytes().to_vec().into()),
                    ..LogCommand::new("bytes")
                })
            }
        }
    }
}
