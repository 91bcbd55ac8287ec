//! Plays scripts with an agent of this crate: reads a script per line and writes a log per line. The scripts are those
//! of `tests/simulation/scripts.py`, the log is that of `tests/simulation/play.py`.
#![allow(clippy::print_stdout)] // It is a command.

use std::collections::HashMap;
use std::error::Error as StdError;
use std::io::{self, BufRead};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::time::Duration;

use ag_ui_native::bindings::decode::DeclaredType;
use ag_ui_native::client::{
    AbortHandle, Agent, AgentStateMutation, AgentSubscriber, AgentSubscriberParams, ClientError, Events,
    Next, Response, RunOutcome, RunParameters, RunRequest, RunResult, Transport,
};
#[allow(clippy::wildcard_imports)] // Nearly all events.
use ag_ui_native::types::*;
use ag_ui_native::{Code, Error, Profile, from_json, to_json};
use futures_util::stream;
use serde_json::{Value, json};
use tokio::time::timeout;

const RUN: &str = "@RUN@";

/// After this time all received input has been applied, however far ahead a host reads.
const QUIET: Duration = Duration::from_millis(5);

type Log = Arc<Mutex<Vec<Value>>>;

/// The data that an agent and its surroundings share.
#[derive(Clone, Default)]
struct Game {
    aborts: Arc<Mutex<Option<AbortHandle>>>,
    asked: Log,
    told: Log,
    called: Log,
}

impl Game {
    fn abort(&self) {
        if let Some(aborts) = &*self.aborts.lock().unwrap_or_else(PoisonError::into_inner) {
            aborts.abort();
        }
    }
}

fn note(log: &Log, entry: Value) -> usize {
    let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
    log.push(entry);
    log.len() - 1
}

fn taken(log: &Log) -> Value {
    std::mem::take(&mut *log.lock().unwrap_or_else(PoisonError::into_inner)).into()
}

fn plain(json: impl AsRef<str>) -> Value {
    serde_json::from_str(json.as_ref()).unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn index(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|index| usize::try_from(index).ok())
}

fn read<T: DeclaredType>(document: &Value) -> Result<T, Error> {
    from_json(document.to_string(), Profile::Strict).map(|(read, _)| read)
}

fn all<T: DeclaredType>(documents: &Value) -> Result<Vec<T>, Error> {
    list(documents).iter().map(read).collect()
}

fn brief(message: &Value) -> Value {
    let calls = list(&message["toolCalls"]).iter().map(called);
    json!([message["id"], message["role"], message["content"], calls.collect::<Vec<_>>()])
}

fn called(call: &Value) -> Value {
    json!([call["id"], call["function"]["name"], call["function"]["arguments"]])
}

fn briefs(messages: &[Message]) -> Value {
    messages.iter().map(|message| brief(&plain(to_json(message)))).collect()
}

// The agent that is called.

