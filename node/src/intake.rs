//! What a client's middleware gives, as objects.

use ag_ui_native::host::client::{Admitted, Intake as CoreIntake};
use ag_ui_native::{Code, Error};

use crate::border::Ask;
use crate::engine::{Engine, asked};
use crate::host::Host;
use crate::options::Options;
use crate::tape::{Output, Tape};

/// Takes events that have been through middleware, one at a time.
#[derive(Debug)]
pub struct Intake {
    core: CoreIntake,
    output: Output,
}

impl Intake {
    /// One with these options.
    pub fn new(options: &Options) -> Self {
        Self { core: CoreIntake::new(options.profile, options.limits), output: Output::default() }
    }

    fn run<T>(&mut self, work: impl FnOnce(&mut CoreIntake, &mut Tape) -> T) -> T {
        let Self { core, output: Output { tape, warnings, has_ended, .. } } = self;
        tape.clear();
        let done = work(core, tape);
        warnings.extend(core.take_warnings());
        tape.finish();
        *has_ended = core.has_ended();
        done
    }
}

#[allow(clippy::unnecessary_wraps)] // As core takes it.
fn put(tape: &mut Tape, Admitted { index, event, is_given, .. }: &Admitted) -> Result<(), Error> {
    tape.passed(*index, event, !is_given);
    Ok(())
}

impl Engine for Intake {
    fn read(&mut self, text: &[u8], _: &mut Host<'_, '_>) -> Result<(), Error> {
        let text = std::str::from_utf8(text).map_err(|_| Error::new(Code::InvalidUtf8, ""))?;
        self.run(|core, tape| core.push(text, &mut |admitted| put(tape, &admitted)))
    }

    fn read_strings(
        &mut self,
        place: usize,
        strings: &[&str],
        _: &mut Host<'_, '_>,
    ) -> Option<Result<(), Error>> {
        self.run(|core, tape| core.push_strings(place, strings, &mut |admitted| put(tape, &admitted)))
    }

    fn close(&mut self, _: &mut Host<'_, '_>) -> Result<(), Error> {
        self.run(|core, _| core.finish())
    }

    fn output(&mut self) -> &mut Output {
        &mut self.output
    }

    fn ask(&mut self, ask: Ask, about: &str) -> Result<String, Error> {
        if ask == Ask::Asked {
            let (thread_id, run_id) = asked(about);
            self.core.ask(&thread_id, &run_id);
        }
        Ok(String::new())
    }
}
