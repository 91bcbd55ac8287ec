//! The response to a client that reads a log: its headers, its bytes and its end.

use std::time::Duration;

use super::cursor::Cursor;
use super::exchange::{EngineFailure, Ticket};
use super::frame::Frame;
use super::key::LogKey;
use super::notice::{LogNotice, LogSubject};
use super::occupancy::Place;
use super::operation::Operation;
use super::options::LogOptions;
use super::prefix::{PrefixCache, PrefixHead};
use super::reader::{Reader, ReaderCommand, ReaderEnd};
use super::refusal::LogRefusal;
use super::reply::{Hint, Reply};
use super::response::{LogResponse, encode_frames, encode_prefix};
use crate::error::Error;
use crate::server::WireFormat;
use crate::server::bindings::{Beat, Close, Heartbeat};
use crate::sse::frame;

/// The connection of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// A response of HTTP. Silence is filled with comments, if the wire format has them.
    Http,
    /// A WebSocket: each event is a message, without an id.
    WebSocket {
        /// True if silence is filled with pings; false if the host sends them itself.
        has_pings: bool,
    },
}

/// A client, and the log that it reads.
#[derive(Clone, Debug)]
pub struct LogStreamHead {
    /// The log.
    pub key: LogKey,
    /// The id of the thread.
    pub thread_id: String,
    /// The id of the run.
    pub run_id: String,
    /// The path of the agent's address.
    pub address: String,
    /// The wire format of the events.
    pub wire_format: WireFormat,
    /// The connection of the client.
    pub channel: Channel,
    /// The silence that is filled; zero means that none is.
    pub heartbeat: Duration,
    /// The place behind which the client reads; `None` if it joins.
    pub after: Option<Cursor>,
    /// True if this request has begun the run.
    pub is_new: bool,
}

