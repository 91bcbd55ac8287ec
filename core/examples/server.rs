//! An agent behind HTTP, beside other routes: `cargo run --features server --example server`.

// --8<-- [start:agent]
use ag_ui_native::server::{Run, axum::agent, axum::flush};
use ag_ui_native::{Error, Value};
use axum::Router;

/// A real agent asks a model, and writes the words as they arrive.
async fn answer(run: Run) -> Result<Option<Value>, Error> {
    let message = run.text_message()?;
    message.write(&format!("{} messages", run.input().messages.len()))?;
    flush().await;
    message.write(" so far.")?;
    Ok(None)
}

/// Makes the application.
pub fn app() -> Router {
    Router::new().route("/", agent(answer))
}
// --8<-- [end:agent]

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    axum::serve(listener, app()).await
}
