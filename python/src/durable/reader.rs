//! Reads the frames of a log, as the bytes of a response.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ag_ui_native::bindings::durable as core;
use ag_ui_native::bindings::durable::{
    Cursor, Frame, LogResponse, Operation, PrefixHead, ReaderCommand, Ticket as CoreTicket, encode_frames,
    encode_prefix,
};
use ag_ui_native::bindings::server::{Beat, Heartbeat, WireFormat, messages};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use super::handles::{Hint, LogKey, Reply};
use super::notice::{Notice, notice};
use super::occupancy::Place;
use super::options::LogOptions;
use super::refusal::LogRefusal;
use super::{Command, Ticket, moment, reply_of, seconds, send};
use crate::error::raised;
use crate::turns::Turns;

/// The bytes of prefixes that a server keeps.
const PREFIX_BYTES: usize = 64 << 20;

/// The prefixes of logs that clients joined last.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct PrefixCache(Arc<Mutex<core::PrefixCache>>);

#[pymethods]
impl PrefixCache {
    #[new]
    fn new() -> Self {
        Self(Arc::new(Mutex::new(core::PrefixCache::new(PREFIX_BYTES))))
    }
}

/// Reads one log for a client, to the end of its run.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct Reader {
    key: core::LogKey,
    thread_id: String,
    run_id: String,
    address: String,
    wire_format: WireFormat,
    /// True if each event is a message of a WebSocket.
    is_messages: bool,
    heartbeat: Option<Duration>,
    cache: Arc<Mutex<core::PrefixCache>>,
    machine: Turns<Machine>,
}

#[derive(Debug)]
struct Machine {
    core: core::Reader,
    heartbeat: Option<Heartbeat>,
    is_opened: bool,
    /// The time at which the connection ends.
    ends_at: Duration,
    is_over: bool,
}

#[pymethods]
impl Reader {
    /// Reads behind a cursor; without one it joins. Raises AGUIValidationError for a wrong cursor.
    #[new]
    #[pyo3(signature = (
        key: "LogKey", ids: "tuple[str, str]", after: "str | None", options: "LogOptions", cache: "PrefixCache",
        place: "Place", binary: "bool", address: "str", heartbeat: "float", now: "float", messages: "bool" = false,
        joins: "bool" = true
    ))]
    #[allow(clippy::too_many_arguments)] // They are those of a response.
    fn new(
        py: Python<'_>,
        key: &LogKey,
        ids: (String, String),
        after: Option<&str>,
        options: &LogOptions,
        cache: &PrefixCache,
        place: &Place,
        binary: bool,
        address: String,
        heartbeat: f64,
        now: f64,
        messages: bool,
        joins: bool,
    ) -> PyResult<Self> {
        let after = after.map(str::parse).transpose().map_err(|error| raised(py, &error, None))?;
        let (key, cache, now) = (key.0.clone(), Arc::clone(&cache.0), moment(now));
        let core = match after {
            Some(after) => core::Reader::new(key.clone(), Some(after), options.0.reader()),
            None => core::Reader::join(key.clone(), locked(&cache).get(&key), options.0.reader()),
        };
        let place = place.take();
        let subject = place.as_ref().map(|place| core::LogSubject::run(place.scope(), &ids.0, &ids.1));
        let core = core.with_place(place).about(subject, joins);
        let wire_format = if binary { WireFormat::Binary } else { WireFormat::Text };
        let beats = Heartbeat::of_comments(wire_format, moment(heartbeat), now);
        let heartbeat = beats.map(|_| moment(heartbeat));
        let ends_at = now.saturating_add(options.0.max_connection);
        let machine = Machine { core, heartbeat: beats, is_opened: false, ends_at, is_over: false };
        let (thread_id, run_id) = ids;
        let (is_messages, machine) = (messages, Turns::new(machine));
        Ok(Self { key, thread_id, run_id, address, wire_format, is_messages, heartbeat, cache, machine })
    }

    /// The next command: `send`; `opened` with the headers of the response, or `refused` with the refusal, or with None if nothing is
    /// behind the cursor; then `bytes`, or `messages` for a WebSocket, and, at last, `end`.
    #[pyo3(signature = (now: "float") -> "tuple[str, Any, Any] | None")]
    fn poll<'py>(&self, py: Python<'py>, now: f64) -> PyResult<Option<Command<'py>>> {
        let Some(step) = self.machine.with(py, |machine| Ok(self.step(machine, moment(now))))? else {
            return Ok(None);
        };
        Ok(Some(match step {
            Step::Send(ticket, operation) => send(py, ticket, operation)?,
            Step::Opened(headers) => ("opened", Some(headers.into_pyobject(py)?), None),
            Step::Messages(frames) => ("messages", Some(self.messages(py, &frames)?), None),
            Step::Bytes(bytes) => ("bytes", Some(PyBytes::new(py, &bytes).into_any()), None),
            Step::Refused(None) => ("refused", None, None),
            Step::Refused(Some(refusal)) => {
                ("refused", Some(Bound::new(py, LogRefusal(refusal))?.into_any()), None)
            }
            Step::End => ("end", None, None),
        }))
    }

    /// Takes the reply to an operation; None stands for none.
    #[pyo3(signature = (now: "float", ticket: "Ticket", reply: "Reply | None") -> "None")]
    fn reply(
        &self,
        py: Python<'_>,
        now: f64,
        ticket: &Ticket,
        reply: Option<PyRef<'_, Reply>>,
    ) -> PyResult<()> {
        let reply = reply_of(reply);
        self.machine.with(py, |machine| {
            machine.core.reply(moment(now), ticket.0, reply);
            Ok(())
        })
    }

    /// The next notice for the application. Asked behind each command.
    #[pyo3(signature = () -> "tuple[str, dict[str, Any]] | None")]
    fn notice<'py>(&self, py: Python<'py>) -> PyResult<Option<Notice<'py>>> {
        let taken = self.machine.with(py, |machine| Ok(machine.core.take_notice()))?;
        taken.map(|taken| notice(py, &taken)).transpose()
    }

    /// The reader counts no longer. Called when no more commands are carried out.
    #[pyo3(signature = () -> "None")]
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.machine.with(py, |machine| {
            machine.core.close();
            Ok(())
        })
    }

    /// The process shuts down: the reader ends soon.
    #[pyo3(signature = (now: "float") -> "None")]
    fn drain(&self, py: Python<'_>, now: f64) -> PyResult<()> {
        self.machine.with(py, |machine| {
            machine.core.drain(moment(now));
            Ok(())
        })
    }

    /// Takes a hint of the log.
    #[pyo3(signature = (hint: "Hint") -> "None")]
    fn hint(&self, py: Python<'_>, hint: &Hint) -> PyResult<()> {
        self.machine.with(py, |machine| {
            machine.core.hint(hint.0);
            Ok(())
        })
    }

    /// The time of the next call of `poll`; None at the end.
    #[pyo3(signature = () -> "float | None")]
    fn deadline(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        self.machine.with(py, |machine| Ok(seconds(machine.deadline())))
    }
}

