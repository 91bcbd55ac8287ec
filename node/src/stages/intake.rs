//! Reads the events that a client's middleware returns as objects.

use ag_ui_native::bindings::client::{Admitted, Intake as CoreIntake};
use ag_ui_native::{Code, Error};

use crate::border::Ask;
use crate::engine::call::EngineCall;
use crate::engine::output::{Output, OutputBuffer};
use crate::engine::{Engine, asked, idle_time};
use crate::options::ReaderOptions;

/// Takes the events of middleware, one at a time.
#[derive(Debug)]
pub struct Intake {
    core: CoreIntake,
    output: Output,
}

impl Intake {
    /// One with these options.
    pub fn new(options: &ReaderOptions) -> Self {
        Self { core: CoreIntake::new(options.profile, options.limits), output: Output::default() }
    }

    fn run<T>(&mut self, work: impl FnOnce(&mut CoreIntake, &mut OutputBuffer) -> T) -> T {
        let Self { core, output: Output { buffer, warnings, has_ended, .. } } = self;
        buffer.clear();
        let done = work(core, buffer);
        warnings.extend(core.take_warnings());
        buffer.finish();
        *has_ended = core.has_ended();
        done
    }
}

#[allow(clippy::unnecessary_wraps)] // As core takes it.
fn put(buffer: &mut OutputBuffer, Admitted { index, event, is_given, .. }: &Admitted) -> Result<(), Error> {
    buffer.add_given(*index, event, !is_given);
    Ok(())
}

impl Engine for Intake {
    fn read(&mut self, text: &[u8], _: &mut EngineCall<'_, '_>) -> Result<(), Error> {
        let text = std::str::from_utf8(text).map_err(|_| Error::new(Code::InvalidUtf8, ""))?;
        self.run(|core, buffer| core.push(text, &mut |admitted| put(buffer, &admitted)))
    }

    fn read_strings(
        &mut self,
        place: usize,
        strings: &[&str],
        _: &mut EngineCall<'_, '_>,
    ) -> Option<Result<(), Error>> {
        self.run(|core, buffer| core.push_strings(place, strings, &mut |admitted| put(buffer, &admitted)))
    }

    fn close(&mut self, _: &mut EngineCall<'_, '_>) -> Result<(), Error> {
        self.run(|core, _| core.finish())
    }

    fn output(&mut self) -> &mut Output {
        &mut self.output
    }

    fn ask(&mut self, ask: Ask, about: &str) -> Result<String, Error> {
        Ok(match ask {
            Ask::Lost => self.core.tolerates_loss(about).to_string(),
            Ask::IdleTime => idle_time(about, |now, idle, _| self.core.idle_time(now, idle)),
            Ask::Asked => {
                let (thread_id, run_id) = asked(about);
                self.core.ask(&thread_id, &run_id);
                String::new()
            }
            _ => String::new(),
        })
    }
}
