//! The guard for events of foreign code: objects, or encoded ones.

use ag_ui_native::bindings::decoder::{EventReader, ReadEvent};
use ag_ui_native::bindings::server::{Ending, FrameGuard, Guard, GuardMode, WireFormat};
use ag_ui_native::types::Event;
use ag_ui_native::{Code, Error, Profile, read_run_input};

use crate::engine::Engine;
use crate::engine::call::EngineCall;
use crate::engine::output::{Output, OutputBuffer};
use crate::events::read_lines;
use crate::options::ReaderOptions;

/// The guard of a stream. Text is events, bytes are a piece of encoded ones; each is answered in its own form.
#[derive(Debug)]
pub struct GuardStage {
    guard: FrameGuard,
    reader: EventReader,
    /// The events are encoded, and so are the last ones.
    is_encoded: bool,
    output: Output,
}

impl GuardStage {
    /// A guard for the stream of an agent; `input` is the run's input as JSON text, if it is known.
    pub fn new(mode: &str, input: &str, options: &ReaderOptions) -> Result<Self, Error> {
        let expected = || Error::at(Code::InvalidValue, "/mode".into(), "expected fix, report, error or off");
        let mut guard = Guard::new(GuardMode::parse(mode).ok_or_else(expected)?, options.limits);
        if !input.is_empty() {
            let (input, _) = read_run_input(input, Profile::Tolerant, options.limits)?;
            guard = guard.for_input(&input);
        }
        let guard = FrameGuard::new(guard, options.content_type.as_deref())?;
        let reader = EventReader::new(options.rules, options.limits);
        Ok(Self { guard, reader, is_encoded: false, output: Output::default() })
    }

    /// Completes the output of a call that has this result.
    fn complete(&mut self, result: Result<(), Error>) -> Result<(), Error> {
        let Output { buffer, warnings, .. } = &mut self.output;
        if self.is_encoded {
            warnings.extend(self.guard.take_warnings());
        }
        warnings.extend(self.reader.take_warnings());
        buffer.finish();
        result
    }

    /// Lets the guard write frames.
    fn frames(
        &mut self,
        work: impl FnOnce(&mut FrameGuard, &mut dyn FnMut(&[u8])) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Self { guard, output: Output { buffer, .. }, .. } = self;
        let is_text = guard.wire_format() == WireFormat::Text;
        work(guard, &mut |frame| add_frame(buffer, frame, is_text))
    }
}

/// Guards one event, and writes those to send.
fn guard_event(
    guard: &mut Guard,
    read: ReadEvent,
    reader: &mut EventReader,
    buffer: &mut OutputBuffer,
) -> Result<(), Error> {
    let ReadEvent { index, event, repaired, .. } = read;
    let guarded = guard.push(event).map_err(|error| error.of_event(index))?;
    guarded.made.iter().for_each(|event| buffer.add_made(event));
    if let Some(event) = guarded.passed {
        buffer.add_given(index, &event, repaired);
    }
    if let Some(issue) = guarded.issue {
        reader.warn(index, issue);
    }
    Ok(())
}

/// Adds a frame: its text, or a character for each of its bytes.
fn add_frame(buffer: &mut OutputBuffer, frame: &[u8], is_text: bool) {
    match std::str::from_utf8(frame) {
        Ok(text) if is_text => buffer.text.out.push_str(text),
        _ => buffer.text.out.extend(frame.iter().map(|&byte| char::from(byte))),
    }
    buffer.end_piece();
}

impl Engine for GuardStage {
    fn read(&mut self, text: &[u8], _: &mut EngineCall<'_, '_>) -> Result<(), Error> {
        let Self { guard, reader, output: Output { buffer, .. }, .. } = self;
        buffer.clear();
        let result =
            read_lines(reader, text, |read, reader| guard_event(guard.guard(), read, reader, buffer));
        self.complete(result)
    }

    fn read_in_place(&mut self, chunk: &[u8]) -> Option<Result<(), Error>> {
        self.is_encoded = true;
        self.output.buffer.clear();
        let result = self.frames(|guard, take| guard.feed(chunk, take));
        Some(self.complete(result))
    }

    fn read_strings(
        &mut self,
        place: usize,
        strings: &[&str],
        _: &mut EngineCall<'_, '_>,
    ) -> Option<Result<(), Error>> {
        let Self { guard, reader, output: Output { buffer, .. }, .. } = self;
        buffer.clear();
        let read = reader.read_strings(place, strings)?;
        let result = guard_event(guard.guard(), read, reader, buffer);
        Some(self.complete(result))
    }

    fn close(&mut self, _: &mut EngineCall<'_, '_>) -> Result<(), Error> {
        self.output.buffer.clear();
        let result = if self.is_encoded { self.frames(FrameGuard::finish) } else { self.close_events() };
        self.complete(result)
    }

    fn fail(&mut self, text: Option<&str>) -> Result<(), Error> {
        self.output.buffer.clear();
        let ending = Ending::agent_failed(text);
        let result = if self.is_encoded {
            self.frames(|guard, take| guard.end_run(&ending, take))
        } else {
            self.guard.guard().end_run(&ending).map(|events| self.add_made(&events))
        };
        self.complete(result)
    }

    fn output(&mut self) -> &mut Output {
        &mut self.output
    }
}

impl GuardStage {
    /// Ends a stream of events that are objects.
    fn close_events(&mut self) -> Result<(), Error> {
        let (events, issues) = self.guard.guard().conclude()?;
        self.add_made(&events);
        for issue in issues {
            self.reader.warn(self.reader.count(), issue);
        }
        Ok(())
    }

    fn add_made(&mut self, events: &[Event]) {
        for event in events {
            self.output.buffer.add_made(event);
        }
    }
}
