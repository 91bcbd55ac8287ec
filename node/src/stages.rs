//! The stages of a stream one by one, on events that JavaScript has as objects.

use ag_ui_native::host::compact::{Compacted, compact};
use ag_ui_native::host::decoder::{EventReader, ReadEvent};
use ag_ui_native::host::expand::ChunkExpander;
use ag_ui_native::host::schema::FieldType;
use ag_ui_native::host::verify::{EntityKind, EventVerifier};
use ag_ui_native::types::Event;
use ag_ui_native::{Code, Error, Object, Value};

use crate::border::{Ask, MADE};
use crate::engine::Engine;
use crate::error;
use crate::events::read_lines;
use crate::host::Host;
use crate::options::Options;
use crate::tape::{Output, Tape, to_u32};

/// One stage, and where it stands.
#[derive(Debug)]
pub struct Stage {
    reader: EventReader,
    work: Work,
    output: Output,
}

/// What a stage does.
#[derive(Debug)]
enum Work {
    /// Reading alone enforces.
    Enforce,
    Expand(Box<ChunkExpander>),
    Verify(Box<EventVerifier>),
    Compact,
}

impl Stage {
    /// The stage called `name`.
    pub fn new(name: &str, options: &Options) -> Result<Self, Error> {
        let work = match name {
            "enforce" => Work::Enforce,
            "expand" => Work::Expand(Box::new(ChunkExpander::new(options.limits))),
            "verify" => Work::Verify(Box::new(EventVerifier::new(options.limits))),
            "compact" => Work::Compact,
            _ => return Err(Error::new(Code::Internal, "no such stage")),
        };
        let reader = match work {
            Work::Enforce => EventReader::enforcing(options.rules, options.limits),
            _ => EventReader::new(options.rules, options.limits),
        };
        Ok(Self { reader, work, output: Output::default() })
    }
}

impl Work {
    /// Takes the next event, for all but compaction.
    fn event(&mut self, read: ReadEvent, tape: &mut Tape, host: &Host<'_, '_>) -> Result<(), Error> {
        let ReadEvent { index, event, repaired, .. } = read;
        match self {
            Self::Enforce => tape.passed(index, &event, repaired),
            Self::Expand(expander) => {
                let expansion = expander.expand(event)?;
                expansion.made.iter().for_each(|event| tape.made(event));
                if let Some(event) = expansion.passed {
                    tape.passed(index, &event, repaired);
                }
            }
            Self::Verify(verifier) => {
                // JavaScript says whether the stream goes on after an event that is refused.
                if host.flag() { verifier.admit(&event) } else { verifier.check(&event) }?;
                tape.passed(index, &event, repaired);
            }
            Self::Compact => {}
        }
        Ok(())
    }
}

/// Compacts what was read, even if reading failed.
fn compact_all(reader: &mut EventReader, text: &[u8], tape: &mut Tape) -> Result<(), Error> {
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
            Compacted::Kept(place) => tape.passed(origins[place].0, &typed[place], origins[place].1),
            Compacted::Made(event) => tape.made(&event),
        }
    }
    for warning in compaction.warnings {
        reader.warn(origins[warning.event_index].0, warning.issue);
    }
    result
}

/// An event in marks: the index of the caller's object + 1 and the end of an empty piece, or `MADE` and the end of a piece of JSON
/// text. `lib/stages.cts` reads it.
impl Tape {
    /// An event that is the caller's object at `index`, unless that was repaired.
    fn passed(&mut self, index: usize, event: &Event, repaired: bool) {
        if repaired {
            return self.made(event);
        }
        self.marks.push(to_u32(index + 1));
        self.end_piece();
    }

    fn made(&mut self, event: &Event) {
        event.write(&mut self.text);
        self.marks.push(MADE);
        self.end_piece();
    }
}

impl Engine for Stage {
    fn read(&mut self, text: &[u8], host: &mut Host<'_, '_>) -> Result<(), Error> {
        let Self { reader, work, output: Output { tape, warnings, .. } } = self;
        tape.clear();
        let result = match work {
            Work::Compact => compact_all(reader, text, tape),
            work => read_lines(reader, text, |read, _| work.event(read, tape, host)),
        };
        warnings.extend(reader.take_warnings());
        tape.finish();
        result
    }

    fn read_strings(
        &mut self,
        place: usize,
        strings: &[&str],
        host: &mut Host<'_, '_>,
    ) -> Option<Result<(), Error>> {
        let Self { reader, work, output: Output { tape, .. } } = self;
        if matches!(work, Work::Compact) {
            return None;
        }
        tape.clear();
        let read = reader.read_strings(place, strings)?;
        let index = read.index;
        let result = work.event(read, tape, host).map_err(|error| error.of_event(index));
        tape.finish();
        Some(result)
    }

    fn close(&mut self, _: &mut Host<'_, '_>) -> Result<(), Error> {
        self.output.tape.clear();
        if let Work::Verify(verifier) = &self.work { verifier.finish() } else { Ok(()) }
    }

    fn output(&mut self) -> &mut Output {
        &mut self.output
    }

    /// What a verifier knows: whether a run is active, and what is open.
    fn ask(&mut self, _: Ask, _: &str) -> Result<String, Error> {
        let Work::Verify(verifier) = &self.work else { return Ok(String::new()) };
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
