//! Shared code of the fixture runners: it reads fixtures, and reads a document as the type of a given name.
#![allow(dead_code)] // Each runner is a crate of its own and uses what it needs.

use ag_ui_native::bindings::decode::{DeclaredType, DocumentReader};
use ag_ui_native::bindings::schema::FieldType;
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::{Error, Event, Issue, Limits, Profile, from_json, to_json};
use serde::de::DeserializeOwned;

/// Reads the fixture of this name, whose file is in one of the folders of `tests/fixtures`.
pub fn fixture<T: DeserializeOwned>(name: &str) -> T {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures");
    let folders = [".", "adapters", "client", "server", "stream", "types", "wire"];
    let mut paths = folders.iter().map(|folder| format!("{fixtures}/{folder}/{name}.json"));
    let path =
        paths.find(|path| std::path::Path::new(path).exists()).unwrap_or_else(|| panic!("no fixture {name}"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Bytes as fixtures have them: text, or base64 with padding.
#[derive(serde::Deserialize)]
#[serde(untagged)]
pub enum Body {
    /// Text.
    Text(String),
    /// A body that is not text.
    Bytes {
        /// The bytes.
        base64: String,
    },
}

impl Body {
    /// The bytes.
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.clone().into_bytes(),
            Self::Bytes { base64 } => decode_base64(base64),
        }
    }
}

fn decode_base64(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    for four in text.as_bytes().chunks(4) {
        let used = four.iter().filter(|&&byte| byte != b'=').count();
        let bits = four.iter().fold(0u32, |bits, &byte| bits << 6 | u32::from(digit(byte) & 63));
        bytes.extend_from_slice(&bits.to_be_bytes()[1..used]);
    }
    bytes
}

/// The result of reading a document.
#[derive(Debug)]
pub struct Outcome {
    /// The value, written again; nothing if it was left out.
    pub value: Option<String>,
    /// The repairs.
    pub warnings: Vec<Issue>,
}

/// Calls a function for the declared type called `$name`; events are `Event`.
#[macro_export]
macro_rules! for_type_named {
    ($name:expr, $function:ident($($argument:expr),*)) => {
        $crate::for_type_named!{
            @ $name, $function, ($($argument),*)
            Attributable BaseEvent BaseMessage TextPart DataSource UrlSource FileSource ImagePart
            AudioPart VideoPart DocumentPart AddOperation RemoveOperation ReplaceOperation MoveOperation
            CopyOperation TestOperation FunctionCall ToolCall DeveloperMessage SystemMessage
            AssistantMessage UserMessage ToolMessage ActivityMessage ReasoningMessage Tool Context
            ResumeEntry RunAgentInput Interrupt RunFinishedSuccessOutcome RunFinishedInterruptOutcome
            RunFinishedCancelledOutcome SubagentFinishedSuccessOutcome SubagentFinishedSuspendedOutcome
            TokenUsage TextMessageStartEvent TextMessageContentEvent TextMessageEndEvent
            TextMessageChunkEvent ToolCallStartEvent ToolCallArgsEvent ToolCallEndEvent
            ToolCallChunkEvent ToolCallResultEvent StateSnapshotEvent StateDeltaEvent
            MessagesSnapshotEvent ActivitySnapshotEvent ActivityDeltaEvent RawEvent CustomEvent
            RunStartedEvent RunFinishedEvent RunErrorEvent StepStartedEvent StepFinishedEvent
            ReasoningStartEvent ReasoningMessageStartEvent ReasoningMessageContentEvent
            ReasoningMessageEndEvent ReasoningMessageChunkEvent ReasoningEndEvent
            ReasoningEncryptedValueEvent SubagentStartedEvent SubagentFinishedEvent SubagentErrorEvent
            SubagentInfo IdentityCapabilities TransportCapabilities ToolsCapabilities OutputCapabilities
            StateCapabilities MultiAgentCapabilities ReasoningCapabilities MultimodalInputCapabilities
            MultimodalOutputCapabilities MultimodalCapabilities ExecutionCapabilities
            HumanInTheLoopCapabilities AgentCapabilities BinaryInputContent PartSource ContentPart
            JsonPatchOperation Message RunFinishedOutcome SubagentFinishedOutcome
            Event
        }
    };
    (@ $name:expr, $function:ident, $arguments:tt $($ty:ident)+) => {
        match $name {
            $(stringify!($ty) => $crate::for_type_named!(@call $function, $ty, $arguments),)+
            other => panic!("no type is called {other}"),
        }
    };
    (@call $function:ident, $ty:ident, ($($argument:expr),*)) => {
        $function::<ag_ui_native::types::$ty>($($argument),*)
    };
}

/// Reads `json` as the type called `name`, then writes it.
pub fn read_as(name: &str, json: &str, profile: Profile) -> Result<Outcome, Error> {
    match name {
        "Event" => read_event(json, profile),
        _ => for_type_named!(name, read(json, profile)),
    }
}

fn read<T: DeclaredType + PartialEq + std::fmt::Debug>(
    json: &str,
    profile: Profile,
) -> Result<Outcome, Error> {
    let (value, warnings) = from_json::<T>(json, profile)?;
    let written = to_json(&value);
    // A profile reads its own output again without a change. Only the relay profile keeps values that others refuse.
    let (again, more) = from_json::<T>(&written, profile)?;
    assert_eq!(value, again, "{written}");
    assert!(more.is_empty(), "{written}: {more:?}");
    Ok(Outcome { value: Some(written), warnings })
}

fn read_event(json: &str, profile: Profile) -> Result<Outcome, Error> {
    let mut reader = DocumentReader::new(profile, Limits::default());
    let decoded = reader.event(json.as_bytes(), &mut TypedBuild)?;
    let Some(slot) = decoded.value else { return Ok(Outcome { value: None, warnings: decoded.warnings }) };
    let event = Event::from_validated(Some(slot));
    let written = to_json(&event);
    let again = reader.event(written.as_bytes(), &mut TypedBuild)?;
    assert_eq!(event, Event::from_validated(again.value), "{written}");
    assert!(again.warnings.is_empty(), "{written}: {:?}", again.warnings);
    Ok(Outcome { value: Some(written), warnings: decoded.warnings })
}

/// Issues as a set of `code path`: their order, and the number of times that one is reported, are not promised.
pub fn listed(issues: &[Issue]) -> Vec<String> {
    let mut list: Vec<_> = issues.iter().map(|issue| format!("{} {}", issue.code, issue.path)).collect();
    list.sort();
    list.dedup();
    list
}

/// A code and a place, as fixtures give them.
#[derive(Debug, serde::Deserialize)]
pub struct Expected {
    /// The stable code.
    pub code: String,
    /// JSON pointer.
    pub path: String,
}

/// Expected issues in the form of [`listed`].
pub fn expected(issues: &[Expected]) -> Vec<String> {
    let mut list: Vec<_> = issues.iter().map(|issue| format!("{} {}", issue.code, issue.path)).collect();
    list.sort();
    list.dedup();
    list
}

/// Fails with everything that went wrong, so that one run shows all of it.
pub fn report(failures: &[String], total: usize) {
    assert!(failures.is_empty(), "{} of {total} cases failed:\n{}", failures.len(), failures.join("\n"));
}
