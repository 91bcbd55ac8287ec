//! An agent that streams text and uses a tool itself: `cargo run --features server --example weather`.

use ag_ui_native::server::{Run, axum::agent, axum::flush};
use ag_ui_native::types::{Message, TokenUsage};
use ag_ui_native::{Error, Value};
use axum::Router;

// --8<-- [start:agent]
/// A real one asks a model, and writes as the words come.
pub async fn answer(run: Run) -> Result<Option<Value>, Error> {
    let city = match run.input().messages.last() {
        Some(Message::User(asked)) => asked.content.to_text(),
        _ => "Rome".to_owned(),
    };
    // --8<-- [start:tool]
    let arguments = serde_json::json!({"city": city, "unit": "C"}).to_string();
    let call = run.tool_call("get_weather")?;
    for piece in arguments.split_inclusive(',') {
        call.write(piece)?;
        flush().await; // what is written goes out here, and the agent waits while the client is slow
    }
    let id = call.id().to_owned();
    drop(call); // ends it
    run.tool_result(&id, "sunny, 24")?;
    // --8<-- [end:tool]
    // --8<-- [start:text]
    let message = run.text_message()?;
    for piece in format!("It is sunny in {city}.").split_inclusive(' ') {
        message.write(piece)?;
        flush().await;
    }
    // --8<-- [end:text]
    run.add_usage(TokenUsage::new().with_provider("none").with_input_tokens(9));
    Ok(None)
}
// --8<-- [end:agent]

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    axum::serve(listener, Router::new().route("/", agent(answer))).await
}