/// A command, without Python objects.
enum Step {
    Send(CoreTicket, Operation),
    Opened(Vec<(&'static str, String)>),
    Messages(Vec<Frame>),
    Bytes(Vec<u8>),
    Refused(Option<core::LogRefusal>),
    End,
}

impl Reader {
    fn step(&self, machine: &mut Machine, now: Duration) -> Option<Step> {
        if machine.is_over {
            return None;
        }
        if machine.ends_at <= now && machine.is_opened {
            machine.is_over = true;
            return Some(Step::End);
        }
        match machine.core.poll(now) {
            Some(command) => Some(self.carried_out(machine, command)),
            None => machine.comment(now, self.wire_format),
        }
    }

    fn carried_out(&self, machine: &mut Machine, command: ReaderCommand) -> Step {
        let bytes = match command {
            ReaderCommand::Send { ticket, operation } => return Step::Send(ticket, operation),
            ReaderCommand::Opened { after, prefix } => {
                machine.is_opened = true;
                return Step::Opened(self.headers(after, prefix));
            }
            ReaderCommand::End(end) => {
                machine.is_over = true;
                return if machine.is_opened {
                    Step::End
                } else {
                    Step::Refused(core::LogRefusal::of_reader(end))
                };
            }
            ReaderCommand::Frames { frames, .. } if self.is_messages => return Step::Messages(frames),
            ReaderCommand::Frames { after, frames } => encode_frames(self.wire_format, after, &frames),
            ReaderCommand::Prefix(prefix) => {
                let bytes = encode_prefix(self.wire_format, &prefix);
                locked(&self.cache).put(self.key.clone(), *prefix);
                bytes
            }
        };
        if let Some(beats) = &mut machine.heartbeat {
            beats.written();
        }
        if let Ok(bytes) = bytes {
            Step::Bytes(bytes)
        } else {
            // The log has a frame that is no event: the client reads that the response has no end.
            machine.is_over = true;
            Step::End
        }
    }

    fn messages<'py>(&self, py: Python<'py>, frames: &[Frame]) -> PyResult<Bound<'py, PyAny>> {
        if self.wire_format == WireFormat::Text {
            return Ok(PyList::new(py, frames.iter().map(Frame::as_str))?.into_any());
        }
        let start = Cursor { incarnation: core::Incarnation::from_bytes([0; 16]), number: 0 };
        let bytes =
            encode_frames(self.wire_format, start, frames).map_err(|error| raised(py, &error, None))?;
        let messages =
            messages(self.wire_format, &bytes).into_iter().map(|range| PyBytes::new(py, &bytes[range]));
        Ok(PyList::new(py, messages)?.into_any())
    }

    fn headers(&self, after: Cursor, prefix: Option<PrefixHead>) -> Vec<(&'static str, String)> {
        let response = LogResponse {
            wire_format: self.wire_format,
            thread_id: &self.thread_id,
            run_id: &self.run_id,
            after,
            prefix,
            heartbeat: self.heartbeat,
            path: &self.address,
        };
        let format = self.wire_format.headers().into_iter().map(|(name, value)| (name, value.to_owned()));
        format.chain(response.headers()).collect()
    }
}

impl Machine {
    /// The comment that fills silence, if it is due.
    fn comment(&mut self, now: Duration, wire_format: WireFormat) -> Option<Step> {
        let beats = self.heartbeat.as_mut().filter(|beats| self.is_opened && beats.deadline() <= now)?;
        let is_due = beats.check_silence(now, false) == Beat::Comment;
        let comment = wire_format.heartbeat().filter(|_| is_due)?;
        beats.written();
        Some(Step::Bytes(comment.into()))
    }

    fn deadline(&self) -> Option<Duration> {
        if self.is_over {
            return None;
        }
        let reads = self.core.deadline()?;
        if !self.is_opened {
            return Some(reads);
        }
        let beats = self.heartbeat.map_or(Duration::MAX, |beats| beats.deadline());
        Some(reads.min(beats).min(self.ends_at))
    }
}

fn locked(cache: &Mutex<core::PrefixCache>) -> MutexGuard<'_, core::PrefixCache> {
    cache.lock().unwrap_or_else(PoisonError::into_inner)
}
