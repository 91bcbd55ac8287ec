//! The changes of a conversation in JavaScript: see `lib/reduce/conversation.cts`.

use ag_ui_native::bindings::decoder::Warnings;
use ag_ui_native::bindings::json::{Input, ParseOptions, Tape};
use ag_ui_native::bindings::reduce::{Change, OnPatchFailure, Place, Reducer, Reduction};
use ag_ui_native::types::Message;
use ag_ui_native::{Code, Error, Limits, Object, Value};

use crate::engine::call::EngineCall;
use crate::engine::output::Output;
use crate::error;
use crate::options::{ReaderOptions, whole};
use crate::reduce::start::Start;

/// Makes JavaScript apply changes to its messages and state.
#[derive(Debug)]
pub struct Mirror {
    on_patch_failure: OnPatchFailure,
    /// The limits of the conversation.
    pub limits: Limits,
    /// The failures of patches that did not apply.
    failures: Warnings,
    /// The changes that are not applied yet, and the warnings.
    pub output: Output,
}

impl Mirror {
    /// The mirror of a conversation with these options.
    pub fn new(options: &ReaderOptions) -> Self {
        let ReaderOptions { on_patch_failure, limits, .. } = *options;
        Self { on_patch_failure, limits, failures: Warnings::new(&limits), output: Output::default() }
    }

    /// Changes collect in the buffer, so that one crossing carries many. Only JavaScript knows if a patch applies: if later changes depend
    /// on it, the patch is applied at once.
    pub fn carry_out(
        &mut self,
        index: usize,
        reduction: &Reduction,
        reducer: &mut Reducer,
        host: &mut EngineCall<'_, '_>,
    ) -> Result<(), Error> {
        let Self { on_patch_failure, limits, failures, output: Output { buffer, warnings, .. } } = self;
        for change in &reduction.changes {
            buffer.change(index, change, limits);
            let decides = match change {
                Change::PatchContent { .. } => true,
                Change::PatchState { .. } => *on_patch_failure == OnPatchFailure::Error,
                _ => false,
            };
            if !decides && !buffer.is_full() {
                continue;
            }
            let Some(answer) = host.carry(buffer)? else { continue };
            let Failure { error, activity_type, .. } = Failure::parse(&answer)?;
            if let (Change::PatchContent { slot, .. }, Some(activity_type)) = (change, activity_type) {
                reducer.content_unpatched(*slot, &activity_type);
            }
            let issue = on_patch_failure.judge(&error)?;
            failures.push(index, issue);
            warnings.extend(failures.take());
            buffer.patch_failed(index, change);
        }
        Ok(())
    }

    /// JavaScript has found after the call that a patch of the state does not apply. The run continues.
    pub fn unpatched(&mut self, failure: &str) -> Result<(), Error> {
        let Failure { error, event_index, .. } = Failure::parse(failure)?;
        let issue = self.on_patch_failure.judge(&error)?;
        self.failures.push(event_index, issue);
        self.output.warnings.extend(self.failures.take());
        Ok(())
    }
}

/// The slot and the place of the first call with this id, as JSON text; empty if there is none.
pub fn call_of(reducer: &Reducer, id: &str) -> String {
    match reducer.call(id) {
        Some(Place::Call(slot, call)) => format!("[{slot},{call}]"),
        _ => String::new(),
    }
}

/// The slot of the first message with this id; empty if there is none.
pub fn message_of(reducer: &Reducer, id: &str) -> String {
    match reducer.message(id) {
        Some(Place::Message(slot)) => slot.to_string(),
        _ => String::new(),
    }
}

/// The runs after the first, and the run of each of their messages: `{"ids": [id], "messages": {id: number}}`.
pub fn later_runs(reducer: &Reducer) -> String {
    let later = reducer.later_runs();
    let numbers = later.messages().map(|(id, run)| (id, error::number(run)));
    let known = [("ids", Value::from(later.ids())), ("messages", Value::from(numbers.collect::<Object>()))];
    error::text(&Value::from(Object::from_iter(known)))
}

/// Replaces the messages by those of `text`, if it has any; its state is only checked, since JavaScript keeps it. The answer is the new
/// start, or describes the error.
pub fn replaced(reducer: &mut Reducer, text: &str, limits: Limits) -> String {
    read(text, limits, |messages| {
        if text.contains('\n') {
            reducer.replace_messages(messages);
        }
    })
}

/// Appends messages: see `Ask::Append`.
pub fn added(reducer: &mut Reducer, text: &str, limits: Limits) -> String {
    read(text, limits, |messages| reducer.add_messages(messages))
}

fn read(text: &str, limits: Limits, take: impl FnOnce(&[Message])) -> String {
    match Start::read(text, limits) {
        Ok(start) => {
            take(&start.messages);
            start.json
        }
        Err(error) => format!("{{\"error\":{}}}", error::describe(&error)),
    }
}

/// A patch that did not apply, as `lib/reduce/conversation.cts` reports it.
struct Failure {
    error: Error,
    /// The event that brought the patch.
    event_index: usize,
    /// Type of the activity that was not patched.
    activity_type: Option<String>,
}

impl Failure {
    fn parse(json: &str) -> Result<Self, Error> {
        let options = ParseOptions { depth: 4, replace_invalid_text: true };
        let answer = Tape::default().parse(json, options).map(Input::to_value).unwrap_or_default();
        let text = |name| answer.as_object().and_then(|answer| answer.get(name)).and_then(Value::as_str);
        let code = Code::ALL.iter().find(|code| Some(code.as_str()) == text("code"));
        let code =
            *code.ok_or_else(|| Error::new(Code::Internal, "the report of a failed patch has no code"))?;
        let mut error = Error::at(code, text("path").unwrap_or_default().to_owned(), "");
        error.operation = text("operation").and_then(|operation| operation.parse().ok());
        let event_index = answer.as_object().and_then(|answer| whole(answer.get("eventIndex")?));
        let event_index = event_index.unwrap_or_default();
        Ok(Self { error, event_index, activity_type: text("activityType").map(str::to_owned) })
    }
}
