//! The writer of a run: the function that `RunFunction` in `lib/native/native.cts` describes.

use std::cell::RefCell;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::decoder::EventReader;
use ag_ui_native::bindings::server::{
    Beat as Due, Cause, Ending, Entity, Heartbeat, Note, RequestBody, RunWriter, StateDue, StateFlush,
    Unended, WireFormat,
};
use ag_ui_native::types::{Event, RunAgentInput, RunFinishedOutcome, TokenUsage};
use ag_ui_native::{Code, Error, Profile, Value, from_json};
use napi::bindgen_prelude::Unknown;
use napi::{Env, Result};

use super::deltas::write_each;
use super::request::refusal;
use crate::border::{AS_IT_IS, Beat, EndCause, IS_FORCED, RunCall, STATE_UNSENT, TELLS_UNSENT};
use crate::compat;
use crate::error;
use crate::node_api::{Handle, JsCall, function};
use crate::options::ReaderOptions;

/// A run, with its body and its buffers.
pub struct Writer {
    pub(super) run: RunWriter,
    reader: EventReader,
    body: RequestBody,
    input: Option<RunAgentInput>,
    /// The buffer for texts that cross.
    text: Vec<u8>,
    /// The buffer for chunks.
    chunk: Vec<u8>,
}

/// The answer of a call.
pub(super) enum CallResult {
    Number(usize),
    /// The count of waiting bytes, after the end of the run.
    Over(usize),
    Text(String),
    /// The text in the writer's `chunk`.
    Chunk,
}

/// The bytes of the buffer that are kept from one text to the next.
const KEPT_TEXT: usize = 16 * 1024;

/// Makes the function that writes a run. The function owns the writer.
pub fn run_function(env: Env, writer: Writer) -> Result<Unknown<'static>> {
    let call = JsCall::of(&env);
    call.returned(function(&call, c"run", RefCell::new(writer), run)?)
}

fn run<'c>(
    call: &mut JsCall<'c>,
    writer: &RefCell<Writer>,
    arguments: [Handle<'c>; 4],
) -> Option<Handle<'c>> {
    // No JavaScript runs during the borrow.
    let mut writer = writer.try_borrow_mut().ok()?;
    let answer = catch_unwind(AssertUnwindSafe(|| writer.answer(call, arguments)));
    match answer.unwrap_or_else(|_| Err(Error::new(Code::Internal, "panic"))) {
        Ok(CallResult::Number(number)) => Some(call.number(number)),
        Ok(CallResult::Over(waiting)) => Some(call.number_below_zero(waiting)),
        Ok(CallResult::Text(text)) => call.string(&text),
        Ok(CallResult::Chunk) => call.latin1(&writer.chunk),
        Err(error) => call.string(&error::describe(&error)),
    }
}

impl Writer {
    /// A writer for a run that has not begun.
    pub fn new(
        wire_format: &str,
        options: &str,
        state_flush: Option<&str>,
        show_errors: bool,
    ) -> std::result::Result<Self, Error> {
        let limits = ReaderOptions::parse(options)?.limits;
        let state_flush = state_flush.and_then(StateFlush::named).unwrap_or_default();
        let wire_format = if wire_format == "binary" { WireFormat::Binary } else { WireFormat::Text };
        Ok(Self {
            run: RunWriter::new(wire_format, limits)
                .with_state_flush(state_flush)
                .with_shown_errors(show_errors),
            reader: EventReader::new(Rules::of(Profile::Strict), limits),
            body: RequestBody::new(limits),
            input: None,
            text: Vec::new(),
            chunk: Vec::new(),
        })
    }

