//! The programs of the guides, with one another.
#![allow(dead_code)] // Their `main` functions are not called.

#[path = "../examples/approval.rs"]
mod approval;
#[path = "../examples/approval_client.rs"]
mod approval_client;
#[path = "../examples/deployed.rs"]
mod deployed;
#[cfg(feature = "sqlite")]
#[path = "../examples/durable_server.rs"]
mod durable_server;
#[path = "../examples/plan.rs"]
mod plan;
#[path = "../examples/research.rs"]
mod research;
#[path = "../examples/weather.rs"]
mod weather;

use std::time::Duration;

use ag_ui_native::client::{HttpAgent, LocalAgent, RunOutcome, RunParameters};
use ag_ui_native::server::axum::Shutdown;
use ag_ui_native::types::{Message, TokenUsage};
use ag_ui_native::{Event, to_json};
use axum::Router;

/// Serves `app` until the test is over.
async fn serve(app: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async { axum::serve(listener, app).await });
    format!("http://{address}/")
}

// --8<-- [start:test]
#[tokio::test(flavor = "current_thread")]
async fn text_and_a_tool() {
    let mut agent = LocalAgent::new(weather::answer);
    let reply = agent.ask("Rome").await.unwrap();
    assert_eq!(reply.text(), "It is sunny in Rome.");
    assert_eq!(reply.result.usage, [TokenUsage::new().with_provider("none").with_input_tokens(9)]);
    let messages = agent.messages().unwrap();
    let [Message::User(_), Message::Assistant(called), Message::Tool(result), Message::Assistant(_)] =
        messages.as_slice()
    else {
        panic!("{messages:?}")
    };
    let call = &called.tool_calls.as_ref().unwrap()[0];
    assert_eq!(call.function.arguments, r#"{"city":"Rome","unit":"C"}"#);
    assert_eq!(result.tool_call_id, call.id);
}
// --8<-- [end:test]

#[tokio::test(flavor = "current_thread")]
async fn an_approval() {
    let url = serve(approval::app()).await;
    for (typed, said) in [("y\n", "They are gone."), ("n\n", "They stay.")] {
        let mut screen = Vec::new();
        approval_client::clean_up(&url, typed.as_bytes(), &mut screen).await.unwrap();
        assert_eq!(String::from_utf8(screen).unwrap(), format!("Delete? [y/n]\n{said}\n"));
    }

    let mut asked = HttpAgent::new(&url).with_thread_id("t");
    asked.ask("Clean up.").await.unwrap();
    // Another client of the same conversation, which does not know the pending interrupt.
    let refused = HttpAgent::new(&url).with_thread_id("t").ask("Well?").await.unwrap_err();
    assert_eq!(refused.status(), Some(422));
}

#[tokio::test(flavor = "current_thread")]
async fn state_that_follows() {
    let begin = serde_json::json!({"title": "A swim", "steps": []});
    let mut agent = LocalAgent::new(plan::agent).with_state(begin);
    let mut run = agent.run(RunParameters::default());
    let mut changes = 0;
    while let Some(event) = run.next().await {
        changes += usize::from(matches!(event.unwrap(), Event::StateDelta(_) | Event::StateSnapshot(_)));
    }
    assert_eq!(run.into_result().text(), "A swim of 3 steps.");
    assert_eq!(changes, 3);
    assert_eq!(to_json(agent.state()), r#"{"title":"A swim","steps":["pack","drive","swim"]}"#);
}

#[tokio::test(flavor = "current_thread")]
async fn reasoning_and_a_subagent() {
    let mut agent = LocalAgent::new(research::answer);
    let first = agent.ask("What are cats?").await.unwrap();
    assert_eq!(first.text(), "I remember 0 thoughts.");
    assert_eq!(agent.ask("And?").await.unwrap().text(), "I remember 1 thoughts.");
    let messages = agent.messages().unwrap();
    let Some(Message::Reasoning(thought)) = messages.get(1) else { panic!("{messages:?}") };
    assert_eq!(thought.encrypted_value.as_deref(), Some("sealed-0"));
    assert_eq!(thought.encrypted_value_type.as_deref(), Some("example.thought"));
    let Some(Message::Assistant(called)) = messages.get(2) else { panic!("{messages:?}") };
    assert!(called.subagent_run_id.is_some());
}

#[tokio::test(flavor = "current_thread")]
async fn a_run_that_takes_too_long() {
    let url =
        serve(deployed::app(Duration::from_millis(50), Duration::from_secs(15), &Shutdown::new())).await;
    let run = HttpAgent::new(url).ask("Hello?").await.unwrap().result;
    assert_eq!(run.text(), "Let me see.");
    let Some(RunOutcome::Error { code, .. }) = run.outcome else { panic!("{:?}", run.outcome) };
    assert_eq!(code.as_deref(), Some("run_timeout"));
}

/// A run is read from another server on the same file, by its user and by no other one.
#[cfg(feature = "sqlite")]
#[tokio::test(flavor = "current_thread")]
async fn a_run_that_outlives_its_connection() {
    let folder = std::env::temp_dir().join(format!("ag-ui-example-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("runs.db");
    let (here, there) =
        (serve(durable_server::app(&path).unwrap()).await, serve(durable_server::app(&path).unwrap()).await);
    let ada = |url: &str| HttpAgent::new(url).with_thread_id("t").with_header("x-user", "ada");
    let said = ada(&here).ask("Hello?").await.unwrap().text();
    assert_eq!(said, "A connection that is cut does not end this run.");
    assert_eq!(HttpAgent::new(&there).ask("Hello?").await.unwrap_err().status(), Some(404));
    assert!(thread(&there, "ada").await.contains(&said));
    assert!(!thread(&there, "bob").await.contains(&said));
    std::fs::remove_dir_all(folder).unwrap();
}

/// The server's answer to a request for the thread `t`.
#[cfg(feature = "sqlite")]
async fn thread(url: &str, user: &str) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    let address = url.trim_start_matches("http://").trim_end_matches('/');
    let mut connection = tokio::net::TcpStream::connect(address).await.unwrap();
    let request =
        format!("GET /?thread=t HTTP/1.1\r\nhost: {address}\r\nx-user: {user}\r\nconnection: close\r\n\r\n");
    connection.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.unwrap();
    answer
}