/// A command to the host.
#[derive(Clone, Debug, PartialEq)]
pub enum LogStreamCommand {
    /// Send this operation to the engine, and give its reply to [`LogStream::reply`].
    Send {
        /// The number to give back.
        ticket: Ticket,
        /// The operation.
        operation: Operation,
    },
    /// Refuse the request. `None` means that nothing is behind the cursor: status 204, of HTTP only. No command follows.
    Refused(Option<LogRefusal>),
    /// Begin the response, of HTTP with these headers.
    Opened(Vec<(&'static str, String)>),
    /// Send these bytes. For a WebSocket they are frames, of which [`messages`](crate::server::bindings::messages) makes messages.
    Bytes(Vec<u8>),
    /// Send a ping to a WebSocket.
    Ping,
    /// End the response; a WebSocket is closed with this code. No command follows.
    End(u16),
    /// Cut the connection of a client that answers no ping. No command follows.
    GiveUp,
}

/// Reads a log for one client, to the end of the run or of the longest duration of a connection.
///
/// The host calls [`poll`](Self::poll) after each input and at the [`deadline`](Self::deadline), until there is no command.
#[derive(Debug)]
pub struct LogStream {
    reader: Reader,
    head: LogStreamHead,
    prefixes: PrefixCache,
    max_connection: Duration,
    beats: Option<Heartbeat>,
    /// The time at which the connection ends; `None` before the response begins.
    ends_at: Option<Duration>,
    /// False while the connection takes no bytes.
    has_room: bool,
    is_over: bool,
}

impl LogStream {
    /// Reads a log for this client, which has the place until the stream is over. A prefix that is made is kept.
    pub fn new(head: LogStreamHead, place: Place, options: &LogOptions, prefixes: &PrefixCache) -> Self {
        let key = head.key.clone();
        let reader = match head.after {
            Some(after) => Reader::new(key, Some(after), options.reader()),
            None => Reader::join(key, prefixes.get(&head.key), options.reader()),
        };
        let subject = LogSubject::run(place.scope(), &head.thread_id, &head.run_id);
        Self {
            reader: reader.with_place(Some(place)).about(Some(subject), !head.is_new),
            head,
            prefixes: prefixes.clone(),
            max_connection: options.max_connection,
            beats: None,
            ends_at: None,
            has_room: true,
            is_over: false,
        }
    }

    /// Returns the next command; `None` until the next input or the deadline.
    pub fn poll(&mut self, now: Duration) -> Option<LogStreamCommand> {
        while !self.is_over {
            if self.ends_at.is_some_and(|end| end <= now) {
                return Some(self.end(Close::GOING_AWAY));
            }
            if !self.has_room {
                return None;
            }
            let Some(command) = self.reader.poll(now) else { return self.beat(now) };
            if let Some(command) = self.carry_out(now, command) {
                return Some(command);
            }
        }
        None
    }

    /// See [`Reader::reply`].
    pub fn reply(&mut self, now: Duration, ticket: Ticket, reply: Result<Reply, EngineFailure>) {
        self.reader.reply(now, ticket, reply);
    }

    /// See [`Reader::take_notice`].
    pub fn take_notice(&mut self) -> Option<LogNotice> {
        self.reader.take_notice()
    }

    /// See [`Reader::hint`].
    pub fn hint(&mut self, hint: Hint) {
        self.reader.hint(hint);
    }

    /// See [`Reader::drain`].
    pub fn drain(&mut self, now: Duration) {
        self.reader.drain(now);
    }

    /// Takes a sign of life of a WebSocket's client.
    pub fn heard(&mut self) {
        self.beats.iter_mut().for_each(Heartbeat::heard);
    }

    /// Takes the information whether the connection takes more bytes. Without room nothing is read, and only the longest
    /// duration ends the connection.
    pub fn set_room(&mut self, has_room: bool) {
        self.has_room = has_room;
    }

    /// The client counts no longer. Called when no more commands are carried out.
    pub fn close(&mut self) {
        self.reader.close();
    }

    /// The time of the next call of [`poll`](Self::poll), unless an input comes before; `None` at the end.
    pub fn deadline(&self) -> Option<Duration> {
        let reads = self.reader.deadline().filter(|_| !self.is_over)?;
        if !self.has_room {
            return Some(self.ends_at.unwrap_or(Duration::MAX));
        }
        let beats = self.beats.map(|beats| beats.deadline());
        [beats, self.ends_at].into_iter().flatten().min().map_or(Some(reads), |other| Some(reads.min(other)))
    }

    /// Returns the command to the host; `None` for a prefix without events.
    fn carry_out(&mut self, now: Duration, command: ReaderCommand) -> Option<LogStreamCommand> {
        let encoded = match command {
            ReaderCommand::Send { ticket, operation } => {
                return Some(LogStreamCommand::Send { ticket, operation });
            }
            ReaderCommand::Opened { after, prefix } => return Some(self.open(now, after, prefix)),
            ReaderCommand::End(end) if self.ends_at.is_none() => return Some(self.refuse(end)),
            ReaderCommand::End(ReaderEnd::Closed) => return Some(self.end(Close::DONE)),
            // The client resumes, and reads the reason.
            ReaderCommand::End(_) => return Some(self.end(Close::GOING_AWAY)),
            ReaderCommand::Frames { after, frames } => self.encode(after, &frames),
            ReaderCommand::Prefix(prefix) => {
                let encoded = encode_prefix(self.head.wire_format, &prefix);
                self.prefixes.put(self.head.key.clone(), *prefix);
                encoded
            }
        };
        match encoded {
            Ok(bytes) if bytes.is_empty() => None,
            Ok(bytes) => {
                self.beats.iter_mut().for_each(Heartbeat::written);
                Some(LogStreamCommand::Bytes(bytes))
            }
            // The log has a frame that is no event: the response has no end of the run.
            Err(_) => Some(self.end(Close::GOING_AWAY)),
        }
    }

    fn open(&mut self, now: Duration, after: Cursor, prefix: Option<PrefixHead>) -> LogStreamCommand {
        let LogStreamHead { thread_id, run_id, address, wire_format, channel, heartbeat, .. } = &self.head;
        self.beats = match channel {
            Channel::Http => Heartbeat::of_comments(*wire_format, *heartbeat, now),
            Channel::WebSocket { has_pings: true } => Heartbeat::of_pings(*heartbeat, now),
            Channel::WebSocket { has_pings: false } => None,
        };
        self.ends_at = Some(now.saturating_add(self.max_connection));
        let heartbeat = self.beats.map(|_| *heartbeat);
        let response = LogResponse {
            wire_format: *wire_format,
            thread_id,
            run_id,
            after,
            prefix,
            heartbeat,
            path: address,
        };
        let format = wire_format.headers().into_iter().map(|(name, value)| (name, value.to_owned()));
        LogStreamCommand::Opened(format.chain(response.headers()).collect())
    }

    fn encode(&self, after: Cursor, frames: &[Frame]) -> Result<Vec<u8>, Error> {
        match (self.head.channel, self.head.wire_format) {
            (Channel::WebSocket { .. }, WireFormat::Text) => {
                Ok(frames.iter().map(|json| frame(json.as_str())).collect::<String>().into())
            }
            (_, wire_format) => encode_frames(wire_format, after, frames),
        }
    }

    fn refuse(&mut self, end: ReaderEnd) -> LogStreamCommand {
        match (LogRefusal::of_reader(end), self.head.channel) {
            // A WebSocket has no status.
            (None, Channel::WebSocket { .. }) => self.end(Close::DONE),
            (refusal, _) => self.over(LogStreamCommand::Refused(refusal)),
        }
    }

    fn end(&mut self, code: u16) -> LogStreamCommand {
        self.over(LogStreamCommand::End(code))
    }

    /// Ends the stream with this command.
    fn over(&mut self, last: LogStreamCommand) -> LogStreamCommand {
        self.is_over = true;
        self.close();
        last
    }

    /// Checks for silence.
    fn beat(&mut self, now: Duration) -> Option<LogStreamCommand> {
        let beats = self.beats.as_mut().filter(|beats| beats.deadline() <= now)?;
        match beats.check_silence(now, false) {
            Beat::Nothing => None,
            Beat::Ping => Some(LogStreamCommand::Ping),
            Beat::GiveUp => Some(self.over(LogStreamCommand::GiveUp)),
            Beat::Comment => {
                beats.written();
                self.head.wire_format.heartbeat().map(|comment| LogStreamCommand::Bytes(comment.into()))
            }
        }
    }
}