    fn answer(
        &mut self,
        call: &mut JsCall<'_>,
        [asked, about, text, lengths]: [Handle<'_>; 4],
    ) -> std::result::Result<CallResult, Error> {
        let asked = call.int(asked).and_then(|asked| RunCall::of(u32::try_from(asked).ok()?));
        let asked =
            asked.ok_or_else(|| Error::new(Code::Internal, "the addon knows no call of this number"))?;
        match asked {
            RunCall::Write => self.write(call, about, text, lengths)?,
            RunCall::Send => {
                let event = self.event(call, text)?;
                let tag = self.optional_text(call, about);
                self.run.send(event, tag.as_deref())?;
            }
            RunCall::Open => {
                let event = self.event(call, text)?;
                let tag = self.optional_text(call, about);
                return Ok(number(self.run.open(event, tag.as_deref())?));
            }
            RunCall::OpenReasoning => {
                let tag = self.optional_text(call, about);
                let id = read(call, text, &mut self.text)?;
                return Ok(number(self.run.open_reasoning(id, tag.as_deref())?));
            }
            RunCall::End => self.run.end(entity(call, about)?)?,
            RunCall::EndAs => {
                let ending = ending(self.event(call, text)?)?;
                self.run.end_as(entity(call, about)?, &ending)?;
            }
            RunCall::EndFailed => {
                let text = self.optional_text(call, text);
                self.run.end_by(entity(call, about)?, Cause::Raised(text))?;
            }
            RunCall::EndRun => {
                if !self.end_run(call, about, text)? {
                    return Ok(CallResult::Text("unsent".to_owned()));
                }
            }
            RunCall::Decide => return self.decide(call, about),
            RunCall::Conclude => return self.conclude(call, about, text),
            RunCall::AddUsage => {
                let entries = read(call, text, &mut self.text)?;
                let (entries, _) = from_json::<Vec<TokenUsage>>(entries, Profile::Strict)?;
                for entry in entries {
                    self.run.add_usage(entry);
                }
            }
            RunCall::Take => return Ok(CallResult::Number(self.take(call, about))),
            RunCall::Chunk => {
                if !call.is_undefined(text) {
                    self.write(call, about, text, lengths)?;
                }
                chunk(self.run.waiting(), &mut self.chunk);
                self.run.clear();
                return Ok(CallResult::Chunk);
            }
            RunCall::KeepAlive => {
                let pause = micros(call, about);
                let heartbeat = if call.is_true(text) {
                    Heartbeat::of_pings(pause, Duration::ZERO)
                } else {
                    Heartbeat::of_comments(self.run.wire_format(), pause, Duration::ZERO)
                };
                self.run.keep_alive(heartbeat);
            }
            RunCall::NextCheck => return Ok(self.next_check()),
            RunCall::CheckSilence => return Ok(self.check_silence(call, about, text)),
            RunCall::Heard => self.run.heard(),
            RunCall::Drop => self.run.drop_frames(),
            RunCall::CheckRoom => {
                let most = call.int(about).and_then(|most| usize::try_from(most).ok());
                // The answer tells if the run is over; JavaScript makes the error.
                let _ = self.run.check_room(most.unwrap_or(usize::MAX));
            }
            RunCall::Read => return Ok(CallResult::Text(self.read_input())),
            RunCall::Start => {
                let input = self.input.take().ok_or_else(|| {
                    Error::new(Code::Internal, "the run was started before its request was read")
                })?;
                self.run.start(&input, call.is_true(about))?;
            }
            RunCall::OneCall => self.run.as_one_call(call.is_true(about)),
            RunCall::State => {
                let event = self.event(call, text)?;
                self.run.send_before_call(&event)?;
            }
            RunCall::WantsState => {
                let wants_state = if call.is_true(about) {
                    self.run.wants_state_at_awaits()
                } else {
                    self.run.wants_state()
                };
                return Ok(CallResult::Number(usize::from(wants_state)));
            }
            RunCall::StateDue => return Ok(self.state_due(call, about)),
            RunCall::Activity => return self.show(call, about, text, lengths, false),
            RunCall::ActivityUpdate => return self.show(call, about, text, lengths, true),
            RunCall::Panic => panic!("asked for"),
            RunCall::Receive => return Ok(self.receive(call, about, text)),
            RunCall::TimedOut => return Ok(CallResult::Text(refusal(RequestBody::timed_out()))),
            RunCall::CloseCode => return Ok(CallResult::Number(self.run.websocket_close().code.into())),
        }
        let waiting = self.run.waiting().len();
        Ok(if self.run.has_ended() { CallResult::Over(waiting) } else { CallResult::Number(waiting) })
    }

    /// Ends the run with the outcome that its agent gives. The answer is `unsent` if the event needs a state that could not be sent.
    fn end_run(
        &mut self,
        call: &JsCall<'_>,
        about: Handle<'_>,
        text: Handle<'_>,
    ) -> std::result::Result<bool, Error> {
        let event = self.event(call, text)?;
        let flags = flags(call, about);
        let state = if flags & STATE_UNSENT == 0 { Ok(()) } else { Err("") };
        let ended = if flags & AS_IT_IS == 0 {
            self.run.end_behind(state, ending(event)?)
        } else {
            self.run.send_behind(state, event)
        };
        match ended {
            Err(Unended::Refused(error)) => Err(error),
            ended => Ok(ended.is_ok()),
        }
    }

    /// Records why the run will end. The answer is the time that the client has to read the end.
    fn decide(&mut self, call: &JsCall<'_>, about: Handle<'_>) -> std::result::Result<CallResult, Error> {
        let (cause, _) = end_cause(call, about)?;
        let cause = self.cause(call, cause, about)?;
        self.run.decide(cause);
        let grace = self.run.grace().map_or(0, |grace| grace.as_millis());
        Ok(CallResult::Number(usize::try_from(grace).unwrap_or(usize::MAX)))
    }

    /// Ends the run by the recorded cause. The answer is what the host reports.
    fn conclude(
        &mut self,
        call: &JsCall<'_>,
        about: Handle<'_>,
        text: Handle<'_>,
    ) -> std::result::Result<CallResult, Error> {
        let (cause, flags) = end_cause(call, about)?;
        let is_unsent = flags & STATE_UNSENT != 0;
        let state = if is_unsent { Err(self.optional_text(call, text).unwrap_or_default()) } else { Ok(()) };
        let read = if is_unsent && cause == EndCause::Returned {
            Ok(Cause::Returned(None))
        } else {
            self.cause(call, cause, text)
        };
        // An invalid result is a failure of the agent.
        let (cause, refused) = match read {
            Ok(cause) => (cause, None),
            Err(error) => (Cause::Raised(Some(error.to_string())), Some(error)),
        };
        let conclusion = self.run.conclude(cause, state);
        let forced = if conclusion.is_forced { IS_FORCED } else { 0 };
        let unsent = match (conclusion.note, refused) {
            (Some(Note::EndRefused(error) | Note::ValueLost(error)), _) | (_, Some(error)) => {
                return Ok(CallResult::Text(error::describe(&error)));
            }
            (Some(_), None) => TELLS_UNSENT,
            (None, None) => 0,
        };
        Ok(CallResult::Number((unsent | forced) as usize))
    }

    /// Reads the cause of the end. If a cause is recorded already, only the presence of a returned value counts.
    fn cause(
        &mut self,
        call: &JsCall<'_>,
        cause: EndCause,
        text: Handle<'_>,
    ) -> std::result::Result<Cause, Error> {
        Ok(match cause {
            EndCause::Returned if call.is_undefined(text) => Cause::Returned(None),
            EndCause::Returned if self.run.is_decided() => Cause::Returned(Some(Value::Null)),
            EndCause::Returned => match ending(self.event(call, text)?)? {
                Ending::Success(result) => Cause::Returned(result),
                _ => {
                    return Err(Error::new(
                        Code::Internal,
                        "the end of the run: expected that of a run that succeeded, got another one",
                    ));
                }
            },
            EndCause::Raised => Cause::Raised(self.optional_text(call, text)),
            EndCause::CalledOff => Cause::CalledOff,
            EndCause::TimedOut => Cause::TimedOut,
            EndCause::Stopped => Cause::Stopped,
        })
    }

    /// Decides if a state with this number of values is compared; or records that it is being compared.
    fn state_due(&mut self, call: &JsCall<'_>, about: Handle<'_>) -> CallResult {
        let Some(values) = call.int(about) else {
            self.run.state_compared();
            return CallResult::Number(0);
        };
        match self.run.state_due(usize::try_from(values).unwrap_or_default()) {
            StateDue::Always => CallResult::Number(2),
            StateDue::Now => CallResult::Number(1),
            StateDue::Later(None) => CallResult::Number(0),
            StateDue::Later(Some(warning)) => CallResult::Text(error::describe(&warning)),
        }
    }

    /// Returns the time of the next check for silence.
    fn next_check(&self) -> CallResult {
        let next = self.run.next_check().map_or(0, |next| next.as_micros());
        CallResult::Number(usize::try_from(next).unwrap_or(usize::MAX))
    }

    /// Checks for silence. Returns the action.
    fn check_silence(&mut self, call: &JsCall<'_>, now: Handle<'_>, is_behind: Handle<'_>) -> CallResult {
        CallResult::Number(beat_code(self.run.check_silence(micros(call, now), call.is_true(is_behind))))
    }

    /// Writes a delta, or several in a row.
    fn write(
        &mut self,
        call: &mut JsCall<'_>,
        about: Handle<'_>,
        text: Handle<'_>,
        lengths: Handle<'_>,
    ) -> std::result::Result<(), Error> {
        let Self { run, text: room, .. } = self;
        let text = read(call, text, room)?;
        let entity = entity(call, about)?;
        let several = if call.is_undefined(lengths) {
            None
        } else {
            call.with_words(lengths, |lengths| write_each(run, entity, text, lengths))
        };
        several.unwrap_or_else(|| run.write(entity, text))?;
        self.trim();
        Ok(())
    }

    /// Reads an event from JSON text.
    pub(super) fn event(&mut self, call: &JsCall<'_>, text: Handle<'_>) -> std::result::Result<Event, Error> {
        let Self { reader, text: room, .. } = self;
        let read = reader.read(read(call, text, room)?);
        self.trim();
        // The index of an event among those that crossed has no meaning for the application.
        let read = read.map_err(|error| Error { event_index: None, ..error })?;
        read.map(|read| read.event).ok_or_else(|| Error::new(Code::Internal, "left out"))
    }

    pub(super) fn optional_text(&mut self, call: &JsCall<'_>, text: Handle<'_>) -> Option<String> {
        call.text(text, &mut self.text)
    }

    /// Moves the waiting frames into `bytes`, if they fit.
    fn take(&mut self, call: &mut JsCall<'_>, bytes: Handle<'_>) -> usize {
        let waiting = self.run.waiting();
        let length = waiting.len();
        let filled = call.fill_bytes(bytes, |bytes| {
            bytes.get_mut(..length).map(|bytes| bytes.copy_from_slice(waiting)).is_some()
        });
        if filled == Some(true) {
            self.run.clear();
        }
        length
    }

    /// Receives a piece of the body, or the whole body as one message; or refuses it.
    fn receive(&mut self, call: &mut JsCall<'_>, piece: Handle<'_>, is_binary: Handle<'_>) -> CallResult {
        let is_message = !call.is_undefined(is_binary);
        let is_binary = call.is_true(is_binary);
        let body = &mut self.body;
        let receive = |piece: &[u8]| {
            if is_message { body.receive_message(piece, is_binary) } else { body.receive(piece) }
        };
        match call.with_bytes(piece, receive) {
            Some(Ok(())) => CallResult::Number(self.body.length()),
            Some(Err(refused)) => CallResult::Text(refusal(refused)),
            None => CallResult::Text(refusal(Error::new(Code::Internal, "no bytes"))),
        }
    }

    /// Reads the input from the body. Returns it with the warnings, or the refusal.
    fn read_input(&mut self) -> String {
        match self.body.read() {
            Ok((input, warnings)) => {
                let answer = compat::input_and_warnings(&input, warnings);
                self.input = Some(input);
                answer
            }
            Err(refused) => refusal(refused),
        }
    }

    /// Frees the memory of a long text.
    fn trim(&mut self) {
        if self.text.len() > KEPT_TEXT {
            self.text.truncate(KEPT_TEXT);
            self.text.shrink_to_fit();
        }
    }
}

fn flags(call: &JsCall<'_>, about: Handle<'_>) -> u32 {
    call.int(about).and_then(|about| u32::try_from(about).ok()).unwrap_or_default()
}

/// Reads a cause and its flags.
fn end_cause(call: &JsCall<'_>, about: Handle<'_>) -> std::result::Result<(EndCause, u32), Error> {
    let about = flags(call, about);
    let cause = EndCause::of(about & !STATE_UNSENT);
    Ok((
        cause.ok_or_else(|| {
            Error::new(Code::Internal, "the end of the run: expected a cause that the addon knows")
        })?,
        about,
    ))
}

/// Returns the number of an action against silence.
fn beat_code(due: Due) -> usize {
    let beat = match due {
        Due::Nothing => Beat::Nothing,
        Due::Comment => Beat::Comment,
        Due::Ping => Beat::Ping,
        Due::GiveUp => Beat::GiveUp,
    };
    beat.code() as usize
}

/// Reads a time in whole microseconds; 0 for another value.
fn micros(call: &JsCall<'_>, time: Handle<'_>) -> Duration {
    Duration::from_micros(call.int(time).and_then(|time| u64::try_from(time).ok()).unwrap_or_default())
}

/// Writes bytes as a chunk of HTTP/1.1.
fn chunk(bytes: &[u8], chunk: &mut Vec<u8>) {
    chunk.clear();
    chunk.shrink_to(KEPT_TEXT);
    let _ = write!(chunk, "{:x}\r\n", bytes.len());
    chunk.extend_from_slice(bytes);
    chunk.extend_from_slice(b"\r\n");
}

/// The text of a string.
fn read<'r>(
    call: &JsCall<'_>,
    text: Handle<'_>,
    room: &'r mut Vec<u8>,
) -> std::result::Result<&'r str, Error> {
    let length = call.text_into(text, room, 0).ok_or_else(|| Error::new(Code::Internal, "no text"))?;
    // JavaScript only passes well-formed strings.
    std::str::from_utf8(&room[..length]).map_err(|_| Error::new(Code::InvalidUtf8, ""))
}

fn entity(call: &JsCall<'_>, number: Handle<'_>) -> std::result::Result<Entity, Error> {
    let number = call.int(number).and_then(|number| Entity::from_number(u64::try_from(number).ok()?));
    number.ok_or_else(|| {
        Error::new(Code::Internal, "expected the number of an entity, as `open` has returned it")
    })
}

fn number(entity: Entity) -> CallResult {
    CallResult::Number(usize::try_from(entity.number()).unwrap_or(usize::MAX))
}

/// Returns the ending that an event describes. Its ids are ignored: core has those of the run.
fn ending(event: Event) -> std::result::Result<Ending, Error> {
    match event {
        Event::RunFinished(event) => Ok(match event.outcome {
            Some(RunFinishedOutcome::Interrupt(outcome)) => Ending::Interrupt(outcome.interrupts),
            Some(RunFinishedOutcome::Cancelled(_)) => Ending::Cancelled,
            _ => Ending::Success(event.result),
        }),
        Event::RunError(event) => Ok(Ending::Error { message: event.message, code: event.code }),
        _ => Err(Error::new(
            Code::Internal,
            "the end of the run: expected RUN_FINISHED or RUN_ERROR, got another event",
        )),
    }
}