fn transport(game: Game, script: Value) -> impl Transport {
    move |request: RunRequest| {
        let mut asked = plain(request.body().unwrap_or_default());
        asked["messages"] = list(&asked["messages"]).iter().map(brief).collect();
        asked["tools"] = list(&asked["tools"]).iter().map(|tool| tool["name"].clone()).collect();
        let number = note(&game.asked, asked);
        let ends = ["STARTED", "FINISHED"]
            .map(|end| format!(r#"data: {{"type":"RUN_{end}","threadId":"t","runId":"{RUN}"}}{}"#, "\n\n"));
        let answer = script["answers"].get(number).cloned().unwrap_or_else(|| json!({ "pieces": ends }));
        let is_aborted = script["abort"][0] == number;
        let abort_at = index(&script["abort"][1]).filter(|_| is_aborted);
        let game = game.clone();
        async move {
            if answer["refused"] == true {
                return Err(Error::new(Code::ConnectionFailed, "refused"));
            }
            let response = Response::new(pieces(game, &answer, abort_at, &request.input.run_id));
            Ok(match answer["contentType"].as_str() {
                Some(content_type) => response.with_content_type(content_type),
                None => response,
            })
        }
    }
}

/// The pieces of an answer. After an abort no more pieces come.
fn pieces(
    mut game: Game,
    answer: &Value,
    mut abort_at: Option<usize>,
    run_id: &str,
) -> impl stream::Stream<Item = Result<Vec<u8>, &'static str>> + use<> {
    let piece = |piece: &Value| -> Vec<u8> {
        let text = text(piece).replace(RUN, run_id);
        text.chars().map(|byte| u8::try_from(u32::from(byte)).unwrap_or(b'?')).collect()
    };
    let pieces: Vec<_> = list(&answer["pieces"]).iter().map(piece).collect();
    let mut left = pieces.into_iter().enumerate().peekable();
    let (mut is_lost, mut is_silent, count) = (answer["lost"] == true, false, list(&answer["pieces"]).len());
    stream::poll_fn(move |_| {
        let at = left.peek().map_or(count, |(at, _)| *at);
        if abort_at == Some(at) {
            let game = std::mem::take(&mut game);
            tokio::spawn(async move {
                tokio::time::sleep(QUIET).await;
                game.abort();
            });
            abort_at = None;
            is_silent = true;
        }
        if is_silent {
            return Poll::Pending;
        }
        Poll::Ready(match left.next() {
            Some((_, piece)) => Some(Ok(piece)),
            None => std::mem::take(&mut is_lost).then_some(Err("lost")),
        })
    })
}

// The application.

fn with_tools<T: Transport>(mut agent: Agent<T>, game: &Game, tools: &Value) -> Agent<T> {
    for does in list(tools) {
        let (game, does) = (game.clone(), does.clone());
        let mut declared = Tool::new(text(&does["name"]), "");
        declared.parameters = does.get("parameters").cloned().map(Into::into);
        agent = agent.with_tool(declared, move |arguments: Value| {
            note(&game.called, json!([does["name"], arguments]));
            let answer = match (&does["raises"], does["gives"].as_str()) {
                (Value::String(reason), _) => Err(reason.clone()),
                (_, Some("abort")) => {
                    game.abort();
                    Ok(Value::Null)
                }
                (_, Some(_)) => Ok(arguments),
                _ => Ok(does["returns"].clone()),
            };
            std::future::ready(answer.map(ag_ui_native::Value::from))
        });
    }
    agent
}

fn stand_between(does: &Value, mut input: RunAgentInput, next: &Next) -> Events {
    let (does, next) = (does.clone(), next.clone());
    Events::generate(|sink| async move {
        let kind = text(&does["kind"]);
        if kind == "early" {
            for event in list(&does["events"]) {
                sink.send(read::<Event>(&plain(event.to_string().replace(RUN, &input.run_id)))?).await;
            }
            return Ok(());
        }
        if kind == "twice" {
            let mut events = next.run(input.clone());
            while let Some(event) = events.next().await {
                event?;
            }
        }
        if kind == "input" {
            input.forwarded_props = Some(json!({ "k": 1 }).into());
        }
        let mut count = 0;
        for _ in 0..if kind == "both" { 2 } else { 1 } {
            let mut events = next.run(input.clone());
            while let Some(event) = events.next().await {
                let event = event?;
                if kind == "cut" && index(&does["at"]) == Some(count) {
                    return Ok(());
                }
                count += 1;
                if kind != "drop" || !["RAW", "CUSTOM"].contains(&event.tag()) {
                    sink.send(event).await;
                }
            }
        }
        Ok(())
    })
}

/// Logs each notification, and answers as the script says.
struct Scripted {
    number: usize,
    reactions: Value,
    counts: Mutex<HashMap<String, usize>>,
    game: Game,
}

impl Scripted {
    fn hear(&self, name: &str, about: impl FnOnce() -> Vec<Value>) -> Option<AgentStateMutation> {
        let reaction = self.reactions.get(name)?;
        note(&self.game.told, [vec![self.number.into(), name.into()], about()].concat().into());
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(name.to_owned()).or_default();
        *count += 1;
        if index(&reaction["at"]) != Some(*count - 1) {
            return None;
        }
        if reaction["aborts"] == true {
            self.game.abort();
        }
        let mut mutation =
            if reaction["stop"] == true { AgentStateMutation::stop() } else { AgentStateMutation::default() };
        if let Some(messages) = reaction.get("messages") {
            mutation = mutation.with_messages(all(messages).ok()?);
        }
        if let Some(state) = reaction.get("state") {
            mutation = mutation.with_state(state["set"].clone());
        }
        Some(mutation)
    }
}

macro_rules! scripted {
    ($($callback:ident($type:ident) $(= |$run:ident, $event:ident| $about:expr)?;)+) => {
        impl AgentSubscriber for Scripted {
            fn on_run_initialized(&self, run: &AgentSubscriberParams<'_>) -> Option<AgentStateMutation> {
                let input = || run.input().map(|input| vec![briefs(&input.messages), plain(to_json(&input.state))]);
                self.hear("on_run_initialized", || input().unwrap_or_default())
            }

            fn on_run_failed(&self, _: &AgentSubscriberParams<'_>, error: &ClientError) -> Option<AgentStateMutation> {
                self.hear("on_run_failed", || vec![code(error)])
            }

            fn on_run_finalized(&self, _: &AgentSubscriberParams<'_>) -> Option<AgentStateMutation> {
                self.hear("on_run_finalized", Vec::new)
            }

            fn on_event(&self, _: &AgentSubscriberParams<'_>, event: &Event) -> Option<AgentStateMutation> {
                self.hear("on_event", || vec![event.tag().into()])
            }

            fn on_new_message(&self, _: &AgentSubscriberParams<'_>, message: &Message) {
                self.hear("on_new_message", || vec![brief(&plain(to_json(message)))]);
            }

            fn on_new_tool_call(&self, _: &AgentSubscriberParams<'_>, call: &ToolCall) {
                self.hear("on_new_tool_call", || list(&called(&plain(to_json(call)))).to_vec());
            }

            fn on_messages_changed(&self, run: &AgentSubscriberParams<'_>) {
                let messages = || run.conversation().message_values().map(|message| brief(&plain(to_json(message))));
                self.hear("on_messages_changed", || vec![messages().collect()]);
            }

            fn on_state_changed(&self, run: &AgentSubscriberParams<'_>) {
                self.hear("on_state_changed", || vec![plain(to_json(&run.conversation().state))]);
            }

            $(#[allow(unused_variables)] // Of most events nothing is noted.
            fn $callback(&self, run: &AgentSubscriberParams<'_>, event: &$type) -> Option<AgentStateMutation> {
                self.hear(stringify!($callback), || {
                    $(let ($run, $event) = (run, event);
                    return $about;)?
                    #[allow(unreachable_code)] // Of those that are noted.
                    Vec::new()
                })
            })+
        }
    };
}

fn buffer(run: &AgentSubscriberParams<'_>, id: &str) -> Vec<Value> {
    vec![run.text(id).unwrap_or_default().into()]
}

scripted! {
    on_run_started_event(RunStartedEvent);
    on_run_finished_event(RunFinishedEvent);
    on_run_error_event(RunErrorEvent);
    on_step_started_event(StepStartedEvent);
    on_text_message_start_event(TextMessageStartEvent);
    on_text_message_content_event(TextMessageContentEvent) = |run, event| buffer(run, &event.message_id);
    on_text_message_end_event(TextMessageEndEvent) = |run, event| buffer(run, &event.message_id);
    on_tool_call_start_event(ToolCallStartEvent);
    on_tool_call_args_event(ToolCallArgsEvent) = |run, event| {
        run.tool_call(&event.tool_call_id).map(|(name, given)| vec![name.into(), given.into()]).unwrap_or_default()
    };
    on_tool_call_end_event(ToolCallEndEvent);
    on_tool_call_result_event(ToolCallResultEvent);
    on_state_snapshot_event(StateSnapshotEvent);
    on_state_delta_event(StateDeltaEvent);
    on_messages_snapshot_event(MessagesSnapshotEvent);
    on_activity_snapshot_event(ActivitySnapshotEvent);
    on_activity_delta_event(ActivityDeltaEvent);
    on_custom_event(CustomEvent);
    on_reasoning_message_start_event(ReasoningMessageStartEvent);
    on_reasoning_message_content_event(ReasoningMessageContentEvent) = |run, event| buffer(run, &event.message_id);
    on_reasoning_message_end_event(ReasoningMessageEndEvent) = |run, event| buffer(run, &event.message_id);
}

// The results.

fn code(error: &ClientError) -> Value {
    error.code().as_str().into()
}

fn shown(result: &RunResult) -> Value {
    let of_input = result.input_warnings.iter().map(|issue| json!([0, issue.code.as_str()]));
    let of_events =
        result.warnings.iter().map(|warning| json!([warning.event_index, warning.issue.code.as_str()]));
    json!({
        "run": result.run_id,
        "outcome": result.outcome.as_ref().map_or("failed", RunOutcome::as_str),
        "result": result.result().map(|value| plain(to_json(value))),
        "error": result.error(),
        "usage": result.usage.iter().map(|usage| plain(to_json(usage))).collect::<Vec<_>>(),
        "pending": result.pending_tool_call_ids(),
        "interrupts": result.interrupts().iter().map(|interrupt| &interrupt.id).collect::<Vec<_>>(),
        "warnings": of_input.chain(of_events).collect::<Vec<_>>(),
        "newMessages": briefs(&result.new_messages),
    })
}

async fn play(script: &Value) -> Result<Value, Error> {
    let game = Game::default();
    let mut agent = Agent::over(transport(game.clone(), script.clone()))
        .with_thread_id("t")
        .with_messages(&all::<Message>(&script["messages"])?)
        .with_state(script["state"].clone())
        .with_max_runs(index(&script["maxRuns"]).unwrap_or_default());
    agent = with_tools(agent, &game, &script["tools"]);
    for does in list(&script["middleware"]) {
        let does = does.clone();
        agent =
            agent.with_middleware(move |input: RunAgentInput, next: Next| stand_between(&does, input, &next));
    }
    for (number, reactions) in list(&script["subscribers"]).iter().enumerate() {
        let reactions = reactions.clone();
        agent.subscribe(Arc::new(Scripted {
            number,
            reactions,
            counts: Mutex::default(),
            game: game.clone(),
        }));
    }
    *game.aborts.lock().unwrap_or_else(PoisonError::into_inner) = Some(agent.abort_handle());
    let (leave, is_logged) = (index(&script["leave"]), script["way"] == "run");
    let (mut events, mut failure) = (Vec::new(), None);
    let mut run = agent.run(RunParameters::default().with_run_id("r1"));
    while let Some(event) = run.next().await {
        match event {
            Ok(event) => events.push(plain(to_json(&event))),
            Err(error) => failure = Some(error),
        }
        if leave.is_some_and(|leave| leave + 1 == events.len()) {
            break;
        }
    }
    let result = run.into_result();
    let result = failure.as_ref().map_or(&result, ClientError::run);
    let mut sum = shown(result);
    sum["runs"] = result.runs().iter().map(shown).collect();
    Ok(json!({
        "seed": script["seed"],
        "asked": taken(&game.asked),
        "told": taken(&game.told),
        "called": taken(&game.called),
        "events": if is_logged { events } else { Vec::new() },
        "raised": failure.as_ref().map(code),
        "result": sum,
        "messages": agent.conversation().message_values().map(|message| brief(&plain(to_json(message)))).collect::<Vec<_>>(),
        "state": plain(to_json(agent.state())),
        "interrupts": agent.pending_interrupts().iter().map(|interrupt| &interrupt.id).collect::<Vec<_>>(),
    }))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn StdError>> {
    for line in io::stdin().lock().lines() {
        let script: Value = serde_json::from_str(&line?)?;
        let log = match timeout(Duration::from_secs(20), play(&script)).await {
            Ok(Ok(log)) => log,
            Ok(Err(error)) => json!({ "seed": script["seed"], "broken": error.to_string() }),
            Err(_) => json!({ "seed": script["seed"], "broken": "nothing comes" }),
        };
        println!("{log}");
    }
    Ok(())
}
