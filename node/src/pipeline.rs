//! From bytes, or from events, to changes of a conversation that JavaScript keeps.

use ag_ui_native::host::json::{Input, ParseOptions, Tape as JsonTape};
use ag_ui_native::host::pipeline::{EventPipeline, Output as PipelineOutput, OutputKind};
use ag_ui_native::host::read::Nothing;
use ag_ui_native::host::reduce::{Change, OnPatchFailure, Reducer as CoreReducer, Reduction};
use ag_ui_native::host::stream::{EventReader, ReadEvent, Warning};
use ag_ui_native::{Code, Error};
use ag_ui_native::{Limits, Value};

use crate::border::Ask;
use crate::engine::{Engine, Output};
use crate::objects::read_lines;
use crate::options::{Options, whole};
use crate::raw::Host;
use crate::start::Start;
use crate::stream::resume_point;

/// A stream of bytes on its way to changes.
#[derive(Debug)]
pub struct Pipeline {
    stages: EventPipeline,
    mirror: Mirror,
    start: String,
}

impl Pipeline {
    /// The pipeline of a conversation that begins with `start`.
    pub fn new(stages: EventPipeline, options: &Options, start: Start) -> Self {
        Self { stages, mirror: Mirror::new(options), start: start.json }
    }
}

impl Engine for Pipeline {
    fn run(&mut self, input: Option<&[u8]>, host: &mut Host) -> Result<(), Error> {
        let Self { stages, mirror, .. } = self;
        mirror.output.tape.clear();
        let mut take = |output: PipelineOutput<()>, reducer: &mut CoreReducer| match output.kind {
            OutputKind::Reduced(reduction) => mirror.carry_out(output.index, &reduction, reducer, host),
            OutputKind::Passed(()) | OutputKind::Made(_) => Ok(()),
        };
        let result = match input {
            Some(chunk) => stages.feed(chunk, &mut Nothing, &mut take),
            None => stages.close(&mut Nothing, &mut take),
        };
        mirror.output.add_warnings(stages.take_warnings());
        mirror.output.tape.finish();
        result
    }

    fn calls_back(&self) -> bool {
        true
    }

    fn unpatched(&mut self, failure: &str) -> Result<(), Error> {
        self.mirror.unpatched(failure)
    }

    fn output(&mut self) -> &mut Output {
        &mut self.mirror.output
    }

    fn ask(&mut self, ask: Ask) -> String {
        match ask {
            Ask::Start => std::mem::take(&mut self.start),
            _ => resume_point(self.stages.decoder()),
        }
    }
}

/// Events on their way to changes.
#[derive(Debug)]
pub struct Reducer {
    reader: EventReader,
    core: CoreReducer,
    mirror: Mirror,
    start: String,
}

impl Reducer {
    /// A reducer for a conversation that begins with `start`.
    pub fn new(options: &Options, start: Start) -> Self {
        let core = CoreReducer::new(&start.messages).with_limits(options.limits);
        Self {
            reader: EventReader::new(options.rules, options.limits),
            core,
            mirror: Mirror::new(options),
            start: start.json,
        }
    }
}

impl Engine for Reducer {
    fn run(&mut self, input: Option<&[u8]>, host: &mut Host) -> Result<(), Error> {
        let Self { reader, core, mirror, .. } = self;
        mirror.output.tape.clear();
        let result = read_lines(reader, input.unwrap_or_default(), |read, reader| {
            reduce(read, reader, core, mirror, host)
        });
        mirror.output.add_warnings(reader.take_warnings());
        mirror.output.tape.finish();
        result
    }

    fn strings(&mut self, place: usize, strings: &[&str], host: &mut Host) -> Option<Result<(), Error>> {
        let Self { reader, core, mirror, .. } = self;
        mirror.output.tape.clear();
        let read = reader.read_strings(place, strings)?;
        let index = read.index;
        let result = reduce(read, reader, core, mirror, host).map_err(|error| error.of_event(index));
        mirror.output.add_warnings(reader.take_warnings());
        mirror.output.tape.finish();
        Some(result)
    }

