//! Serves and asks for the conversations of `tests/interop/clients`, which every language reads from every other:
//! `conversations serve` prints its port, `conversations (ask | ask-protobuf) URL NAME...` prints one JSON line for
//! each: the result of the run, and that of the next run if it had interrupts, which are answered with an approval. At
//! an address of ws or wss it asks over WebSockets.
#![allow(clippy::print_stdout)] // It is a command.

use std::error::Error;
use std::io::Read;

use ag_ui_native::client::{
    Agent, HttpAgent, RunOutcome, RunParameters, RunResult, Transport, WebSocketAgent,
};
use ag_ui_native::server::{Ending, Run, axum::agent};
use ag_ui_native::types::{Content, Interrupt, Message, ResumeEntry, ResumeStatus, UserMessage};
use ag_ui_native::{Event, Profile, from_json, to_json};
use axum::Router;
use serde_json::{Value, json};

const CONVERSATIONS: &str = include_str!("../../tests/interop/clients/conversations.json");

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["serve"] => serve().await,
        ["ask", url, ref names @ ..] => ask(url, names, false).await,
        ["ask-protobuf", url, ref names @ ..] => ask(url, names, true).await,
        _ => Err("serve, or ask URL NAME...".into()),
    }
}

async fn serve() -> Result<(), Box<dyn Error>> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?.port());
    std::thread::spawn(|| {
        // The server ends when its input ends.
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        std::process::exit(0);
    });
    Ok(axum::serve(listener, Router::new().route("/", agent(tell))).await?)
}

async fn tell(run: Run) -> Result<Option<ag_ui_native::Value>, ag_ui_native::Error> {
    let name = match run.input().messages.first() {
        Some(Message::User(UserMessage { content: Content::Text(name), .. })) => name.clone(),
        _ => String::new(),
    };
    let conversations: Value = serde_json::from_str(CONVERSATIONS).expect("it is JSON");
    let resume = run.input().resume.as_deref().unwrap_or_default();
    let told = if resume.is_empty() { &conversations[name] } else { &conversations[name]["resumed"] };
    for event in told["events"].as_array().into_iter().flatten() {
        run.send(from_json::<Event>(event.to_string(), Profile::Strict)?.0)?;
    }
    let text = |value: &Value| value.as_str().map(str::to_owned);
    if let Some(interrupts) = told["interrupts"].as_array() {
        let read = |interrupt: &Value| Ok(from_json::<Interrupt>(interrupt.to_string(), Profile::Strict)?.0);
        run.interrupt(interrupts.iter().map(read).collect::<Result<_, ag_ui_native::Error>>()?)?;
    } else if let Some(message) = text(&told["error"]["message"]) {
        run.end(Ending::Error { message, code: text(&told["error"]["code"]) })?;
    }
    if resume.is_empty() {
        return Ok(told.get("result").map(|result| result.clone().into()));
    }
    // The run returns the answers.
    Ok(Some(resume.iter().map(|answer| plain(&to_json(answer))).collect::<Value>().into()))
}

fn plain(json: &str) -> Value {
    serde_json::from_str(json).expect("it is JSON")
}

async fn ask(url: &str, names: &[&str], protobuf: bool) -> Result<(), Box<dyn Error>> {
    for name in names {
        let told = if url.starts_with("ws") {
            talk(WebSocketAgent::new(url), name, protobuf).await?
        } else {
            talk(HttpAgent::new(url), name, protobuf).await?
        };
        println!("{}", Value::from(told));
    }
    Ok(())
}

async fn talk<T: Transport>(
    agent: Agent<T>,
    name: &str,
    protobuf: bool,
) -> Result<Vec<Value>, Box<dyn Error>> {
    let mut agent = agent.with_thread_id(format!("{name} {}", std::process::id()));
    agent.add_message(UserMessage::new("u", name));
    if protobuf {
        agent = agent.with_protobuf();
    }
    let run = agent.run_to_end(RunParameters::default()).await?;
    let mut told = vec![seen(&agent, run)?];
    if !agent.pending_interrupts().is_empty() {
        let answers = agent.pending_interrupts().iter().map(approval).collect();
        let resume = agent.build_resume(answers)?;
        let run = agent.run_to_end(RunParameters::default().with_resume(resume)).await?;
        told.push(seen(&agent, run)?);
    }
    Ok(told)
}

fn approval(open: &Interrupt) -> ResumeEntry {
    let mut answer = ResumeEntry::new(open.id.clone(), ResumeStatus::Resolved);
    answer.payload = Some(json!({"approved": true}).into());
    answer
}

fn seen<T: Transport>(agent: &Agent<T>, run: RunResult) -> Result<Value, Box<dyn Error>> {
    let mut seen = json!({
        "outcome": run.outcome.as_ref().map(RunOutcome::as_str),
        "messages": agent.messages()?.iter().map(|message| plain(&to_json(message))).collect::<Value>(),
        "state": serde_json::to_value(agent.state())?,
        "interrupts": agent.pending_interrupts().iter().map(|open| plain(&to_json(open))).collect::<Value>(),
    });
    match run.outcome {
        Some(RunOutcome::Success { result: Some(result), .. }) => {
            seen["result"] = serde_json::to_value(result)?;
        }
        Some(RunOutcome::Error { message, code }) => {
            seen["error"] = json!({"message": message});
            if let Some(code) = code {
                seen["error"]["code"] = code.into();
            }
        }
        _ => {}
    }
    Ok(seen)
}
