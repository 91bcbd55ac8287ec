//! A run that is written by random calls is legal, and ends once, over both transports.

use crate::random_runs;
use crate::support;

use ag_ui_native::bindings::server::RunWriter;
use ag_ui_native::server::{Ending, Guard, GuardMode, Run, WireFormat};
use ag_ui_native::stream::{EventDecoder, EventPipeline, EventVerifier};
use ag_ui_native::types::*;
use ag_ui_native::{Code, Error, Event, Limits, Object, Profile, Value, from_json, to_json};
use proptest::prelude::*;
use random_runs::{call, ending, write};

fn read(bytes: &[u8], wire_format: WireFormat) -> Vec<Event> {
    let mut decoder =
        EventDecoder::for_content_type(wire_format.content_type()).unwrap().with_profile(Profile::Strict);
    decoder.feed(bytes).chain(decoder.close()).map(Result::unwrap).collect()
}

proptest! {
    #[test]
    fn runs_are_legal_and_end_once(calls in proptest::collection::vec(call(), 0..40), ending in ending()) {
        let (bytes, state) = write(&calls, &ending, WireFormat::Text);
        // Some ids here are such that strict refuses them.
        let mut pipeline = EventPipeline::new().with_state(Object::default()).with_profile(Profile::Tolerant);
        prop_assert!(pipeline.feed(&bytes).chain(pipeline.close()).all(|event| event.is_ok()));
        prop_assert!(pipeline.conversation().state == state);
        let events = read(&bytes, WireFormat::Text);
        let mut verifier = EventVerifier::new(Limits::default());
        for event in &events {
            verifier.check(event).unwrap();
        }
        verifier.finish().unwrap();
        let ends = events.iter().filter(|event| matches!(event, Event::RunFinished(_) | Event::RunError(_)));
        prop_assert_eq!(ends.count(), 1);
        let binary = read(&write(&calls, &ending, WireFormat::Binary).0, WireFormat::Binary);
        prop_assert_eq!(binary, events);
    }
}

#[test]
fn a_subagent_closes_what_is_its_own() {
    let mut run = RunWriter::new(WireFormat::Text, Limits::default());
    run.start(&RunAgentInput::new("t", "r", vec![]), false).unwrap();
    let outer = run.open(SubagentStartedEvent::new("outer", "o").into(), None).unwrap();
    let inner = run.open(SubagentStartedEvent::new("inner", "i").into(), Some("outer")).unwrap();
    let mine = run.open(TextMessageStartEvent::new("mine").into(), None).unwrap();
    run.open(TextMessageStartEvent::new("theirs").into(), Some("inner")).unwrap();
    run.open(StepStartedEvent::new("step").into(), Some("outer")).unwrap();
    run.clear();
    run.end_as(outer, &Ending::Error { message: "no".into(), code: None }).unwrap();
    let tags: Vec<_> = String::from_utf8(run.take())
        .unwrap()
        .lines()
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect();
    assert_eq!(
        tags,
        [
            r#"data: {"type":"TEXT_MESSAGE_END","subagentRunId":"inner","messageId":"theirs"}"#,
            r#"data: {"type":"SUBAGENT_ERROR","subagentRunId":"inner","message":"no"}"#,
            r#"data: {"type":"STEP_FINISHED","subagentRunId":"outer","stepName":"step"}"#,
            r#"data: {"type":"SUBAGENT_ERROR","subagentRunId":"outer","message":"no"}"#,
        ]
    );
    run.end(inner).unwrap();
    run.write(mine, "still open").unwrap();
}