    fn unpatched(&mut self, failure: &str) -> Result<(), Error> {
        self.mirror.unpatched(failure)
    }

    fn output(&mut self) -> &mut Output {
        &mut self.mirror.output
    }

    fn ask(&mut self, _: Ask) -> String {
        std::mem::take(&mut self.start)
    }
}

/// Takes one event to changes.
fn reduce(
    read: ReadEvent,
    reader: &mut EventReader,
    core: &mut CoreReducer,
    mirror: &mut Mirror,
    host: &mut Host,
) -> Result<(), Error> {
    let index = read.index;
    let mut reduction = core.apply(read.event, read.incomplete)?;
    reduction.warnings.drain(..).for_each(|issue| reader.warn(index, issue));
    mirror.carry_out(index, &reduction, core, host)
}

/// Has JavaScript carry out changes on its own messages and state.
#[derive(Debug)]
struct Mirror {
    on_patch_failure: OnPatchFailure,
    limits: Limits,
    output: Output,
}

impl Mirror {
    fn new(options: &Options) -> Self {
        let Options { on_patch_failure, limits, .. } = *options;
        Self { on_patch_failure, limits, output: Output::default() }
    }

    /// Changes gather on the tape, so that one crossing serves many. Whether a patch applies only JavaScript can say: where
    /// what follows depends on it, it is carried out at once.
    fn carry_out(
        &mut self,
        index: usize,
        reduction: &Reduction,
        reducer: &mut CoreReducer,
        host: &mut Host,
    ) -> Result<(), Error> {
        let Self { on_patch_failure, limits, output: Output { tape, warnings, .. } } = self;
        for change in &reduction.changes {
            tape.change(index, change, limits);
            let decides = match change {
                Change::PatchContent { .. } => true,
                Change::PatchState { .. } => *on_patch_failure == OnPatchFailure::Error,
                _ => false,
            };
            if !decides && !tape.is_full() {
                continue;
            }
            let Some(answer) = host.carry(tape)? else { continue };
            let Failure { error, activity_type, .. } = Failure::parse(&answer)?;
            if let (Change::PatchContent { slot, .. }, Some(activity_type)) = (change, activity_type) {
                reducer.content_unpatched(*slot, &activity_type);
            }
            let issue = on_patch_failure.judge(&error)?;
            warnings.push(Warning { event_index: index, issue });
            tape.patch_failed(index, change);
        }
        Ok(())
    }

    /// JavaScript has found, when the call was over, that a patch of the state does not apply. The run goes on.
    fn unpatched(&mut self, failure: &str) -> Result<(), Error> {
        let Failure { error, event_index, .. } = Failure::parse(failure)?;
        let issue = self.on_patch_failure.judge(&error)?;
        self.output.warnings.push(Warning { event_index, issue });
        Ok(())
    }
}

/// A patch that did not apply, as `lib/conversation.cts` tells it.
struct Failure {
    error: Error,
    /// The event that brought the patch.
    event_index: usize,
    /// Type of the activity that was not patched.
    activity_type: Option<String>,
}

impl Failure {
    fn parse(json: &str) -> Result<Self, Error> {
        let options = ParseOptions { depth: 4, lossy: true };
        let answer = JsonTape::default().parse(json, options).map(Input::to_value).unwrap_or_default();
        let text = |name| answer.as_object().and_then(|answer| answer.get(name)).and_then(Value::as_str);
        let code = Code::ALL.iter().find(|code| Some(code.as_str()) == text("code"));
        let code = *code.ok_or_else(|| Error::new(Code::Internal, "an answer about a patch"))?;
        let mut error = Error::at(code, text("path").unwrap_or_default().to_owned(), "");
        error.operation = text("operation").and_then(|operation| operation.parse().ok());
        let event_index = answer.as_object().and_then(|answer| whole(answer.get("eventIndex")?));
        let event_index = event_index.unwrap_or_default();
        Ok(Self { error, event_index, activity_type: text("activityType").map(str::to_owned) })
    }
}
