//! Structs that are read directly, against structs that are made from records: the same value with the same warnings, or the same
//! error with the same places.

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::spelling::{Dice, damage, spell};
use crate::support;
use crate::ways::PROFILES;

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::decode::{DeclaredType, DocumentReader};
use ag_ui_native::bindings::json::Tape;
use ag_ui_native::bindings::schema::{TYPES, UNIONS};
use ag_ui_native::bindings::validate::DirectReader;
#[allow(clippy::wildcard_imports)] // All of them.
use ag_ui_native::types::*;
use ag_ui_native::{Error, Issue, Limits, Profile, borrow_json, from_json, to_json};
use proptest::prelude::*;
use serde_json::Value;

type Came = Result<(String, Vec<Issue>), Error>;
type Way = fn(&mut DocumentReader, &str) -> Came;
type Borrowed = fn(&str, Profile) -> Came;

fn read<T: DeclaredType + std::fmt::Debug>(reader: &mut DocumentReader, json: &str) -> Came {
    reader.typed::<T>(json).map(|(value, warnings)| (format!("{value:?}"), warnings))
}

fn event(reader: &mut DocumentReader, json: &str) -> Came {
    reader
        .typed_event(json)
        .map(|read| (format!("{:?} {} {}", read.value, read.repaired, read.ends_run), read.warnings))
}

macro_rules! ways {
    ($($ty:ident)+) => {
        /// The reading of every declared type, by its name.
        const WAYS: &[(&str, Way)] = &[$((stringify!($ty), read::<$ty>)),+];

        pastey::paste! {
            /// The reading of the borrowed form of every declared type.
            const BORROWED: &[(&str, Borrowed)] = &[$((stringify!($ty), |json, profile| {
                borrow_json::<$ty>(json, profile).map(|(value, warnings)| (format!("{:?}", value.into_owned()), warnings))
            })),+];
        }
    };
}

ways! {
    Attributable BaseEvent BaseMessage
    TextPart DataSource UrlSource FileSource ImagePart AudioPart VideoPart DocumentPart BinaryInputContent
    AddOperation RemoveOperation ReplaceOperation MoveOperation CopyOperation TestOperation
    FunctionCall ToolCall DeveloperMessage SystemMessage AssistantMessage UserMessage ToolMessage ActivityMessage ReasoningMessage
    Tool Context ResumeEntry RunAgentInput Interrupt
    RunFinishedSuccessOutcome RunFinishedInterruptOutcome RunFinishedCancelledOutcome
    SubagentFinishedSuccessOutcome SubagentFinishedSuspendedOutcome TokenUsage
    TextMessageStartEvent TextMessageContentEvent TextMessageEndEvent TextMessageChunkEvent
    ToolCallStartEvent ToolCallArgsEvent ToolCallEndEvent ToolCallChunkEvent ToolCallResultEvent
    StateSnapshotEvent StateDeltaEvent MessagesSnapshotEvent ActivitySnapshotEvent ActivityDeltaEvent RawEvent CustomEvent
    RunStartedEvent RunFinishedEvent RunErrorEvent StepStartedEvent StepFinishedEvent
    ReasoningStartEvent ReasoningMessageStartEvent ReasoningMessageContentEvent ReasoningMessageEndEvent
    ReasoningMessageChunkEvent ReasoningEndEvent ReasoningEncryptedValueEvent
    SubagentStartedEvent SubagentFinishedEvent SubagentErrorEvent
    SubagentInfo IdentityCapabilities TransportCapabilities ToolsCapabilities OutputCapabilities StateCapabilities
    MultiAgentCapabilities ReasoningCapabilities MultimodalInputCapabilities MultimodalOutputCapabilities MultimodalCapabilities
    ExecutionCapabilities HumanInTheLoopCapabilities AgentCapabilities
    PartSource ContentPart JsonPatchOperation Message RunFinishedOutcome SubagentFinishedOutcome Event
}

fn way(name: &str) -> (Way, Borrowed) {
    let place = WAYS.iter().position(|(known, _)| *known == name);
    let place = place.unwrap_or_else(|| panic!("no type is called {name}"));
    (WAYS[place].1, BORROWED[place].1)
}

/// The results of reading a document directly and by way of records.
fn both(way: Way, json: &str, profile: Profile, limits: Limits, fill_lists: bool) -> [Came; 2] {
    [true, false].map(|fast_path| {
        let mut reader = DocumentReader::new(profile, limits);
        reader.fast_path = fast_path;
        reader.rules.fill_lists = fill_lists;
        way(&mut reader, json)
    })
}

