//! An agent that shows its reasoning, and uses a subagent: `cargo run --features server --example research`.

use ag_ui_native::server::{Ending, Run, axum::agent};
use ag_ui_native::types::Message;
use ag_ui_native::{Error, Object, Value};
use axum::Router;

/// A real agent asks a model that reasons, and a second model.
pub async fn answer(run: Run) -> Result<Option<Value>, Error> {
    // --8<-- [start:think]
    let remembered = run.input().messages.iter().filter(|message| matches!(message, Message::Reasoning(_)));
    let remembered = remembered.count();
    let thought = run.reasoning()?;
    thought.write("Somebody has to look it up.")?;
    let sealed = format!("sealed-{remembered}"); // what your provider gives you
    thought.encrypted_value(sealed, Some("example.thought"))?;
    drop(thought); // ends it
    // --8<-- [end:think]

    // --8<-- [start:subagent]
    let (part, subagent) = run.subagent("researcher")?;
    let call = part.call_tool("search", &Object::from([("for", "cats")]).into())?;
    part.tool_result(&call, "three pages about cats")?;
    subagent.end(&Ending::Success(Some("cats: well known".into())))?;
    // --8<-- [end:subagent]

    run.text_message()?.write(&format!("I remember {remembered} thoughts."))?;
    Ok(None)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    axum::serve(listener, Router::new().route("/", agent(answer))).await
}
