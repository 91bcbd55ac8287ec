//! Examples of the declared types, for their documentation.
//!
//! Generated from the declaration in core/src/types/examples.json: `make generate`.

/// Returns the example of a type.
macro_rules! example {
    (EventType) => {
        r#"
# Example

```
use ag_ui_native::types::EventType;

assert_eq!(EventType::parse("TEXT_MESSAGE_START"), Some(EventType::TextMessageStart));
assert_eq!(EventType::TextMessageStart.as_str(), "TEXT_MESSAGE_START");
```"#
    };
    (Role) => {
        r#"
# Example

```
use ag_ui_native::types::Role;

assert_eq!(Role::parse("developer"), Some(Role::Developer));
assert_eq!(Role::Developer.as_str(), "developer");
```"#
    };
    (TextMessageRole) => {
        r#"
# Example

```
use ag_ui_native::types::TextMessageRole;

assert_eq!(TextMessageRole::parse("developer"), Some(TextMessageRole::Developer));
assert_eq!(TextMessageRole::Developer.as_str(), "developer");
```"#
    };
    (ToolCallResultRole) => {
        r#"
# Example

```
use ag_ui_native::types::ToolCallResultRole;

assert_eq!(ToolCallResultRole::parse("tool"), Some(ToolCallResultRole::Tool));
assert_eq!(ToolCallResultRole::Tool.as_str(), "tool");
```"#
    };
    (ReasoningMessageRole) => {
        r#"
# Example

```
use ag_ui_native::types::ReasoningMessageRole;

assert_eq!(ReasoningMessageRole::parse("reasoning"), Some(ReasoningMessageRole::Reasoning));
assert_eq!(ReasoningMessageRole::Reasoning.as_str(), "reasoning");
```"#
    };
    (ReasoningEncryptedValueSubtype) => {
        r#"
# Example

```
use ag_ui_native::types::ReasoningEncryptedValueSubtype;

assert_eq!(ReasoningEncryptedValueSubtype::parse("tool-call"), Some(ReasoningEncryptedValueSubtype::ToolCall));
assert_eq!(ReasoningEncryptedValueSubtype::ToolCall.as_str(), "tool-call");
```"#
    };
    (ResumeStatus) => {
        r#"
# Example

```
use ag_ui_native::types::ResumeStatus;

assert_eq!(ResumeStatus::parse("resolved"), Some(ResumeStatus::Resolved));
assert_eq!(ResumeStatus::Resolved.as_str(), "resolved");
```"#
    };
    (TextPart) => {
        r##"
# Example

```
use ag_ui_native::types::TextPart;
use ag_ui_native::to_json;

let part = TextPart::new("What is this?");
assert_eq!(to_json(&part), r#"{"type":"text","text":"What is this?"}"#);
```"##
    };
    (DataSource) => {
        r##"
# Example

```
use ag_ui_native::types::DataSource;
use ag_ui_native::to_json;

let source = DataSource::new("iVBORw0KGgo=", "image/png");
assert_eq!(to_json(&source), r#"{"type":"data","value":"iVBORw0KGgo=","mimeType":"image/png"}"#);
```"##
    };
    (UrlSource) => {
        r##"
# Example

```
use ag_ui_native::types::UrlSource;
use ag_ui_native::to_json;

let source = UrlSource::new("https://example.org/cat.png").with_mime_type("image/png");
assert_eq!(to_json(&source), r#"{"type":"url","value":"https://example.org/cat.png","mimeType":"image/png"}"#);
```"##
    };
    (FileSource) => {
        r##"
# Example

```
use ag_ui_native::types::FileSource;
use ag_ui_native::to_json;

let source = FileSource::new("file-123").with_provider("openai");
assert_eq!(to_json(&source), r#"{"type":"file","value":"file-123","provider":"openai"}"#);
```"##
    };
    (ImagePart) => {
        r##"
# Example

```
use ag_ui_native::types::{ImagePart, UrlSource};
use ag_ui_native::to_json;

let part = ImagePart::new(UrlSource::new("https://example.org/cat.png"));
assert_eq!(to_json(&part), r#"{"type":"image","source":{"type":"url","value":"https://example.org/cat.png"}}"#);
```"##
    };
    (AudioPart) => {
        r##"
# Example

```
use ag_ui_native::types::{AudioPart, UrlSource};
use ag_ui_native::to_json;

let part = AudioPart::new(UrlSource::new("https://example.org/cat.mp3"));
assert_eq!(to_json(&part), r#"{"type":"audio","source":{"type":"url","value":"https://example.org/cat.mp3"}}"#);
```"##
    };
    (VideoPart) => {
        r##"
# Example

```
use ag_ui_native::types::{UrlSource, VideoPart};
use ag_ui_native::to_json;

let part = VideoPart::new(UrlSource::new("https://example.org/cat.mp4"));
assert_eq!(to_json(&part), r#"{"type":"video","source":{"type":"url","value":"https://example.org/cat.mp4"}}"#);
```"##
    };
    (DocumentPart) => {
        r##"
# Example

```
use ag_ui_native::types::{DocumentPart, FileSource};
use ag_ui_native::to_json;

let part = DocumentPart::new(FileSource::new("file-123").with_provider("openai"));
assert_eq!(to_json(&part), r#"{"type":"document","source":{"type":"file","value":"file-123","provider":"openai"}}"#);
```"##
    };
    (AddOperation) => {
        r##"
# Example

```
use ag_ui_native::types::{AddOperation, JsonPointer};
use ag_ui_native::to_json;

let operation = AddOperation::new(JsonPointer::parse("/tasks/-").unwrap(), "Buy milk");
assert_eq!(to_json(&operation), r#"{"op":"add","path":"/tasks/-","value":"Buy milk"}"#);
```"##
    };
    (RemoveOperation) => {
        r##"
# Example

```
use ag_ui_native::types::{JsonPointer, RemoveOperation};
use ag_ui_native::to_json;

let operation = RemoveOperation::new(JsonPointer::parse("/tasks/0").unwrap());
assert_eq!(to_json(&operation), r#"{"op":"remove","path":"/tasks/0"}"#);
```"##
    };
    (ReplaceOperation) => {
        r##"
# Example

```
use ag_ui_native::types::{JsonPointer, ReplaceOperation};
use ag_ui_native::to_json;

let operation = ReplaceOperation::new(JsonPointer::parse("/title").unwrap(), "Groceries");
assert_eq!(to_json(&operation), r#"{"op":"replace","path":"/title","value":"Groceries"}"#);
```"##
    };
    (MoveOperation) => {
        r##"
# Example

```
use ag_ui_native::types::{JsonPointer, MoveOperation};
use ag_ui_native::to_json;

let operation = MoveOperation::new(
    JsonPointer::parse("/tasks/2").unwrap(),
    JsonPointer::parse("/tasks/0").unwrap(),
);
assert_eq!(to_json(&operation), r#"{"op":"move","from":"/tasks/2","path":"/tasks/0"}"#);
```"##
    };
    (CopyOperation) => {
        r##"
# Example

```
use ag_ui_native::types::{CopyOperation, JsonPointer};
use ag_ui_native::to_json;

let operation = CopyOperation::new(
    JsonPointer::parse("/title").unwrap(),
    JsonPointer::parse("/draft").unwrap(),
);
assert_eq!(to_json(&operation), r#"{"op":"copy","from":"/title","path":"/draft"}"#);
```"##
    };
    (TestOperation) => {
        r##"
# Example

```
use ag_ui_native::types::{JsonPointer, TestOperation};
use ag_ui_native::to_json;

let operation = TestOperation::new(JsonPointer::parse("/title").unwrap(), "Groceries");
assert_eq!(to_json(&operation), r#"{"op":"test","path":"/title","value":"Groceries"}"#);
```"##
    };
    (FunctionCall) => {
        r##"
# Example

```
use ag_ui_native::types::FunctionCall;
use ag_ui_native::to_json;

let call = FunctionCall::new("current_time", "{}");
assert_eq!(to_json(&call), r#"{"name":"current_time","arguments":"{}"}"#);
```"##
    };
    (ToolCall) => {
        r##"
# Example

```
use ag_ui_native::types::{FunctionCall, ToolCall};
use ag_ui_native::to_json;

let call = ToolCall::new("c1", FunctionCall::new("current_time", "{}"));
assert_eq!(to_json(&call), r#"{"id":"c1","type":"function","function":{"name":"current_time","arguments":"{}"}}"#);
```"##
    };
    (DeveloperMessage) => {
        r##"
# Example

```
use ag_ui_native::types::DeveloperMessage;
use ag_ui_native::to_json;

let message = DeveloperMessage::new("m1", "Answer in one sentence.");
assert_eq!(to_json(&message), r#"{"id":"m1","role":"developer","content":"Answer in one sentence."}"#);
```"##
    };
    (SystemMessage) => {
        r##"
# Example

```
use ag_ui_native::types::SystemMessage;
use ag_ui_native::to_json;

let message = SystemMessage::new("m1", "You are a helpful assistant.");
assert_eq!(to_json(&message), r#"{"id":"m1","role":"system","content":"You are a helpful assistant."}"#);
```"##
    };
    (AssistantMessage) => {
        r##"
# Example

```
use ag_ui_native::types::AssistantMessage;
use ag_ui_native::to_json;

let message = AssistantMessage::new("m2").with_content("Hello, Ada!");
assert_eq!(to_json(&message), r#"{"id":"m2","role":"assistant","content":"Hello, Ada!"}"#);
```"##
    };
    (UserMessage) => {
        r##"
# Example

```
use ag_ui_native::types::UserMessage;
use ag_ui_native::to_json;

let message = UserMessage::new("m1", "Hello!");
assert_eq!(to_json(&message), r#"{"id":"m1","role":"user","content":"Hello!"}"#);
```"##
    };
    (ToolMessage) => {
        r##"
# Example

```
use ag_ui_native::types::ToolMessage;
use ag_ui_native::to_json;

let message = ToolMessage::new("m3", "12:30", "c1");
assert_eq!(to_json(&message), r#"{"id":"m3","role":"tool","content":"12:30","toolCallId":"c1"}"#);
```"##
    };
    (ActivityMessage) => {
        r##"
# Example

```
use ag_ui_native::types::ActivityMessage;
use ag_ui_native::{Object, to_json};

let message = ActivityMessage::new("m4", "search", Object::from([("found", 3)]));
assert_eq!(to_json(&message), r#"{"id":"m4","role":"activity","activityType":"search","content":{"found":3}}"#);
```"##
    };
    (ReasoningMessage) => {
        r##"
# Example

```
use ag_ui_native::types::ReasoningMessage;
use ag_ui_native::to_json;

let message = ReasoningMessage::new("m5", "The user greets me.");
assert_eq!(to_json(&message), r#"{"id":"m5","role":"reasoning","content":"The user greets me."}"#);
```"##
    };
    (Tool) => {
        r##"
# Example

```
use ag_ui_native::types::Tool;
use ag_ui_native::{Object, to_json};

let tool = Tool::new("current_time", "Tells the time.")
    .with_parameters(Object::from([("type", "object")]));
assert_eq!(to_json(&tool), r#"{"name":"current_time","description":"Tells the time.","parameters":{"type":"object"}}"#);
```"##
    };
    (Context) => {
        r##"
# Example

```
use ag_ui_native::types::Context;
use ag_ui_native::to_json;

let context = Context::new("The user's time zone", "Europe/Berlin");
assert_eq!(to_json(&context), r#"{"description":"The user's time zone","value":"Europe/Berlin"}"#);
```"##
    };
    (ResumeEntry) => {
        r##"
# Example

```
use ag_ui_native::types::{ResumeEntry, ResumeStatus};
use ag_ui_native::{Object, to_json};

let entry = ResumeEntry::new("i1", ResumeStatus::Resolved)
    .with_payload(Object::from([("approved", true)]));
assert_eq!(to_json(&entry), r#"{"interruptId":"i1","status":"resolved","payload":{"approved":true}}"#);
```"##
    };
    (RunAgentInput) => {
        r##"
# Example

```
use ag_ui_native::types::{RunAgentInput, UserMessage};
use ag_ui_native::to_json;

let input = RunAgentInput::new("t1", "r1", vec![UserMessage::new("m1", "Hello!").into()])
    .with_tools(vec![])
    .with_context(vec![]);
assert_eq!(to_json(&input), r#"{"threadId":"t1","runId":"r1","messages":[{"id":"m1","role":"user","content":"Hello!"}],"tools":[],"context":[]}"#);
```"##
    };
    (Interrupt) => {
        r##"
# Example

```
use ag_ui_native::types::Interrupt;
use ag_ui_native::to_json;

let interrupt = Interrupt::new("i1", "tool_call")
    .with_message("Send the mail?")
    .with_tool_call_id("c1");
assert_eq!(to_json(&interrupt), r#"{"id":"i1","reason":"tool_call","message":"Send the mail?","toolCallId":"c1"}"#);
```"##
    };
    (RunFinishedSuccessOutcome) => {
        r##"
# Example

```
use ag_ui_native::types::RunFinishedSuccessOutcome;
use ag_ui_native::to_json;

let outcome = RunFinishedSuccessOutcome::new().with_pending_tool_call_ids(vec!["c1".into()]);
assert_eq!(to_json(&outcome), r#"{"type":"success","pendingToolCallIds":["c1"]}"#);
```"##
    };
    (RunFinishedInterruptOutcome) => {
        r##"
# Example

```
use ag_ui_native::types::{Interrupt, RunFinishedInterruptOutcome};
use ag_ui_native::to_json;

let outcome = RunFinishedInterruptOutcome::new(vec![Interrupt::new("i1", "tool_call")]);
assert_eq!(to_json(&outcome), r#"{"type":"interrupt","interrupts":[{"id":"i1","reason":"tool_call"}]}"#);
```"##
    };
    (RunFinishedCancelledOutcome) => {
        r##"
# Example

```
use ag_ui_native::types::RunFinishedCancelledOutcome;
use ag_ui_native::to_json;

let outcome = RunFinishedCancelledOutcome::new();
assert_eq!(to_json(&outcome), r#"{"type":"cancelled"}"#);
```"##
    };
    (SubagentFinishedSuccessOutcome) => {
        r##"
# Example

```
use ag_ui_native::types::SubagentFinishedSuccessOutcome;
use ag_ui_native::to_json;

let outcome = SubagentFinishedSuccessOutcome::new();
assert_eq!(to_json(&outcome), r#"{"type":"success"}"#);
```"##
    };
    (SubagentFinishedSuspendedOutcome) => {
        r##"
# Example

```
use ag_ui_native::types::SubagentFinishedSuspendedOutcome;
use ag_ui_native::to_json;

let outcome = SubagentFinishedSuspendedOutcome::new().with_interrupt_ids(vec!["i1".into()]);
assert_eq!(to_json(&outcome), r#"{"type":"suspended","interruptIds":["i1"]}"#);
```"##
    };
    (TokenUsage) => {
        r##"
# Example

```
use ag_ui_native::types::TokenUsage;
use ag_ui_native::to_json;

let usage = TokenUsage::new().with_provider("openai").with_input_tokens(120).with_output_tokens(30);
assert_eq!(to_json(&usage), r#"{"provider":"openai","inputTokens":120,"outputTokens":30}"#);
```"##
    };
    (TextMessageStartEvent) => {
        r##"
# Example

```
use ag_ui_native::types::{TextMessageRole, TextMessageStartEvent};
use ag_ui_native::to_json;

let event = TextMessageStartEvent::new("m1").with_role(TextMessageRole::Assistant);
assert_eq!(to_json(&event), r#"{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}"#);
```"##
    };
    (TextMessageContentEvent) => {
        r##"
# Example

```
use ag_ui_native::types::TextMessageContentEvent;
use ag_ui_native::to_json;

let event = TextMessageContentEvent::new("m1", "Hello");
assert_eq!(to_json(&event), r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Hello"}"#);
```"##
    };
    (TextMessageEndEvent) => {
        r##"
# Example

```
use ag_ui_native::types::TextMessageEndEvent;
use ag_ui_native::to_json;

let event = TextMessageEndEvent::new("m1");
assert_eq!(to_json(&event), r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#);
```"##
    };
    (TextMessageChunkEvent) => {
        r##"
# Example

```
use ag_ui_native::types::TextMessageChunkEvent;
use ag_ui_native::to_json;

let event = TextMessageChunkEvent::new().with_message_id("m1").with_delta("Hello");
assert_eq!(to_json(&event), r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Hello"}"#);
```"##
    };
    (ToolCallStartEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ToolCallStartEvent;
use ag_ui_native::to_json;

let event = ToolCallStartEvent::new("c1", "current_time");
assert_eq!(to_json(&event), r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"current_time"}"#);
```"##
    };
    (ToolCallArgsEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ToolCallArgsEvent;
use ag_ui_native::to_json;

let event = ToolCallArgsEvent::new("c1", "{}");
assert_eq!(to_json(&event), r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{}"}"#);
```"##
    };
    (ToolCallEndEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ToolCallEndEvent;
use ag_ui_native::to_json;

let event = ToolCallEndEvent::new("c1");
assert_eq!(to_json(&event), r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#);
```"##
    };
    (ToolCallChunkEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ToolCallChunkEvent;
use ag_ui_native::to_json;

let event = ToolCallChunkEvent::new()
    .with_tool_call_id("c1")
    .with_tool_call_name("current_time")
    .with_delta("{}");
assert_eq!(to_json(&event), r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"current_time","delta":"{}"}"#);
```"##
    };
    (ToolCallResultEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ToolCallResultEvent;
use ag_ui_native::to_json;

let event = ToolCallResultEvent::new("m3", "c1", "12:30");
assert_eq!(to_json(&event), r#"{"type":"TOOL_CALL_RESULT","messageId":"m3","toolCallId":"c1","content":"12:30"}"#);
```"##
    };
    (StateSnapshotEvent) => {
        r##"
# Example

```
use ag_ui_native::types::StateSnapshotEvent;
use ag_ui_native::{Object, Value, to_json};

let event = StateSnapshotEvent::new(Object::from([("tasks", Value::Array(vec![]))]));
assert_eq!(to_json(&event), r#"{"type":"STATE_SNAPSHOT","snapshot":{"tasks":[]}}"#);
```"##
    };
    (StateDeltaEvent) => {
        r##"
# Example

```
use ag_ui_native::types::{AddOperation, JsonPointer, StateDeltaEvent};
use ag_ui_native::to_json;

let event = StateDeltaEvent::new(
    vec![AddOperation::new(JsonPointer::parse("/tasks/-").unwrap(), "Buy milk").into()],
);
assert_eq!(to_json(&event), r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/tasks/-","value":"Buy milk"}]}"#);
```"##
    };
    (MessagesSnapshotEvent) => {
        r##"
# Example

```
use ag_ui_native::types::{MessagesSnapshotEvent, UserMessage};
use ag_ui_native::to_json;

let event = MessagesSnapshotEvent::new(vec![UserMessage::new("m1", "Hello!").into()]);
assert_eq!(to_json(&event), r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m1","role":"user","content":"Hello!"}]}"#);
```"##
    };
    (ActivitySnapshotEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ActivitySnapshotEvent;
use ag_ui_native::{Object, to_json};

let event = ActivitySnapshotEvent::new("m4", "search", Object::from([("found", 0)]));
assert_eq!(to_json(&event), r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"m4","activityType":"search","content":{"found":0}}"#);
```"##
    };
    (ActivityDeltaEvent) => {
        r##"
# Example

```
use ag_ui_native::types::{ActivityDeltaEvent, JsonPointer, ReplaceOperation};
use ag_ui_native::to_json;

let event = ActivityDeltaEvent::new(
    "m4",
    "search",
    vec![ReplaceOperation::new(JsonPointer::parse("/found").unwrap(), 3).into()],
);
assert_eq!(to_json(&event), r#"{"type":"ACTIVITY_DELTA","messageId":"m4","activityType":"search","patch":[{"op":"replace","path":"/found","value":3}]}"#);
```"##
    };
    (RawEvent) => {
        r##"
# Example

```
use ag_ui_native::types::RawEvent;
use ag_ui_native::{Object, to_json};

let event = RawEvent::new(Object::from([("kind", "ping")])).with_source("provider");
assert_eq!(to_json(&event), r#"{"type":"RAW","event":{"kind":"ping"},"source":"provider"}"#);
```"##
    };
    (CustomEvent) => {
        r##"
# Example

```
use ag_ui_native::types::CustomEvent;
use ag_ui_native::to_json;

let event = CustomEvent::new("progress", 0.5);
assert_eq!(to_json(&event), r#"{"type":"CUSTOM","name":"progress","value":0.5}"#);
```"##
    };
    (RunStartedEvent) => {
        r##"
# Example

```
use ag_ui_native::types::RunStartedEvent;
use ag_ui_native::to_json;

let event = RunStartedEvent::new("t1", "r1");
assert_eq!(to_json(&event), r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1"}"#);
```"##
    };
    (RunFinishedEvent) => {
        r##"
# Example

```
use ag_ui_native::types::{RunFinishedEvent, RunFinishedSuccessOutcome};
use ag_ui_native::to_json;

let event = RunFinishedEvent::new("t1", "r1").with_outcome(RunFinishedSuccessOutcome::new());
assert_eq!(to_json(&event), r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success"}}"#);
```"##
    };
    (RunErrorEvent) => {
        r##"
# Example

```
use ag_ui_native::types::RunErrorEvent;
use ag_ui_native::to_json;

let event = RunErrorEvent::new("The model does not answer.").with_code("model_timeout");
assert_eq!(to_json(&event), r#"{"type":"RUN_ERROR","message":"The model does not answer.","code":"model_timeout"}"#);
```"##
    };
    (StepStartedEvent) => {
        r##"
# Example

```
use ag_ui_native::types::StepStartedEvent;
use ag_ui_native::to_json;

let event = StepStartedEvent::new("search");
assert_eq!(to_json(&event), r#"{"type":"STEP_STARTED","stepName":"search"}"#);
```"##
    };
    (StepFinishedEvent) => {
        r##"
# Example

```
use ag_ui_native::types::StepFinishedEvent;
use ag_ui_native::to_json;

let event = StepFinishedEvent::new("search");
assert_eq!(to_json(&event), r#"{"type":"STEP_FINISHED","stepName":"search"}"#);
```"##
    };
    (ReasoningStartEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ReasoningStartEvent;
use ag_ui_native::to_json;

let event = ReasoningStartEvent::new("m5");
assert_eq!(to_json(&event), r#"{"type":"REASONING_START","messageId":"m5"}"#);
```"##
    };
    (ReasoningMessageStartEvent) => {
        r##"
# Example

```
use ag_ui_native::types::{ReasoningMessageRole, ReasoningMessageStartEvent};
use ag_ui_native::to_json;

let event = ReasoningMessageStartEvent::new("m5", ReasoningMessageRole::Reasoning);
assert_eq!(to_json(&event), r#"{"type":"REASONING_MESSAGE_START","messageId":"m5","role":"reasoning"}"#);
```"##
    };
    (ReasoningMessageContentEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ReasoningMessageContentEvent;
use ag_ui_native::to_json;

let event = ReasoningMessageContentEvent::new("m5", "The user greets me.");
assert_eq!(to_json(&event), r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"m5","delta":"The user greets me."}"#);
```"##
    };
    (ReasoningMessageEndEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ReasoningMessageEndEvent;
use ag_ui_native::to_json;

let event = ReasoningMessageEndEvent::new("m5");
assert_eq!(to_json(&event), r#"{"type":"REASONING_MESSAGE_END","messageId":"m5"}"#);
```"##
    };
    (ReasoningMessageChunkEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ReasoningMessageChunkEvent;
use ag_ui_native::to_json;

let event = ReasoningMessageChunkEvent::new()
    .with_message_id("m5")
    .with_delta("The user greets me.");
assert_eq!(to_json(&event), r#"{"type":"REASONING_MESSAGE_CHUNK","messageId":"m5","delta":"The user greets me."}"#);
```"##
    };
    (ReasoningEndEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ReasoningEndEvent;
use ag_ui_native::to_json;

let event = ReasoningEndEvent::new("m5");
assert_eq!(to_json(&event), r#"{"type":"REASONING_END","messageId":"m5"}"#);
```"##
    };
    (ReasoningEncryptedValueEvent) => {
        r##"
# Example

```
use ag_ui_native::types::{ReasoningEncryptedValueEvent, ReasoningEncryptedValueSubtype};
use ag_ui_native::to_json;

let event = ReasoningEncryptedValueEvent::new(
    ReasoningEncryptedValueSubtype::Message,
    "m5",
    "gAAAAB",
);
assert_eq!(to_json(&event), r#"{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"m5","encryptedValue":"gAAAAB"}"#);
```"##
    };
    (SubagentStartedEvent) => {
        r##"
# Example

```
use ag_ui_native::types::SubagentStartedEvent;
use ag_ui_native::to_json;

let event = SubagentStartedEvent::new("researcher-1", "researcher");
assert_eq!(to_json(&event), r#"{"type":"SUBAGENT_STARTED","subagentRunId":"researcher-1","name":"researcher"}"#);
```"##
    };
    (SubagentFinishedEvent) => {
        r##"
# Example

```
use ag_ui_native::types::SubagentFinishedEvent;
use ag_ui_native::to_json;

let event = SubagentFinishedEvent::new("researcher-1").with_result("3 sources");
assert_eq!(to_json(&event), r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"researcher-1","result":"3 sources"}"#);
```"##
    };
    (SubagentErrorEvent) => {
        r##"
# Example

```
use ag_ui_native::types::SubagentErrorEvent;
use ag_ui_native::to_json;

let event = SubagentErrorEvent::new("researcher-1", "The search failed.");
assert_eq!(to_json(&event), r#"{"type":"SUBAGENT_ERROR","subagentRunId":"researcher-1","message":"The search failed."}"#);
```"##
    };
    (SubagentInfo) => {
        r##"
# Example

```
use ag_ui_native::types::SubagentInfo;
use ag_ui_native::to_json;

let info = SubagentInfo::new("researcher").with_description("Finds sources.");
assert_eq!(to_json(&info), r#"{"name":"researcher","description":"Finds sources."}"#);
```"##
    };
    (IdentityCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::IdentityCapabilities;
use ag_ui_native::to_json;

let capabilities = IdentityCapabilities::new()
    .with_name("Helper")
    .with_version("1.2.0")
    .with_provider("example.org");
assert_eq!(to_json(&capabilities), r#"{"name":"Helper","version":"1.2.0","provider":"example.org"}"#);
```"##
    };
    (TransportCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::TransportCapabilities;
use ag_ui_native::to_json;

let capabilities = TransportCapabilities::new().with_streaming(true).with_http_binary(true);
assert_eq!(to_json(&capabilities), r#"{"streaming":true,"httpBinary":true}"#);
```"##
    };
    (ToolsCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::ToolsCapabilities;
use ag_ui_native::to_json;

let capabilities = ToolsCapabilities::new().with_supported(true).with_client_provided(true);
assert_eq!(to_json(&capabilities), r#"{"supported":true,"clientProvided":true}"#);
```"##
    };
    (OutputCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::OutputCapabilities;
use ag_ui_native::to_json;

let capabilities = OutputCapabilities::new()
    .with_structured_output(true)
    .with_supported_mime_types(vec!["text/plain".into()]);
assert_eq!(to_json(&capabilities), r#"{"structuredOutput":true,"supportedMimeTypes":["text/plain"]}"#);
```"##
    };
    (StateCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::StateCapabilities;
use ag_ui_native::to_json;

let capabilities = StateCapabilities::new().with_snapshots(true).with_deltas(true);
assert_eq!(to_json(&capabilities), r#"{"snapshots":true,"deltas":true}"#);
```"##
    };
    (MultiAgentCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::{MultiAgentCapabilities, SubagentInfo};
use ag_ui_native::to_json;

let capabilities = MultiAgentCapabilities::new()
    .with_supported(true)
    .with_subagents(vec![SubagentInfo::new("researcher")]);
assert_eq!(to_json(&capabilities), r#"{"supported":true,"subagents":[{"name":"researcher"}]}"#);
```"##
    };
    (ReasoningCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::ReasoningCapabilities;
use ag_ui_native::to_json;

let capabilities = ReasoningCapabilities::new().with_supported(true).with_streaming(true);
assert_eq!(to_json(&capabilities), r#"{"supported":true,"streaming":true}"#);
```"##
    };
    (MultimodalInputCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::MultimodalInputCapabilities;
use ag_ui_native::to_json;

let capabilities = MultimodalInputCapabilities::new().with_image(true).with_pdf(true);
assert_eq!(to_json(&capabilities), r#"{"image":true,"pdf":true}"#);
```"##
    };
    (MultimodalOutputCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::MultimodalOutputCapabilities;
use ag_ui_native::to_json;

let capabilities = MultimodalOutputCapabilities::new().with_image(true);
assert_eq!(to_json(&capabilities), r#"{"image":true}"#);
```"##
    };
    (MultimodalCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::{MultimodalCapabilities, MultimodalInputCapabilities, MultimodalOutputCapabilities};
use ag_ui_native::to_json;

let capabilities = MultimodalCapabilities::new()
    .with_input(MultimodalInputCapabilities::new().with_image(true))
    .with_output(MultimodalOutputCapabilities::new().with_audio(true));
assert_eq!(to_json(&capabilities), r#"{"input":{"image":true},"output":{"audio":true}}"#);
```"##
    };
    (ExecutionCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::ExecutionCapabilities;
use ag_ui_native::to_json;

let capabilities = ExecutionCapabilities::new()
    .with_code_execution(true)
    .with_sandboxed(true)
    .with_max_iterations(10);
assert_eq!(to_json(&capabilities), r#"{"codeExecution":true,"sandboxed":true,"maxIterations":10}"#);
```"##
    };
    (HumanInTheLoopCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::HumanInTheLoopCapabilities;
use ag_ui_native::to_json;

let capabilities = HumanInTheLoopCapabilities::new().with_supported(true).with_approvals(true);
assert_eq!(to_json(&capabilities), r#"{"supported":true,"approvals":true}"#);
```"##
    };
    (AgentCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::{AgentCapabilities, IdentityCapabilities, ToolsCapabilities};
use ag_ui_native::to_json;

let capabilities = AgentCapabilities::new()
    .with_identity(IdentityCapabilities::new().with_name("Helper"))
    .with_tools(ToolsCapabilities::new().with_supported(true));
assert_eq!(to_json(&capabilities), r#"{"identity":{"name":"Helper"},"tools":{"supported":true}}"#);
```"##
    };
    (PartSource) => {
        r#"
# Example

```
use ag_ui_native::types::{PartSource, UrlSource};

let source = PartSource::from(UrlSource::new("https://example.org/cat.png"));
assert_eq!(source.tag(), "url");
```"#
    };
    (ContentPart) => {
        r#"
# Example

```
use ag_ui_native::types::{ContentPart, TextPart};

let part = ContentPart::from(TextPart::new("What is this?"));
assert_eq!(part.tag(), "text");
```"#
    };
    (JsonPatchOperation) => {
        r#"
# Example

```
use ag_ui_native::types::{AddOperation, JsonPatchOperation, JsonPointer};

let operation = JsonPatchOperation::from(
    AddOperation::new(JsonPointer::parse("/tasks/-").unwrap(), "Buy milk"),
);
assert_eq!(operation.tag(), "add");
```"#
    };
    (Message) => {
        r#"
# Example

```
use ag_ui_native::types::{Message, UserMessage};

let message = Message::from(UserMessage::new("m1", "Hello!"));
assert_eq!(message.tag(), "user");
```"#
    };
    (RunFinishedOutcome) => {
        r#"
# Example

```
use ag_ui_native::types::{RunFinishedOutcome, RunFinishedSuccessOutcome};

let outcome = RunFinishedOutcome::from(RunFinishedSuccessOutcome::new());
assert_eq!(outcome.tag(), "success");
```"#
    };
    (SubagentFinishedOutcome) => {
        r#"
# Example

```
use ag_ui_native::types::{SubagentFinishedOutcome, SubagentFinishedSuspendedOutcome};

let outcome = SubagentFinishedOutcome::from(
    SubagentFinishedSuspendedOutcome::new().with_interrupt_ids(vec!["i1".into()]),
);
assert_eq!(outcome.tag(), "suspended");
```"#
    };
    (Event) => {
        r#"
# Example

```
use ag_ui_native::types::{Event, TextMessageContentEvent};

let event = Event::from(TextMessageContentEvent::new("m1", "Hello"));
assert_eq!(event.tag(), "TEXT_MESSAGE_CONTENT");
```"#
    };
    ($other:ident) => {
        ""
    };
}

/// Returns the example of the form of a type that borrows.
macro_rules! borrowed_example {
    (TextPart) => {
        r##"
# Example

```
use ag_ui_native::types::TextPart;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"text","text":"What is this?"}"#;
let (part, _) = borrow_json::<TextPart>(json, Profile::Strict)?;
let owned: TextPart = part.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (DataSource) => {
        r##"
# Example

```
use ag_ui_native::types::DataSource;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"data","value":"iVBORw0KGgo=","mimeType":"image/png"}"#;
let (source, _) = borrow_json::<DataSource>(json, Profile::Strict)?;
let owned: DataSource = source.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (UrlSource) => {
        r##"
# Example

```
use ag_ui_native::types::UrlSource;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"url","value":"https://example.org/cat.png","mimeType":"image/png"}"#;
let (source, _) = borrow_json::<UrlSource>(json, Profile::Strict)?;
let owned: UrlSource = source.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (FileSource) => {
        r##"
# Example

```
use ag_ui_native::types::FileSource;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"file","value":"file-123","provider":"openai"}"#;
let (source, _) = borrow_json::<FileSource>(json, Profile::Strict)?;
let owned: FileSource = source.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ImagePart) => {
        r##"
# Example

```
use ag_ui_native::types::ImagePart;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"image","source":{"type":"url","value":"https://example.org/cat.png"}}"#;
let (part, _) = borrow_json::<ImagePart>(json, Profile::Strict)?;
let owned: ImagePart = part.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (AudioPart) => {
        r##"
# Example

```
use ag_ui_native::types::AudioPart;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"audio","source":{"type":"url","value":"https://example.org/cat.mp3"}}"#;
let (part, _) = borrow_json::<AudioPart>(json, Profile::Strict)?;
let owned: AudioPart = part.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (VideoPart) => {
        r##"
# Example

```
use ag_ui_native::types::VideoPart;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"video","source":{"type":"url","value":"https://example.org/cat.mp4"}}"#;
let (part, _) = borrow_json::<VideoPart>(json, Profile::Strict)?;
let owned: VideoPart = part.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (DocumentPart) => {
        r##"
# Example

```
use ag_ui_native::types::DocumentPart;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"document","source":{"type":"file","value":"file-123","provider":"openai"}}"#;
let (part, _) = borrow_json::<DocumentPart>(json, Profile::Strict)?;
let owned: DocumentPart = part.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (AddOperation) => {
        r##"
# Example

```
use ag_ui_native::types::AddOperation;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"op":"add","path":"/tasks/-","value":"Buy milk"}"#;
let (operation, _) = borrow_json::<AddOperation>(json, Profile::Strict)?;
let owned: AddOperation = operation.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (RemoveOperation) => {
        r##"
# Example

```
use ag_ui_native::types::RemoveOperation;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"op":"remove","path":"/tasks/0"}"#;
let (operation, _) = borrow_json::<RemoveOperation>(json, Profile::Strict)?;
let owned: RemoveOperation = operation.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ReplaceOperation) => {
        r##"
# Example

```
use ag_ui_native::types::ReplaceOperation;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"op":"replace","path":"/title","value":"Groceries"}"#;
let (operation, _) = borrow_json::<ReplaceOperation>(json, Profile::Strict)?;
let owned: ReplaceOperation = operation.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (MoveOperation) => {
        r##"
# Example

```
use ag_ui_native::types::MoveOperation;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"op":"move","from":"/tasks/2","path":"/tasks/0"}"#;
let (operation, _) = borrow_json::<MoveOperation>(json, Profile::Strict)?;
let owned: MoveOperation = operation.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (CopyOperation) => {
        r##"
# Example

```
use ag_ui_native::types::CopyOperation;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"op":"copy","from":"/title","path":"/draft"}"#;
let (operation, _) = borrow_json::<CopyOperation>(json, Profile::Strict)?;
let owned: CopyOperation = operation.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (TestOperation) => {
        r##"
# Example

```
use ag_ui_native::types::TestOperation;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"op":"test","path":"/title","value":"Groceries"}"#;
let (operation, _) = borrow_json::<TestOperation>(json, Profile::Strict)?;
let owned: TestOperation = operation.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (FunctionCall) => {
        r##"
# Example

```
use ag_ui_native::types::FunctionCall;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"name":"current_time","arguments":"{}"}"#;
let (call, _) = borrow_json::<FunctionCall>(json, Profile::Strict)?;
let owned: FunctionCall = call.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ToolCall) => {
        r##"
# Example

```
use ag_ui_native::types::ToolCall;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"id":"c1","type":"function","function":{"name":"current_time","arguments":"{}"}}"#;
let (call, _) = borrow_json::<ToolCall>(json, Profile::Strict)?;
let owned: ToolCall = call.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (DeveloperMessage) => {
        r##"
# Example

```
use ag_ui_native::types::DeveloperMessage;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"id":"m1","role":"developer","content":"Answer in one sentence."}"#;
let (message, _) = borrow_json::<DeveloperMessage>(json, Profile::Strict)?;
let owned: DeveloperMessage = message.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (SystemMessage) => {
        r##"
# Example

```
use ag_ui_native::types::SystemMessage;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"id":"m1","role":"system","content":"You are a helpful assistant."}"#;
let (message, _) = borrow_json::<SystemMessage>(json, Profile::Strict)?;
let owned: SystemMessage = message.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (AssistantMessage) => {
        r##"
# Example

```
use ag_ui_native::types::AssistantMessage;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"id":"m2","role":"assistant","content":"Hello, Ada!"}"#;
let (message, _) = borrow_json::<AssistantMessage>(json, Profile::Strict)?;
let owned: AssistantMessage = message.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (UserMessage) => {
        r##"
# Example

```
use ag_ui_native::types::UserMessage;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"id":"m1","role":"user","content":"Hello!"}"#;
let (message, _) = borrow_json::<UserMessage>(json, Profile::Strict)?;
let owned: UserMessage = message.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ToolMessage) => {
        r##"
# Example

```
use ag_ui_native::types::ToolMessage;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"id":"m3","role":"tool","content":"12:30","toolCallId":"c1"}"#;
let (message, _) = borrow_json::<ToolMessage>(json, Profile::Strict)?;
let owned: ToolMessage = message.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ActivityMessage) => {
        r##"
# Example

```
use ag_ui_native::types::ActivityMessage;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"id":"m4","role":"activity","activityType":"search","content":{"found":3}}"#;
let (message, _) = borrow_json::<ActivityMessage>(json, Profile::Strict)?;
let owned: ActivityMessage = message.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ReasoningMessage) => {
        r##"
# Example

```
use ag_ui_native::types::ReasoningMessage;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"id":"m5","role":"reasoning","content":"The user greets me."}"#;
let (message, _) = borrow_json::<ReasoningMessage>(json, Profile::Strict)?;
let owned: ReasoningMessage = message.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (Tool) => {
        r##"
# Example

```
use ag_ui_native::types::Tool;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"name":"current_time","description":"Tells the time.","parameters":{"type":"object"}}"#;
let (tool, _) = borrow_json::<Tool>(json, Profile::Strict)?;
let owned: Tool = tool.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (Context) => {
        r##"
# Example

```
use ag_ui_native::types::Context;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"description":"The user's time zone","value":"Europe/Berlin"}"#;
let (context, _) = borrow_json::<Context>(json, Profile::Strict)?;
let owned: Context = context.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ResumeEntry) => {
        r##"
# Example

```
use ag_ui_native::types::ResumeEntry;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"interruptId":"i1","status":"resolved","payload":{"approved":true}}"#;
let (entry, _) = borrow_json::<ResumeEntry>(json, Profile::Strict)?;
let owned: ResumeEntry = entry.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (RunAgentInput) => {
        r##"
# Example

```
use ag_ui_native::types::RunAgentInput;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"threadId":"t1","runId":"r1","messages":[{"id":"m1","role":"user","content":"Hello!"}],"tools":[],"context":[]}"#;
let (input, _) = borrow_json::<RunAgentInput>(json, Profile::Strict)?;
let owned: RunAgentInput = input.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (Interrupt) => {
        r##"
# Example

```
use ag_ui_native::types::Interrupt;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"id":"i1","reason":"tool_call","message":"Send the mail?","toolCallId":"c1"}"#;
let (interrupt, _) = borrow_json::<Interrupt>(json, Profile::Strict)?;
let owned: Interrupt = interrupt.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (RunFinishedSuccessOutcome) => {
        r##"
# Example

```
use ag_ui_native::types::RunFinishedSuccessOutcome;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"success","pendingToolCallIds":["c1"]}"#;
let (outcome, _) = borrow_json::<RunFinishedSuccessOutcome>(json, Profile::Strict)?;
let owned: RunFinishedSuccessOutcome = outcome.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (RunFinishedInterruptOutcome) => {
        r##"
# Example

```
use ag_ui_native::types::RunFinishedInterruptOutcome;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"interrupt","interrupts":[{"id":"i1","reason":"tool_call"}]}"#;
let (outcome, _) = borrow_json::<RunFinishedInterruptOutcome>(json, Profile::Strict)?;
let owned: RunFinishedInterruptOutcome = outcome.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (RunFinishedCancelledOutcome) => {
        r##"
# Example

```
use ag_ui_native::types::RunFinishedCancelledOutcome;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"cancelled"}"#;
let (outcome, _) = borrow_json::<RunFinishedCancelledOutcome>(json, Profile::Strict)?;
let owned: RunFinishedCancelledOutcome = outcome.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (SubagentFinishedSuccessOutcome) => {
        r##"
# Example

```
use ag_ui_native::types::SubagentFinishedSuccessOutcome;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"success"}"#;
let (outcome, _) = borrow_json::<SubagentFinishedSuccessOutcome>(json, Profile::Strict)?;
let owned: SubagentFinishedSuccessOutcome = outcome.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (SubagentFinishedSuspendedOutcome) => {
        r##"
# Example

```
use ag_ui_native::types::SubagentFinishedSuspendedOutcome;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"suspended","interruptIds":["i1"]}"#;
let (outcome, _) = borrow_json::<SubagentFinishedSuspendedOutcome>(json, Profile::Strict)?;
let owned: SubagentFinishedSuspendedOutcome = outcome.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (TokenUsage) => {
        r##"
# Example

```
use ag_ui_native::types::TokenUsage;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"provider":"openai","inputTokens":120,"outputTokens":30}"#;
let (usage, _) = borrow_json::<TokenUsage>(json, Profile::Strict)?;
let owned: TokenUsage = usage.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (TextMessageStartEvent) => {
        r##"
# Example

```
use ag_ui_native::types::TextMessageStartEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}"#;
let (event, _) = borrow_json::<TextMessageStartEvent>(json, Profile::Strict)?;
let owned: TextMessageStartEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (TextMessageContentEvent) => {
        r##"
# Example

```
use ag_ui_native::types::TextMessageContentEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Hello"}"#;
let (event, _) = borrow_json::<TextMessageContentEvent>(json, Profile::Strict)?;
let owned: TextMessageContentEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (TextMessageEndEvent) => {
        r##"
# Example

```
use ag_ui_native::types::TextMessageEndEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#;
let (event, _) = borrow_json::<TextMessageEndEvent>(json, Profile::Strict)?;
let owned: TextMessageEndEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (TextMessageChunkEvent) => {
        r##"
# Example

```
use ag_ui_native::types::TextMessageChunkEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Hello"}"#;
let (event, _) = borrow_json::<TextMessageChunkEvent>(json, Profile::Strict)?;
let owned: TextMessageChunkEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ToolCallStartEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ToolCallStartEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"current_time"}"#;
let (event, _) = borrow_json::<ToolCallStartEvent>(json, Profile::Strict)?;
let owned: ToolCallStartEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ToolCallArgsEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ToolCallArgsEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{}"}"#;
let (event, _) = borrow_json::<ToolCallArgsEvent>(json, Profile::Strict)?;
let owned: ToolCallArgsEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ToolCallEndEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ToolCallEndEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#;
let (event, _) = borrow_json::<ToolCallEndEvent>(json, Profile::Strict)?;
let owned: ToolCallEndEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ToolCallChunkEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ToolCallChunkEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"current_time","delta":"{}"}"#;
let (event, _) = borrow_json::<ToolCallChunkEvent>(json, Profile::Strict)?;
let owned: ToolCallChunkEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ToolCallResultEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ToolCallResultEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"TOOL_CALL_RESULT","messageId":"m3","toolCallId":"c1","content":"12:30"}"#;
let (event, _) = borrow_json::<ToolCallResultEvent>(json, Profile::Strict)?;
let owned: ToolCallResultEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (StateSnapshotEvent) => {
        r##"
# Example

```
use ag_ui_native::types::StateSnapshotEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"STATE_SNAPSHOT","snapshot":{"tasks":[]}}"#;
let (event, _) = borrow_json::<StateSnapshotEvent>(json, Profile::Strict)?;
let owned: StateSnapshotEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (StateDeltaEvent) => {
        r##"
# Example

```
use ag_ui_native::types::StateDeltaEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/tasks/-","value":"Buy milk"}]}"#;
let (event, _) = borrow_json::<StateDeltaEvent>(json, Profile::Strict)?;
let owned: StateDeltaEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (MessagesSnapshotEvent) => {
        r##"
# Example

```
use ag_ui_native::types::MessagesSnapshotEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m1","role":"user","content":"Hello!"}]}"#;
let (event, _) = borrow_json::<MessagesSnapshotEvent>(json, Profile::Strict)?;
let owned: MessagesSnapshotEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ActivitySnapshotEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ActivitySnapshotEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"m4","activityType":"search","content":{"found":0}}"#;
let (event, _) = borrow_json::<ActivitySnapshotEvent>(json, Profile::Strict)?;
let owned: ActivitySnapshotEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ActivityDeltaEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ActivityDeltaEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"ACTIVITY_DELTA","messageId":"m4","activityType":"search","patch":[{"op":"replace","path":"/found","value":3}]}"#;
let (event, _) = borrow_json::<ActivityDeltaEvent>(json, Profile::Strict)?;
let owned: ActivityDeltaEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (RawEvent) => {
        r##"
# Example

```
use ag_ui_native::types::RawEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"RAW","event":{"kind":"ping"},"source":"provider"}"#;
let (event, _) = borrow_json::<RawEvent>(json, Profile::Strict)?;
let owned: RawEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (CustomEvent) => {
        r##"
# Example

```
use ag_ui_native::types::CustomEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"CUSTOM","name":"progress","value":0.5}"#;
let (event, _) = borrow_json::<CustomEvent>(json, Profile::Strict)?;
let owned: CustomEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (RunStartedEvent) => {
        r##"
# Example

```
use ag_ui_native::types::RunStartedEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1"}"#;
let (event, _) = borrow_json::<RunStartedEvent>(json, Profile::Strict)?;
let owned: RunStartedEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (RunFinishedEvent) => {
        r##"
# Example

```
use ag_ui_native::types::RunFinishedEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success"}}"#;
let (event, _) = borrow_json::<RunFinishedEvent>(json, Profile::Strict)?;
let owned: RunFinishedEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (RunErrorEvent) => {
        r##"
# Example

```
use ag_ui_native::types::RunErrorEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"RUN_ERROR","message":"The model does not answer.","code":"model_timeout"}"#;
let (event, _) = borrow_json::<RunErrorEvent>(json, Profile::Strict)?;
let owned: RunErrorEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (StepStartedEvent) => {
        r##"
# Example

```
use ag_ui_native::types::StepStartedEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"STEP_STARTED","stepName":"search"}"#;
let (event, _) = borrow_json::<StepStartedEvent>(json, Profile::Strict)?;
let owned: StepStartedEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (StepFinishedEvent) => {
        r##"
# Example

```
use ag_ui_native::types::StepFinishedEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"STEP_FINISHED","stepName":"search"}"#;
let (event, _) = borrow_json::<StepFinishedEvent>(json, Profile::Strict)?;
let owned: StepFinishedEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ReasoningStartEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ReasoningStartEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"REASONING_START","messageId":"m5"}"#;
let (event, _) = borrow_json::<ReasoningStartEvent>(json, Profile::Strict)?;
let owned: ReasoningStartEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ReasoningMessageStartEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ReasoningMessageStartEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"REASONING_MESSAGE_START","messageId":"m5","role":"reasoning"}"#;
let (event, _) = borrow_json::<ReasoningMessageStartEvent>(json, Profile::Strict)?;
let owned: ReasoningMessageStartEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ReasoningMessageContentEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ReasoningMessageContentEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"m5","delta":"The user greets me."}"#;
let (event, _) = borrow_json::<ReasoningMessageContentEvent>(json, Profile::Strict)?;
let owned: ReasoningMessageContentEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ReasoningMessageEndEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ReasoningMessageEndEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"REASONING_MESSAGE_END","messageId":"m5"}"#;
let (event, _) = borrow_json::<ReasoningMessageEndEvent>(json, Profile::Strict)?;
let owned: ReasoningMessageEndEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ReasoningMessageChunkEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ReasoningMessageChunkEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"REASONING_MESSAGE_CHUNK","messageId":"m5","delta":"The user greets me."}"#;
let (event, _) = borrow_json::<ReasoningMessageChunkEvent>(json, Profile::Strict)?;
let owned: ReasoningMessageChunkEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ReasoningEndEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ReasoningEndEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"REASONING_END","messageId":"m5"}"#;
let (event, _) = borrow_json::<ReasoningEndEvent>(json, Profile::Strict)?;
let owned: ReasoningEndEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ReasoningEncryptedValueEvent) => {
        r##"
# Example

```
use ag_ui_native::types::ReasoningEncryptedValueEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"m5","encryptedValue":"gAAAAB"}"#;
let (event, _) = borrow_json::<ReasoningEncryptedValueEvent>(json, Profile::Strict)?;
let owned: ReasoningEncryptedValueEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (SubagentStartedEvent) => {
        r##"
# Example

```
use ag_ui_native::types::SubagentStartedEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"SUBAGENT_STARTED","subagentRunId":"researcher-1","name":"researcher"}"#;
let (event, _) = borrow_json::<SubagentStartedEvent>(json, Profile::Strict)?;
let owned: SubagentStartedEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (SubagentFinishedEvent) => {
        r##"
# Example

```
use ag_ui_native::types::SubagentFinishedEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"researcher-1","result":"3 sources"}"#;
let (event, _) = borrow_json::<SubagentFinishedEvent>(json, Profile::Strict)?;
let owned: SubagentFinishedEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (SubagentErrorEvent) => {
        r##"
# Example

```
use ag_ui_native::types::SubagentErrorEvent;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"SUBAGENT_ERROR","subagentRunId":"researcher-1","message":"The search failed."}"#;
let (event, _) = borrow_json::<SubagentErrorEvent>(json, Profile::Strict)?;
let owned: SubagentErrorEvent = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (SubagentInfo) => {
        r##"
# Example

```
use ag_ui_native::types::SubagentInfo;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"name":"researcher","description":"Finds sources."}"#;
let (info, _) = borrow_json::<SubagentInfo>(json, Profile::Strict)?;
let owned: SubagentInfo = info.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (IdentityCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::IdentityCapabilities;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"name":"Helper","version":"1.2.0","provider":"example.org"}"#;
let (capabilities, _) = borrow_json::<IdentityCapabilities>(json, Profile::Strict)?;
let owned: IdentityCapabilities = capabilities.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (TransportCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::TransportCapabilities;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"streaming":true,"httpBinary":true}"#;
let (capabilities, _) = borrow_json::<TransportCapabilities>(json, Profile::Strict)?;
let owned: TransportCapabilities = capabilities.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ToolsCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::ToolsCapabilities;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"supported":true,"clientProvided":true}"#;
let (capabilities, _) = borrow_json::<ToolsCapabilities>(json, Profile::Strict)?;
let owned: ToolsCapabilities = capabilities.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (OutputCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::OutputCapabilities;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"structuredOutput":true,"supportedMimeTypes":["text/plain"]}"#;
let (capabilities, _) = borrow_json::<OutputCapabilities>(json, Profile::Strict)?;
let owned: OutputCapabilities = capabilities.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (StateCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::StateCapabilities;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"snapshots":true,"deltas":true}"#;
let (capabilities, _) = borrow_json::<StateCapabilities>(json, Profile::Strict)?;
let owned: StateCapabilities = capabilities.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (MultiAgentCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::MultiAgentCapabilities;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"supported":true,"subagents":[{"name":"researcher"}]}"#;
let (capabilities, _) = borrow_json::<MultiAgentCapabilities>(json, Profile::Strict)?;
let owned: MultiAgentCapabilities = capabilities.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ReasoningCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::ReasoningCapabilities;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"supported":true,"streaming":true}"#;
let (capabilities, _) = borrow_json::<ReasoningCapabilities>(json, Profile::Strict)?;
let owned: ReasoningCapabilities = capabilities.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (MultimodalInputCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::MultimodalInputCapabilities;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"image":true,"pdf":true}"#;
let (capabilities, _) = borrow_json::<MultimodalInputCapabilities>(json, Profile::Strict)?;
let owned: MultimodalInputCapabilities = capabilities.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (MultimodalOutputCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::MultimodalOutputCapabilities;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"image":true}"#;
let (capabilities, _) = borrow_json::<MultimodalOutputCapabilities>(json, Profile::Strict)?;
let owned: MultimodalOutputCapabilities = capabilities.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (MultimodalCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::MultimodalCapabilities;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"input":{"image":true},"output":{"audio":true}}"#;
let (capabilities, _) = borrow_json::<MultimodalCapabilities>(json, Profile::Strict)?;
let owned: MultimodalCapabilities = capabilities.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ExecutionCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::ExecutionCapabilities;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"codeExecution":true,"sandboxed":true,"maxIterations":10}"#;
let (capabilities, _) = borrow_json::<ExecutionCapabilities>(json, Profile::Strict)?;
let owned: ExecutionCapabilities = capabilities.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (HumanInTheLoopCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::HumanInTheLoopCapabilities;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"supported":true,"approvals":true}"#;
let (capabilities, _) = borrow_json::<HumanInTheLoopCapabilities>(json, Profile::Strict)?;
let owned: HumanInTheLoopCapabilities = capabilities.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (AgentCapabilities) => {
        r##"
# Example

```
use ag_ui_native::types::AgentCapabilities;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"identity":{"name":"Helper"},"tools":{"supported":true}}"#;
let (capabilities, _) = borrow_json::<AgentCapabilities>(json, Profile::Strict)?;
let owned: AgentCapabilities = capabilities.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (PartSource) => {
        r##"
# Example

```
use ag_ui_native::types::PartSource;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"url","value":"https://example.org/cat.png"}"#;
let (source, _) = borrow_json::<PartSource>(json, Profile::Strict)?;
let owned: PartSource = source.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (ContentPart) => {
        r##"
# Example

```
use ag_ui_native::types::ContentPart;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"text","text":"What is this?"}"#;
let (part, _) = borrow_json::<ContentPart>(json, Profile::Strict)?;
let owned: ContentPart = part.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (JsonPatchOperation) => {
        r##"
# Example

```
use ag_ui_native::types::JsonPatchOperation;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"op":"add","path":"/tasks/-","value":"Buy milk"}"#;
let (operation, _) = borrow_json::<JsonPatchOperation>(json, Profile::Strict)?;
let owned: JsonPatchOperation = operation.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (Message) => {
        r##"
# Example

```
use ag_ui_native::types::Message;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"id":"m1","role":"user","content":"Hello!"}"#;
let (message, _) = borrow_json::<Message>(json, Profile::Strict)?;
let owned: Message = message.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (RunFinishedOutcome) => {
        r##"
# Example

```
use ag_ui_native::types::RunFinishedOutcome;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"success"}"#;
let (outcome, _) = borrow_json::<RunFinishedOutcome>(json, Profile::Strict)?;
let owned: RunFinishedOutcome = outcome.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (SubagentFinishedOutcome) => {
        r##"
# Example

```
use ag_ui_native::types::SubagentFinishedOutcome;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"suspended","interruptIds":["i1"]}"#;
let (outcome, _) = borrow_json::<SubagentFinishedOutcome>(json, Profile::Strict)?;
let owned: SubagentFinishedOutcome = outcome.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    (Event) => {
        r##"
# Example

```
use ag_ui_native::types::Event;
use ag_ui_native::{Profile, borrow_json, to_json};

let json = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Hello"}"#;
let (event, _) = borrow_json::<Event>(json, Profile::Strict)?;
let owned: Event = event.into_owned();
assert_eq!(to_json(&owned), json);
# Ok::<(), ag_ui_native::Error>(())
```"##
    };
    ($other:ident) => {
        ""
    };
}
