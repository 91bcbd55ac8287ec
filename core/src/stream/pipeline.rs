//! The pipeline of Rust programs.

use crate::compat::ProtocolVersion;
use crate::decoder::{Decoder, Warning};
use crate::error::Error;
use crate::json::{Object, Value};
use crate::limits::Limits;
use crate::pipeline::{OutputKind, Pipeline, PipelineOptions, Sink, Stages};
use crate::profile::{Profile, Rules};
use crate::reduce::{Conversation, OnPatchFailure, Reducer};
use crate::schema::{FieldType, Validated};
use crate::types::{Event, Interrupt, Message};
use crate::validate::TypedBuild;
use crate::warning::Warnings;

/// Turns the bytes of a response, which may be cut at any place, into a conversation: decodes, translates 0.x, expands chunks,
/// verifies the order of events and reduces them. It returns the events that it has applied.
///
/// Everything before a failure has been applied when the failure is returned. After a failure the
/// pipeline takes no more bytes.
///
/// ```
/// use ag_ui_native::stream::EventPipeline;
/// use ag_ui_native::types::UserMessage;
///
/// #[derive(serde::Deserialize)]
/// struct Plan {
///     steps: Vec<String>,
/// }
///
/// let question = UserMessage::new("q", "What is to be done?");
/// let mut pipeline = EventPipeline::new().with_messages(&[question.into()]);
/// let bytes = b"\
/// data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n\
/// data: {\"type\":\"STATE_SNAPSHOT\",\"snapshot\":{\"steps\":[\"look\"]}}\n\n\
/// data: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n";
/// for event in pipeline.feed(bytes).chain(pipeline.close()) {
///     println!("{}", event?.tag());
/// }
/// let plan: Plan = pipeline.conversation().state_as()?;
/// assert_eq!(plan.steps, ["look"]);
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Debug)]
pub struct EventPipeline {
    /// All stages before reduction.
    pipeline: Pipeline,
    options: PipelineOptions,
    on_patch_failure: OnPatchFailure,
    reducer: Reducer,
    conversation: Conversation,
    warnings: Warnings,
}

impl EventPipeline {
    /// A pipeline for the text transport, server-sent events, in the profile `tolerant`, with an empty
    /// conversation.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A pipeline for the transport that a `Content-Type` header names. Fails with `wrong_content_type` for other
    /// types.
    pub fn for_content_type(content_type: &str) -> Result<Self, Error> {
        let options = options(Profile::default());
        Ok(Self::of(Pipeline::new(Some(content_type), options, &[])?, options))
    }

    fn of(pipeline: Pipeline, options: PipelineOptions) -> Self {
        Self {
            pipeline,
            options,
            on_patch_failure: OnPatchFailure::default(),
            reducer: Reducer::default().with_profile(options.rules.profile()),
            // The default state is an empty object.
            conversation: Conversation::new(&[], Object::default().into(), options.limits),
            warnings: Warnings::new(&options.limits),
        }
    }

    /// Sets the profile. The pipeline begins a new stream. In the profile `strict` a patch that does not apply is an error; in the others
    /// it is a warning.
    #[must_use]
    pub fn with_profile(self, profile: Profile) -> Self {
        let PipelineOptions { rules: Rules { replace_invalid_text, .. }, limits, peer, .. } = self.options;
        let PipelineOptions { rules, stages, .. } = options(profile);
        let on_patch_failure = OnPatchFailure::of(profile);
        let options =
            PipelineOptions { rules: Rules { replace_invalid_text, ..rules }, limits, stages, peer };
        Self { on_patch_failure, ..self }.anew(options)
    }

    /// Replaces text that is not Unicode, with a warning, instead of refusing it. The pipeline begins a new stream.
    #[must_use]
    pub fn replace_invalid_text(self) -> Self {
        let rules = Rules { replace_invalid_text: true, ..self.options.rules };
        let options = PipelineOptions { rules, ..self.options };
        self.anew(options)
    }

