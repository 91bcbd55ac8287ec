//! Runs single stages of a stream on events that are JavaScript objects.

pub mod guard;
pub mod intake;
mod output;

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::client::ToolCallFilter;
use ag_ui_native::bindings::compact::{Compacted, compact, plan};
use ag_ui_native::bindings::decoder::{EventReader, ReadEvent};
use ag_ui_native::bindings::expand::ChunkExpander;
use ag_ui_native::bindings::projection::event_of_strings;
use ag_ui_native::bindings::verify::{EntityKind, EventVerifier};
use ag_ui_native::types::Event;
use ag_ui_native::{Code, Error, Limits, Object, Profile, Value};

use crate::border::Ask;
use crate::engine::Engine;
use crate::engine::call::EngineCall;
use crate::engine::output::{Output, OutputBuffer, Repeat};
use crate::error;
use crate::events::read_lines;
use crate::options::ReaderOptions;
use intake::Intake;

/// One stage and its state.
#[derive(Debug)]
pub struct Stage {
    reader: EventReader,
    work: Work,
    output: Output,
}

/// The work of a stage.
#[derive(Debug)]
enum Work {
    /// Enforcement is done by reading.
    Enforce,
    Expand(Box<ChunkExpander>),
    Filter(Box<ToolCallFilter>),
    Verify(Box<EventVerifier>),
    Compact,
    /// Makes the plan of a compaction, which JavaScript applies.
    CompactionPlan,
}

/// The stage called `name`. `intake` is all stages after a client's middleware.
pub fn stage(name: &str, options: &ReaderOptions) -> Result<Box<dyn Engine>, Error> {
    Ok(match name {
        "intake" => Box::new(Intake::new(options)),
        name => Box::new(Stage::new(name, options)?),
    })
}

impl Stage {
    /// The stage called `name`.
    fn new(name: &str, options: &ReaderOptions) -> Result<Self, Error> {
        let work = match name {
            "enforce" => Work::Enforce,
            "expand" => Work::Expand(Box::new(ChunkExpander::new(options.limits))),
            "verify" => {
                let verifier = EventVerifier::new(options.limits).with_profile(options.profile);
                Work::Verify(Box::new(verifier))
            }
            "compact" => Work::Compact,
            "plan" => Work::CompactionPlan,
            _ => return Err(Error::new(Code::Internal, "expected the name of a stage that the addon knows")),
        };
        let reader = match work {
            Work::Enforce => EventReader::enforcing(options.rules, options.limits),
            _ => EventReader::new(options.rules, options.limits),
        };
        Ok(Self { reader, work, output: Output::default() })
    }

    /// Makes a filter of tool calls. It does not validate other members: the agent's own profile does.
    pub fn filter(filter: ToolCallFilter) -> Self {
        let reader = EventReader::new(Rules::of(Profile::Relay), Limits::default());
        Self { reader, work: Work::Filter(Box::new(filter)), output: Output::default() }
    }
}

impl Stage {
    /// Counts events that were not handed over, before the last one.
    fn skip(&mut self, events: usize) {
        let Output { error, warnings, .. } = &mut self.output;
        self.reader.skip(events);
        if let Some(index) = error.as_mut().and_then(|error| error.event_index.as_mut()) {
            *index += events;
        }
        for warning in warnings {
            warning.event_index += events;
        }
    }
}

impl Work {
    /// Takes the next event, for all stages but compaction. Returns the result that the same event gives next time.
    fn event(
        &mut self,
        read: ReadEvent,
        reader: &mut EventReader,
        buffer: &mut OutputBuffer,
        host: &EngineCall<'_, '_>,
    ) -> Result<Repeat, Error> {
        let ReadEvent { index, event, repaired, .. } = read;
        let mut repeat = Repeat::Unknown;
        match self {
            Self::Enforce => buffer.add_given(index, &event, repaired),
            Self::Expand(expander) => {
                let opened = expander.opened();
                let expansion = expander.expand(event)?;
                let has_opened = expander.opened() != opened;
                if !has_opened && (expansion.passed.is_none() || expansion.made.is_empty()) {
                    repeat = Repeat::Same;
                } else if has_opened && expansion.made.last().is_some_and(is_delta) {
                    repeat = if expander.has_renewed(&expansion.made) { Repeat::Next } else { Repeat::Last };
                }
                expansion.made.iter().for_each(|event| buffer.add_made(event));
                if let Some(event) = expansion.passed {
                    buffer.add_given(index, &event, repaired);
                }
            }
            Self::Filter(filter) => {
                let expansion = filter.filter(event)?;
                expansion.made.iter().for_each(|event| buffer.add_made(event));
                if let Some(event) = expansion.passed {
                    buffer.add_given(index, &event, repaired);
                }
            }
            Self::Verify(verifier) => {
                // The flag tells if the stream continues after a refused event.
                if host.flag() { verifier.admit(&event) } else { verifier.check(&event) }?;
                for issue in verifier.take_warnings() {
                    reader.warn(index, issue);
                }
                if EventVerifier::ignores(&event) {
                    repeat = Repeat::Same;
                }
                buffer.add_given(index, &event, repaired);
            }
            Self::Compact | Self::CompactionPlan => {}
        }
        Ok(if repaired { Repeat::Unknown } else { repeat })
    }
}