#[test]
fn a_result_is_of_what_ends_with_it() {
    let mut run = RunWriter::new(WireFormat::Text, Limits::default());
    run.start(&RunAgentInput::new("t", "r", vec![]), false).unwrap();
    let outer = run.open(SubagentStartedEvent::new("outer", "o").into(), None).unwrap();
    run.open(SubagentStartedEvent::new("inner", "i").into(), Some("outer")).unwrap();
    run.end_as(outer, &Ending::Success(Some(1.into()))).unwrap();
    run.open(SubagentStartedEvent::new("other", "o").into(), None).unwrap();
    run.clear();
    run.end_run(Ending::Success(Some(2.into()))).unwrap();
    let text = String::from_utf8(run.take()).unwrap();
    assert_eq!(text.matches(r#""result""#).count(), 1, "{text}");
    assert!(text.contains(r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","result":2}"#), "{text}");
}

#[test]
fn what_the_transport_cannot_hold_is_refused_and_the_run_goes_on() {
    let mut run = RunWriter::new(WireFormat::Binary, Limits::default());
    run.start(&RunAgentInput::new("t", "r", vec![]), false).unwrap();
    let huge: Value = from_json("123456789012345678901234567890", Profile::Strict).unwrap().0;
    assert!(run.send(CustomEvent::new("c", huge.clone()).into(), None).is_err());
    assert!(run.end_run(Ending::Success(Some(huge))).is_err());
    assert!(run.is_running());
    run.end_run(Ending::Cancelled).unwrap();
}

#[test]
fn an_interrupt_suspends_the_subagent_that_asks() {
    let mut run = RunWriter::new(WireFormat::Text, Limits::default());
    run.start(&RunAgentInput::new("t", "r", vec![]), false).unwrap();
    run.open(SubagentStartedEvent::new("s", "name").into(), None).unwrap();
    assert!(run.end_run(Ending::Interrupt(vec![])).is_err());
    run.end_run(Ending::Interrupt(vec![Interrupt::new("i", "why").with_subagent_run_id("s")])).unwrap();
    let text = String::from_utf8(run.take()).unwrap();
    assert!(text.contains(r#""outcome":{"type":"suspended","interruptIds":["i"]}"#), "{text}");
}

#[test]
fn a_result_is_only_of_the_one_that_returns_it() {
    let mut run = RunWriter::new(WireFormat::Text, Limits::default());
    run.start(&RunAgentInput::new("t", "r", vec![]), false).unwrap();
    let outer = run.open(SubagentStartedEvent::new("outer", "o").into(), None).unwrap();
    run.open(SubagentStartedEvent::new("inner", "i").into(), Some("outer")).unwrap();
    run.end_as(outer, &Ending::Success(Some(1.into()))).unwrap();
    run.open(SubagentStartedEvent::new("other", "o").into(), None).unwrap();
    run.end_run(Ending::Success(Some(2.into()))).unwrap();
    let text = String::from_utf8(run.take()).unwrap();
    assert!(text.contains(r#""subagentRunId":"outer","result":1}"#), "{text}");
    assert_eq!(text.matches(r#""result""#).count(), 2, "{text}");
}

#[test]
fn reasoning_opens_with_its_message_or_not_at_all() {
    let mut run = RunWriter::new(WireFormat::Text, Limits::default().with_open_entities(2));
    run.start(&RunAgentInput::new("t", "r", vec![]), false).unwrap();
    let step = run.open(StepStartedEvent::new("s").into(), None).unwrap();
    run.clear();
    assert_eq!(run.open_reasoning("m", None).unwrap_err().limit, Some("open_entities"));
    assert!(run.waiting().is_empty());
    run.end(step).unwrap();
    run.open_reasoning("m", None).unwrap();
}

#[derive(serde::Deserialize)]
struct Program {
    input: RunAgentInput,
    frames: Vec<String>,
}

#[test]
fn the_same_program_writes_the_same_bytes_in_every_language() {
    let program: Program = support::fixture("server_program");
    let run = Run::begin(program.input, WireFormat::Text, false, Limits::default()).unwrap();
    agent(&run).unwrap();
    let body = String::from_utf8(run.take()).unwrap();
    assert_eq!(numbered(&body).split_terminator("\n\n").collect::<Vec<_>>(), program.frames);
}

fn agent(run: &Run) -> Result<(), Error> {
    let step = run.step("look")?;
    run.reasoning()?.write("Hm.")?;
    let call = run.tool_call("search")?;
    call.write("{\"q\":")?;
    call.write("\"é\"}")?;
    let id = call.id().to_owned();
    drop(call);
    run.tool_result(&id, "found")?;
    drop(step);
    let (helper, opened) = run.subagent("helper")?;
    helper.text_message()?.write("Hello\n")?;
    helper.call_tool("note", &value(r#"{"a":[1,null]}"#))?;
    drop(opened);
    run.set_state(value(r#"{"n":1.5,"seen":true}"#));
    run.flush_state()?;
    run.send(CustomEvent::new("c", 1e21))?;
    run.add_usage(TokenUsage::new().with_input_tokens(3));
    run.end(Ending::Success(Some(value(r#"{"done":true}"#))))
}

/// Values that agents give as arguments and results, and the texts that are sent.
#[derive(serde::Deserialize)]
struct ToolText {
    arguments: Vec<(Value, String)>,
    refused: Vec<String>,
    results: Vec<(Value, Value)>,
}

#[test]
fn arguments_and_results_of_tools() {
    let known: ToolText = support::fixture("tool_text");
    let input = RunAgentInput::new("t", "r", vec![]);
    let run = Run::begin(input, WireFormat::Text, false, Limits::default()).unwrap();
    run.take();
    for (arguments, text) in known.arguments {
        run.call_tool("f", &arguments).unwrap();
        let body = String::from_utf8(run.take()).unwrap();
        assert!(body.contains(&format!("\"delta\":{}", to_json(&Value::from(text)))), "{body}");
    }
    for refused in known.refused {
        let error = run.call_tool("f", &Value::from(refused)).unwrap_err();
        assert_eq!((error.code(), error.path()), (Code::WrongType, "/arguments"));
        assert!(run.take().is_empty());
    }
    for (result, content) in known.results.into_iter().filter(|(_, content)| content.as_str().is_some()) {
        run.tool_result("c", result).unwrap();
        let body = String::from_utf8(run.take()).unwrap();
        assert!(body.contains(&format!("\"content\":{}", to_json(&content))), "{body}");
    }
}

#[test]
fn what_is_written_behind_the_end_is_told_what_has_ended_the_run() {
    let failed = |code: Option<&str>| Ending::Error { message: "no".into(), code: code.map(str::to_owned) };
    let interrupt = Interrupt::new("i", "why");
    let cases = [
        (Ending::Success(None), "V02", "the agent returned, or called `finish`"),
        (Ending::Interrupt(vec![interrupt]), "V02", "because the agent called `interrupt`"),
        (Ending::Cancelled, "V02", "because the agent called `cancel`, or was stopped"),
        (failed(None), "V01", "because the agent called `fail`"),
        (failed(Some("mine")), "V01", "because the agent called `fail`"),
        (Ending::agent_failed(None), "V01", "because the agent failed"),
        (failed(Some("run_timeout")), "V01", "because it reached its time limit"),
        (failed(Some("client_too_slow")), "V01", "because the client read too slowly"),
    ];
    for (ending, rule, cause) in cases {
        let input = RunAgentInput::new("t", "r", vec![]);
        let run = Run::begin(input, WireFormat::Text, false, Limits::default()).unwrap();
        let message = run.text_message().unwrap();
        run.end(ending).unwrap();
        for error in [message.write("late").unwrap_err(), run.step("late").map(drop).unwrap_err()] {
            assert_eq!(error.rule().unwrap().as_str(), rule);
            let text = error.to_string();
            assert!(text.contains("the run ended") && text.contains(cause), "{text}");
        }
    }
}

fn value(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

/// The text with numbers for the ids that are made, in their order.
fn numbered(text: &str) -> String {
    let mut ids: Vec<&str> = Vec::new();
    let mut parts = text.split_inclusive('"');
    parts.by_ref().fold(String::new(), |out, part| {
        let quoted = part.trim_end_matches('"');
        let Some((kind, id)) = quoted.split_once('-').filter(|(_, id)| id.len() == 36) else {
            return out + part;
        };
        let number = ids.iter().position(|known| *known == id).unwrap_or_else(|| {
            ids.push(id);
            ids.len() - 1
        });
        out + kind + "-" + &number.to_string() + "\""
    })
}

#[derive(serde::Deserialize)]
struct StateEvents {
    name: String,
    #[serde(default)]
    given: Option<Value>,
    steps: Vec<StateStep>,
    after: Value,
    frames: Vec<String>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "lowercase")]
enum StateStep {
    Set(Value),
    Flush(bool),
    #[serde(untagged)]
    Send {
        send: Value,
        error: Option<String>,
    },
}

#[test]
fn events_of_the_state_that_an_agent_makes_itself_change_it() {
    for case in support::fixture::<Vec<StateEvents>>("state_events") {
        let mut input = RunAgentInput::new("t", "r", vec![]);
        input.state = case.given;
        let run = Run::begin(input, WireFormat::Text, false, Limits::default()).unwrap();
        for step in case.steps {
            match step {
                StateStep::Set(state) => run.set_state(state),
                StateStep::Flush(is_due) if is_due => run.flush_state().unwrap(),
                StateStep::Flush(_) => {}
                StateStep::Send { send, error } => {
                    let Ok(event) = serde_json::from_str::<Event>(&to_json(&send)) else {
                        assert!(error.is_some(), "{}", case.name);
                        continue;
                    };
                    let sent = run.send(event).map_err(|error| error.code().as_str().to_owned());
                    assert_eq!(sent.err(), error, "{}", case.name);
                }
            }
        }
        run.end(Ending::Success(None)).unwrap();
        assert_eq!(run.state(), case.after, "{}", case.name);
        let body = String::from_utf8(run.take()).unwrap();
        let frames: Vec<_> =
            body.split_terminator("\n\n").filter(|frame| frame.contains("\"STATE_")).collect();
        assert_eq!(frames, case.frames, "{}", case.name);
    }
}

#[derive(serde::Deserialize)]
struct PendingCalls {
    name: String,
    events: Vec<serde_json::Value>,
    end: serde_json::Value,
}

#[test]
fn a_success_names_the_calls_that_have_no_result() {
    let input = RunAgentInput::new("t", "r", vec![]);
    let json = |event: &Event| serde_json::from_str::<serde_json::Value>(&to_json(event)).unwrap();
    for case in support::fixture::<Vec<PendingCalls>>("pending_calls") {
        let events = || {
            let read =
                |event: &serde_json::Value| from_json::<Event>(event.to_string(), Profile::Strict).unwrap().0;
            case.events.iter().map(read)
        };
        let ended = |ending: Ending| {
            let mut run = RunWriter::new(WireFormat::Text, Limits::default());
            run.start(&input, false).unwrap();
            events().for_each(|event| run.send(event, None).unwrap());
            run.end_run(ending).unwrap();
            json(read(&run.take(), WireFormat::Text).last().unwrap())
        };
        assert_eq!(ended(Ending::Success(None)), case.end, "{}", case.name);
        let cancelled = ended(Ending::Cancelled);
        assert_eq!(
            (&cancelled["outcome"], cancelled.get("result")),
            (&serde_json::json!({"type": "cancelled"}), None)
        );
        let mut guard = Guard::new(GuardMode::Fix, Limits::default()).for_input(&input);
        events().for_each(|event| assert_eq!(guard.push(event).unwrap().issue, None));
        assert_eq!(json(guard.finish().unwrap().last().unwrap()), case.end, "{}", case.name);
    }
}

#[test]
fn answers_to_no_question_that_waits_are_warned_of() {
    let answer = |id: &str| ResumeEntry::new(id, ResumeStatus::Resolved);
    let input = RunAgentInput::new("t", "r", vec![]).with_resume(vec![answer("i"), answer("zz")]);
    let pending = [Interrupt::new("i", "ask")];
    input.check_resume(&pending, 0).unwrap();
    let warnings = input.unasked_answers(&pending);
    let told: Vec<_> = warnings.iter().map(|issue| (issue.code, &*issue.path)).collect();
    assert_eq!(told, [(Code::UnknownInterrupt, "/resume/1/interruptId")]);
}

/// The limits of length are for reading: what a run writes may be long over both transports.
#[test]
fn what_a_run_writes_has_no_limit_of_length_over_either_transport() {
    let deep = (0..400).fold(Value::default(), |inner, _| Value::Array(vec![inner]));
    let long = "x".repeat(17 << 20);
    for wire_format in [WireFormat::Text, WireFormat::Binary] {
        let limits = Limits::default().with_event_bytes(100).with_depth(500);
        let mut run = RunWriter::new(wire_format, limits);
        run.start(&RunAgentInput::new("t", "r", vec![]), false).unwrap();
        let message = run.open(TextMessageStartEvent::new("m").into(), None).unwrap();
        run.write(message, &long).unwrap();
        run.send(CustomEvent::new("deep", deep.clone()).into(), None).unwrap();
        run.send(CustomEvent::new("long", long.as_str()).into(), None).unwrap();
        run.end_run(Ending::Success(Some(deep.clone()))).unwrap();
        let decoder = EventDecoder::for_content_type(wire_format.content_type()).unwrap();
        let mut decoder =
            decoder.with_profile(Profile::Strict).with_limits(limits.with_event_bytes(usize::MAX));
        let events: Vec<Event> = decoder.feed(&run.take()).map(Result::unwrap).collect();
        assert_eq!(events.len(), 7, "{wire_format:?}");
        assert_eq!(events[3], CustomEvent::new("deep", deep.clone()).into());
    }
}
