//! `EventPipeline`: turns the bytes of a stream into changes of a conversation.

use ag_ui_native::Error;
use ag_ui_native::bindings::client::lost;
use ag_ui_native::bindings::pipeline::{Output as PipelineOutput, Pipeline as CorePipeline, Sink};
use ag_ui_native::bindings::reduce::Reducer;
use ag_ui_native::bindings::validate::Nothing;

use crate::border::Ask;
use crate::decoder::resume_point;
use crate::engine::call::EngineCall;
use crate::engine::output::Output;
use crate::engine::{Engine, asked, idle_time};
use crate::options::ReaderOptions;
use crate::reduce::conversation::{Mirror, added, call_of, later_runs, message_of, replaced};
use crate::reduce::start::Start;

/// The pipeline of a stream, with its output.
#[derive(Debug)]
pub struct Pipeline {
    stages: CorePipeline,
    mirror: Mirror,
    start: String,
}

impl Pipeline {
    /// The pipeline of a conversation that begins with `start`.
    pub fn new(stages: CorePipeline, options: &ReaderOptions, start: Start) -> Self {
        Self { stages, mirror: Mirror::new(options), start: start.json }
    }
}

impl Pipeline {
    fn run(
        &mut self,
        host: &mut EngineCall<'_, '_>,
        work: impl FnOnce(&mut CorePipeline, &mut Sink<'_, ()>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Self { stages, mirror, .. } = self;
        mirror.output.buffer.clear();
        let result = work(stages, &mut |output: PipelineOutput<'_, ()>, reducer: &mut Reducer| {
            let reduction = output.kind.into_reduction();
            reduction.map_or(Ok(()), |reduction| mirror.carry_out(output.index, &reduction, reducer, host))
        });
        mirror.output.add_warnings(stages.take_warnings());
        mirror.output.has_ended = stages.has_ended();
        mirror.output.buffer.finish();
        result
    }
}

impl Engine for Pipeline {
    fn read(&mut self, chunk: &[u8], host: &mut EngineCall<'_, '_>) -> Result<(), Error> {
        self.run(host, |stages, take| stages.feed(chunk, &mut Nothing, take))
    }

    fn close(&mut self, host: &mut EngineCall<'_, '_>) -> Result<(), Error> {
        self.run(host, |stages, take| stages.close(&mut Nothing, take))
    }

    fn output(&mut self) -> &mut Output {
        &mut self.mirror.output
    }

    fn ask(&mut self, ask: Ask, about: &str) -> Result<String, Error> {
        Ok(match ask {
            Ask::Lost => {
                self.stages.lose(lost(about));
                String::new()
            }
            Ask::IdleTime => idle_time(about, |now, idle, is_one| self.stages.idle_time(now, idle, is_one)),
            Ask::Start => std::mem::take(&mut self.start),
            Ask::Call => call_of(self.stages.reducer(), about),
            Ask::Later => later_runs(self.stages.reducer()),
            Ask::Message => message_of(self.stages.reducer(), about),
            Ask::Append => added(self.stages.reducer(), about, self.mirror.limits),
            Ask::Replace => replaced(self.stages.reducer(), about, self.mirror.limits),
            Ask::Asked => {
                let (thread_id, run_id) = asked(about);
                self.stages.ask(&thread_id, &run_id);
                String::new()
            }
            Ask::Unpatched => return self.mirror.unpatched(about).map(|()| String::new()),
            _ => resume_point(self.stages.decoder()),
        })
    }
}