/// True if the event only adds to a stream.
fn is_delta(event: &Event) -> bool {
    matches!(event, Event::TextMessageContent(_) | Event::ToolCallArgs(_) | Event::ReasoningMessageContent(_))
}

/// Compacts the events that were read, even if reading failed.
fn compact_all(reader: &mut EventReader, text: &[u8], buffer: &mut OutputBuffer) -> Result<(), Error> {
    let mut origins = Vec::new();
    let mut typed = Vec::new();
    let result = read_lines(reader, text, |read, _| {
        origins.push((read.index, read.repaired));
        typed.push(read.event);
        Ok(())
    });
    let compaction = compact(&typed);
    for event in compaction.events {
        match event {
            Compacted::Kept(place) => buffer.add_given(origins[place].0, &typed[place], origins[place].1),
            Compacted::Made(event) => buffer.add_made(&event),
        }
    }
    for warning in compaction.warnings {
        reader.warn(origins[warning.event_index].0, warning.issue);
    }
    result
}

/// Plans the compaction of the events that were read; each line is a row of the plan.
fn write_plan(reader: &mut EventReader, text: &[u8], buffer: &mut OutputBuffer) -> Result<(), Error> {
    let mut events = Vec::new();
    read_lines(reader, text, |read, _| {
        events.push(read.event);
        Ok(())
    })?;
    plan(&events).write(&mut buffer.marks);
    Ok(())
}

/// Adds messages of snapshots that were held back. After the end of their run they have no effect.
fn add_messages(verifier: &mut EventVerifier, snapshot: &str) -> Result<(), Error> {
    let read = EventReader::new(Rules::of(Profile::Relay), Limits::default()).read(snapshot)?;
    match read {
        Some(ReadEvent { event, .. }) if verifier.is_running() => verifier.admit(&event),
        _ => Ok(()),
    }
}

impl Engine for Stage {
    fn read(&mut self, text: &[u8], host: &mut EngineCall<'_, '_>) -> Result<(), Error> {
        let Self { reader, work, output: Output { buffer, warnings, repeat, .. } } = self;
        buffer.clear();
        *repeat = Repeat::Unknown;
        let result = match work {
            Work::Compact => compact_all(reader, text, buffer),
            Work::CompactionPlan => write_plan(reader, text, buffer),
            work => read_lines(reader, text, |read, reader| {
                *repeat = work.event(read, reader, buffer, host)?;
                Ok(())
            }),
        };
        warnings.extend(reader.take_warnings());
        buffer.finish();
        result
    }

    fn read_strings(
        &mut self,
        place: usize,
        strings: &[&str],
        host: &mut EngineCall<'_, '_>,
    ) -> Option<Result<(), Error>> {
        let Self { reader, work, output: Output { buffer, warnings, repeat, .. } } = self;
        if matches!(work, Work::Compact | Work::CompactionPlan) {
            return None;
        }
        buffer.clear();
        let read = reader.read_strings(place, strings)?;
        let index = read.index;
        let result = work.event(read, reader, buffer, host).map_err(|error| error.of_event(index));
        *repeat = *result.as_ref().unwrap_or(&Repeat::Unknown);
        warnings.extend(reader.take_warnings());
        buffer.finish();
        Some(result.map(|_| ()))
    }

    fn step(&mut self, place: usize, strings: &[&str], tag: Option<&str>) -> Option<Result<bool, Error>> {
        let Work::Verify(verifier) = &mut self.work else { return None };
        let event = event_of_strings(place, strings, tag)?;
        let index = self.reader.count();
        self.reader.skip(1);
        let result = verifier.admit(&event).map_err(|error| error.of_event(index));
        Some(result.map(|()| EventVerifier::ignores(&event)))
    }

    fn close(&mut self, _: &mut EngineCall<'_, '_>) -> Result<(), Error> {
        let Self { reader, work, output: Output { buffer, warnings, repeat, .. } } = self;
        buffer.clear();
        *repeat = Repeat::Unknown;
        let Work::Verify(verifier) = work else { return Ok(()) };
        verifier.finish()?;
        if let Some(issue) = verifier.end_warning() {
            reader.warn(reader.count(), issue);
        }
        warnings.extend(reader.take_warnings());
        buffer.finish();
        Ok(())
    }

    fn output(&mut self) -> &mut Output {
        &mut self.output
    }

    /// Returns the status of a verifier: the active run and the open entities.
    fn ask(&mut self, ask: Ask, about: &str) -> Result<String, Error> {
        if ask == Ask::Skipped {
            self.skip(about.parse().unwrap_or_default());
            return Ok(String::new());
        }
        let Work::Verify(verifier) = &mut self.work else { return Ok(String::new()) };
        if ask == Ask::MessageOwners {
            return add_messages(verifier, about).map(|()| String::new());
        }
        let open = |kind: &EntityKind| {
            let kind = *kind;
            verifier.open(kind).into_iter().map(move |open| {
                let mut object = Object::from_iter([("kind", kind.as_str()), ("id", open.id)]);
                if let Some(owner) = open.subagent_run_id {
                    object.insert("subagentRunId", owner);
                }
                object
            })
        };
        let mut status = Object::default();
        status.insert("isRunning", verifier.is_running());
        status.insert("open", EntityKind::ALL.iter().flat_map(open).collect::<Vec<_>>());
        Ok(error::text(&Value::from(status)))
    }
}
