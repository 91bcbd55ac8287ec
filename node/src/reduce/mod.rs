//! `Reducer`: turns events into changes of a conversation.

pub mod change;
pub mod conversation;
pub mod start;

use ag_ui_native::bindings::decoder::{EventReader, ReadEvent};
use ag_ui_native::bindings::reduce::Reducer as CoreReducer;
use ag_ui_native::{Error, Profile};

use crate::border::Ask;
use crate::engine::Engine;
use crate::engine::call::EngineCall;
use crate::engine::output::Output;
use crate::events::read_lines;
use crate::options::ReaderOptions;
use crate::reduce::conversation::{Mirror, added, call_of, later_runs, message_of, replaced};
use crate::reduce::start::Start;

/// The reducer, with its output.
#[derive(Debug)]
pub struct Reducer {
    reader: EventReader,
    core: CoreReducer,
    mirror: Mirror,
    start: String,
    /// The last event may have changed messages.
    touched: bool,
}

impl Reducer {
    /// A reducer for a conversation that begins with `start`.
    pub fn new(options: &ReaderOptions, start: Start) -> Self {
        let core =
            CoreReducer::new(&start.messages).with_limits(options.limits).with_profile(options.profile);
        Self {
            reader: EventReader::new(options.rules, options.limits),
            core,
            mirror: Mirror::new(options),
            start: start.json,
            touched: false,
        }
    }
}

impl Engine for Reducer {
    fn read(&mut self, text: &[u8], host: &mut EngineCall<'_, '_>) -> Result<(), Error> {
        let Self { reader, core, mirror, touched, .. } = self;
        mirror.output.buffer.clear();
        let result =
            read_lines(reader, text, |read, reader| reduce(read, reader, core, mirror, touched, host));
        mirror.output.add_warnings(reader.take_warnings());
        mirror.output.buffer.finish();
        result
    }

    fn read_strings(
        &mut self,
        place: usize,
        strings: &[&str],
        host: &mut EngineCall<'_, '_>,
    ) -> Option<Result<(), Error>> {
        let Self { reader, core, mirror, touched, .. } = self;
        mirror.output.buffer.clear();
        let read = reader.read_strings(place, strings)?;
        let index = read.index;
        let result = reduce(read, reader, core, mirror, touched, host).map_err(|error| error.of_event(index));
        mirror.output.add_warnings(reader.take_warnings());
        mirror.output.buffer.finish();
        Some(result)
    }

    fn output(&mut self) -> &mut Output {
        &mut self.mirror.output
    }

    fn ask(&mut self, ask: Ask, about: &str) -> Result<String, Error> {
        Ok(match ask {
            Ask::Shared => {
                self.core = std::mem::take(&mut self.core).with_profile(Profile::Relay);
                String::new()
            }
            Ask::Call => call_of(&self.core, about),
            Ask::Later => later_runs(&self.core),
            Ask::Message => message_of(&self.core, about),
            Ask::Append => added(&mut self.core, about, self.mirror.limits),
            Ask::Replace => replaced(&mut self.core, about, self.mirror.limits),
            Ask::Status => self.touched.to_string(),
            Ask::GoTo => {
                self.reader.go_to(about.parse().unwrap_or_default());
                String::new()
            }
            Ask::Unpatched => return self.mirror.unpatched(about).map(|()| String::new()),
            _ => std::mem::take(&mut self.start),
        })
    }
}

/// Reduces one event.
fn reduce(
    read: ReadEvent,
    reader: &mut EventReader,
    core: &mut CoreReducer,
    mirror: &mut Mirror,
    touched: &mut bool,
    host: &mut EngineCall<'_, '_>,
) -> Result<(), Error> {
    let index = read.index;
    let mut reduction = core.apply(read.event, read.incomplete)?;
    *touched = reduction.messages;
    reduction.warnings.drain(..).for_each(|issue| reader.warn(index, issue));
    mirror.carry_out(index, &reduction, core, host)
}