#[test]
fn every_declared_type_is_compared() {
    let declared = TYPES.iter().map(|ty| ty.name).chain(UNIONS.iter().map(|union| union.name));
    let missing: Vec<_> = declared.filter(|name| !WAYS.iter().any(|(known, _)| known == name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[derive(serde::Deserialize)]
struct Case {
    r#type: String,
    json: String,
}

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| support::fixture("documents"));

/// The cases that are JSON: each with its type.
static DOCUMENTS: LazyLock<Vec<((Way, Borrowed), Value)>> = LazyLock::new(|| {
    let parsed = |case: &Case| Some((way(&case.r#type), serde_json::from_str(&case.json).ok()?));
    let documents: Vec<_> = CASES.iter().filter_map(parsed).collect();
    assert!(documents.len() > 2000);
    documents
});

#[test]
fn the_documents_of_the_fixtures() {
    for case in CASES.iter() {
        let (owned, borrowed) = way(&case.r#type);
        let mut ways = vec![owned];
        ways.extend((case.r#type == "Event").then_some(event as Way));
        for way in ways {
            for profile in PROFILES {
                for fill_lists in [false, true] {
                    let [direct, general] = both(way, &case.json, profile, Limits::default(), fill_lists);
                    assert_eq!(direct, general, "{profile}: {}", case.json);
                }
            }
        }
        for profile in PROFILES {
            let [_, general] = both(owned, &case.json, profile, Limits::default(), false);
            assert_eq!(borrowed(&case.json, profile), general, "{profile}: {}", case.json);
        }
    }
}

/// An event of every type is not left to the general path, as those with undeclared members are.
#[test]
fn what_is_plainly_valid_is_read_directly() {
    let mut types = std::collections::BTreeSet::new();
    for case in CASES.iter().filter(|case| case.r#type == "Event") {
        let Ok((event, warnings)) = from_json::<Event>(&case.json, Profile::Strict) else { continue };
        if warnings.is_empty() && to_json(&event) == case.json {
            let mut tape = Tape::default();
            let direct =
                DirectReader::document::<Event>(&case.json, Rules::of(Profile::Strict), 200, &mut tape);
            if let Some(direct) = direct {
                assert_eq!(direct, event, "{}", case.json);
                types.insert(event.tag().to_owned());
            }
        }
    }
    assert_eq!(types.len(), Event::UNION.variants.len(), "{types:?}");
}

/// Replaces or removes a value somewhere in a document.
fn change(value: &mut Value, dice: &mut Dice<'_>) {
    let deeper = !dice.once_in(3);
    match value {
        Value::Object(members) if deeper && !members.is_empty() => {
            let key = members.keys().nth(dice.below(members.len())).cloned().unwrap_or_default();
            if dice.once_in(8) {
                members.remove(&key);
            } else if let Some(member) = members.get_mut(&key) {
                change(member, dice);
            }
        }
        Value::Array(items) if deeper && !items.is_empty() => {
            let at = dice.below(items.len());
            change(&mut items[at], dice);
        }
        _ => {
            let others =
                ["null", "true", "-1", "9007199254740992", "1.0", "\"\"", "\"/a~2\"", "[]", "{}", "[null]"];
            *value = serde_json::from_str(dice.of(&others)).expect("JSON");
        }
    }
}

#[test]
fn texts_are_borrowed_unless_they_have_escapes() {
    let json = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a\tb"}"#;
    let (event, warnings) = borrow_json::<TextMessageContentEvent>(json, Profile::Tolerant).unwrap();
    assert!(warnings.is_empty());
    assert!(matches!(event.message_id, Cow::Borrowed("m")));
    assert!(matches!(&event.delta, Cow::Owned(delta) if delta == "a\tb"));

    let json = r#"{"type":"STATE_SNAPSHOT","snapshot":{"a": [1.0]}}"#;
    let (EventRef::StateSnapshot(event), _) = borrow_json::<Event>(json, Profile::Tolerant).unwrap() else {
        panic!()
    };
    assert_eq!(event.snapshot.as_str(), r#"{"a": [1.0]}"#);
    assert_eq!(to_json(&event.snapshot.to_value()), r#"{"a":[1.0]}"#);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40_000))]

    #[test]
    fn documents_in_every_spelling(
        place in any::<prop::sample::Index>(),
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        profile in prop::sample::select(PROFILES.to_vec()),
        depth in prop::sample::select(vec![200, 200, 200, 0, 1, 2, 3]),
        fill_lists in any::<bool>(),
        as_event in any::<bool>(),
    ) {
        let ((owned, borrowed), value) = &DOCUMENTS[place.index(DOCUMENTS.len())];
        let mut dice = Dice(&bytes);
        let mut value = value.clone();
        for _ in 0..dice.below(3) {
            change(&mut value, &mut dice);
        }
        let text = damage(spell(&value, &mut dice), &mut dice);
        let way = if as_event { event } else { *owned };
        let [direct, general] = both(way, &text, profile, Limits::default().with_depth(depth), fill_lists);
        prop_assert_eq!(direct, general, "{}", text);
        let [_, general] = both(*owned, &text, profile, Limits::default(), false);
        prop_assert_eq!(borrowed(&text, profile), general, "{}", text);
    }
}
