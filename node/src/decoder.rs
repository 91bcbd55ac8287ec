//! `EventDecoder`: decodes the bytes of a stream to events.

use ag_ui_native::bindings::client::lost;
use ag_ui_native::bindings::decoder::{Arrival, Decoder as CoreDecoder};
use ag_ui_native::bindings::pipeline::{
    Output as PipelineOutput, OutputKind, Pipeline as CorePipeline, PipelineOptions,
};
use ag_ui_native::bindings::reduce::Reducer;
use ag_ui_native::{Error, Object, Value};

use crate::border::Ask;
use crate::build::{EventBuild, Piece};
use crate::engine::call::EngineCall;
use crate::engine::output::Output;
use crate::engine::{Engine, asked, idle_time};
use crate::error;
use crate::events::json_of;
use crate::options::ReaderOptions;
use crate::reduce::conversation::call_of;

/// Makes events of the bytes of one stream.
#[derive(Debug)]
pub struct Decoder {
    source: InnerDecoder,
    build: EventBuild,
    pieces: Vec<Piece>,
    /// The stream index of each event since the last request, after the first request.
    indices: Option<Vec<usize>>,
    output: Output,
}

/// The decoder, with the stages that follow it.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)] // There is one for each stream.
pub enum InnerDecoder {
    /// Only the decoder.
    Decoder(CoreDecoder),
    /// All stages but reduction, for a conversation that begins with `start`.
    Pipeline {
        /// The stages.
        pipeline: CorePipeline,
        /// The start of the conversation, for JavaScript.
        start: String,
    },
}

impl Decoder {
    /// A decoder with this source.
    pub fn new(source: InnerDecoder, options: &ReaderOptions) -> Self {
        let build = EventBuild::new(options.rules.replace_invalid_text);
        Self { source, build, pieces: Vec::new(), indices: None, output: Output::default() }
    }

    /// Makes the decoder of events for a client's middleware.
    pub fn before_middleware(options: &ReaderOptions) -> Result<Self, Error> {
        let before = PipelineOptions::before_middleware(options.profile, options.limits, options.peer);
        let pipeline = CorePipeline::new(options.content_type.as_deref(), before, &[])?;
        Ok(Self::new(InnerDecoder::Pipeline { pipeline, start: String::new() }, options))
    }

    fn run(&mut self, input: Option<&[u8]>) -> Result<(), Error> {
        let Self { source, build, pieces, indices, output } = self;
        build.clear(pieces);
        let (result, warnings) = match source {
            InnerDecoder::Decoder(decoder) => {
                let mut take = |arrival: Arrival<'_, Piece>| {
                    pieces.push(arrival.value);
                    Ok(())
                };
                let result = match input {
                    Some(chunk) => decoder.feed(chunk, build, &mut take),
                    None => decoder.close(build, &mut take),
                };
                (result, decoder.take_warnings())
            }
            InnerDecoder::Pipeline { pipeline, .. } => {
                let mut take = |output: PipelineOutput<Piece>, _: &mut Reducer| {
                    pieces.push(match output.kind {
                        OutputKind::Passed(piece) => piece,
                        OutputKind::Made(event) => Piece::Made(json_of(&event)),
                        OutputKind::Reduced(_) | OutputKind::Appended(..) => return Ok(()),
                    });
                    if let Some(indices) = indices.as_mut() {
                        indices.push(output.index);
                    }
                    Ok(())
                };
                let result = match input {
                    Some(chunk) => pipeline.feed(chunk, build, &mut take),
                    None => pipeline.close(build, &mut take),
                };
                output.has_ended = pipeline.has_ended();
                (result, pipeline.take_warnings())
            }
        };
        output.warnings.extend(warnings);
        build.pack(pieces, &mut output.buffer);
        result
    }
}

impl Engine for Decoder {
    fn read(&mut self, chunk: &[u8], _: &mut EngineCall<'_, '_>) -> Result<(), Error> {
        self.run(Some(chunk))
    }

    fn read_in_place(&mut self, chunk: &[u8]) -> Option<Result<(), Error>> {
        Some(self.run(Some(chunk)))
    }

    fn close(&mut self, _: &mut EngineCall<'_, '_>) -> Result<(), Error> {
        self.run(None)
    }

    fn output(&mut self) -> &mut Output {
        &mut self.output
    }

    fn ask(&mut self, ask: Ask, about: &str) -> Result<String, Error> {
        if ask == Ask::Indices {
            let indices = self.indices.replace(Vec::new()).unwrap_or_default();
            return Ok(indices.iter().map(ToString::to_string).collect::<Vec<_>>().join(","));
        }
        Ok(match (&mut self.source, ask) {
            (InnerDecoder::Decoder(decoder), _) => resume_point(decoder),
            (InnerDecoder::Pipeline { start, .. }, Ask::Start) => std::mem::take(start),
            (InnerDecoder::Pipeline { pipeline, .. }, Ask::Lost) => {
                pipeline.lose(lost(about));
                String::new()
            }
            (InnerDecoder::Pipeline { pipeline, .. }, Ask::IdleTime) => {
                idle_time(about, |now, idle, is_one| pipeline.idle_time(now, idle, is_one))
            }
            (InnerDecoder::Pipeline { pipeline, .. }, Ask::Call) => call_of(pipeline.reducer(), about),
            (InnerDecoder::Pipeline { pipeline, .. }, Ask::Asked) => {
                let (thread_id, run_id) = asked(about);
                pipeline.ask(&thread_id, &run_id);
                String::new()
            }
            (InnerDecoder::Pipeline { pipeline, .. }, _) => resume_point(pipeline.decoder()),
        })
    }
}

/// Returns the last event id, the retry time and the number of events read, as JSON text.
pub fn resume_point(decoder: &CoreDecoder) -> String {
    let mut object = Object::default();
    object.insert("lastEventId", String::from_utf8_lossy(decoder.last_event_id()).into_owned());
    let retry = decoder.retry().and_then(|retry| i64::try_from(retry).ok());
    object.insert("retry", retry.map_or(Value::Null, Value::from));
    object.insert("events", i64::try_from(decoder.event_count()).unwrap_or(i64::MAX));
    error::text(&object.into())
}