    /// Sets the limits. The pipeline begins a new stream.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        let options = PipelineOptions { limits, ..self.options };
        self.anew(options)
    }

    /// Sets the newest version that the peer is assumed to speak. The pipeline begins a new stream.
    #[must_use]
    pub fn with_peer(self, version: ProtocolVersion) -> Self {
        let options = PipelineOptions { peer: Some(version), ..self.options };
        self.anew(options)
    }

    fn anew(mut self, options: PipelineOptions) -> Self {
        self.pipeline = self.pipeline.anew(options);
        self.reducer = self.reducer.with_limits(options.limits).with_profile(options.rules.profile());
        self.conversation.limits = options.limits;
        self.warnings = Warnings::new(&options.limits);
        Self { options, ..self }
    }

    /// Sets the messages with which the conversation begins.
    #[must_use]
    pub fn with_messages(mut self, messages: &[Message]) -> Self {
        let limits = self.options.limits;
        let before =
            std::mem::replace(&mut self.conversation, Conversation::new(messages, Value::default(), limits));
        self.conversation.state = before.state;
        self.conversation.pending_interrupts = before.pending_interrupts;
        self.reducer = Reducer::new(messages).with_limits(limits).with_profile(self.options.rules.profile());
        self
    }

    /// Sets the state with which the conversation begins.
    #[must_use]
    pub fn with_state(mut self, state: impl Into<Value>) -> Self {
        self.conversation.state = state.into();
        self
    }

    /// Sets the pending interrupts with which the conversation begins.
    #[must_use]
    pub fn with_pending_interrupts(mut self, interrupts: Vec<Interrupt>) -> Self {
        self.conversation.pending_interrupts = interrupts;
        self
    }

    /// Takes the next bytes, and applies the events that they complete. Returns these events, and last the failure if there is
    /// one.
    #[must_use = "the failure comes out with the events"]
    pub fn feed(&mut self, bytes: &[u8]) -> impl Iterator<Item = Result<Event, Error>> + Send + use<> {
        self.run(|pipeline, take| pipeline.feed(bytes, &mut TypedBuild, take))
    }

    /// Ends the stream. Fails with `stream_truncated` if it ends inside an event, or before its run does.
    #[must_use = "the failure comes out with the events"]
    pub fn close(&mut self) -> impl Iterator<Item = Result<Event, Error>> + Send + use<> {
        self.run(|pipeline, take| pipeline.close(&mut TypedBuild, take))
    }

    fn run(
        &mut self,
        work: impl FnOnce(&mut Pipeline, &mut Sink<'_, Validated>) -> Result<(), Error>,
    ) -> std::vec::IntoIter<Result<Event, Error>> {
        let Self { pipeline, on_patch_failure, reducer, conversation, warnings, .. } = self;
        let mut events = Vec::new();
        let result = work(pipeline, &mut |output, _| {
            let event = match output.kind {
                OutputKind::Passed(value) => Event::from_validated(Some(value)),
                OutputKind::Made(event) => event,
                // This pipeline has no such stages: reduction happens here, where the event is
                // kept.
                OutputKind::Reduced(_) | OutputKind::Appended(..) => return Ok(()),
            };
            let (known, incomplete) = (event.clone(), output.incomplete);
            let effect = conversation.reduce(reducer, known, incomplete, *on_patch_failure, &mut |_| {})?;
            warnings.extend(output.index, effect.warnings);
            events.push(Ok(event));
            Ok(())
        });
        events.extend(result.err().map(Err));
        events.into_iter()
    }

    /// The messages, the state and the pending interrupts of the events so far.
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// The conversation, when the stream is over.
    ///
    /// ```
    /// use ag_ui_native::stream::EventPipeline;
    ///
    /// let mut pipeline = EventPipeline::new();
    /// for event in pipeline.feed(b"data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t1\",\"runId\":\"r1\"}\n\n") {
    ///     event?;
    /// }
    /// assert!(pipeline.into_conversation().messages()?.is_empty());
    /// # Ok::<(), ag_ui_native::Error>(())
    /// ```
    pub fn into_conversation(self) -> Conversation {
        self.conversation
    }

    /// Takes the warnings since the last call, in the order of events.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        let mut warnings = self.pipeline.take_warnings();
        warnings.append(&mut self.warnings.take());
        warnings.sort_by_key(|warning| warning.event_index);
        warnings
    }

    /// The id last set in the stream, to resume from; empty if there is none.
    pub fn last_event_id(&self) -> &[u8] {
        self.pipeline.decoder().last_event_id()
    }

    /// The pause that the server asks for before a new connection, in milliseconds.
    pub fn retry(&self) -> Option<u64> {
        self.pipeline.decoder().retry()
    }
}

impl Default for EventPipeline {
    fn default() -> Self {
        let options = options(Profile::default());
        Self::of(Pipeline::of(Decoder::of_text(options.rules.enforcing(), options.limits), options), options)
    }
}

/// All stages of a profile, except reduction.
fn options(profile: Profile) -> PipelineOptions {
    let stages = Stages { reduce: false, ..Stages::of(profile) };
    PipelineOptions { rules: Rules::of(profile), stages, ..PipelineOptions::default() }
}
