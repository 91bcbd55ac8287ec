//! An agent whose runs outlive their connections: `cargo run --features server,sqlite --example durable_server`.

use std::path::Path;

use ag_ui_native::durable::{SQLiteLog, SqliteOptions};
use ag_ui_native::server::Run;
use ag_ui_native::server::axum::{RunLog, RunOptions, agent_with};
use ag_ui_native::{Error, Value};
use axum::Router;

async fn answer(run: Run) -> Result<Option<Value>, Error> {
    run.text_message()?.write("A connection that is cut does not end this run.")?;
    Ok(None)
}

// --8<-- [start:app]
/// The application to serve, with the logs of its runs in a file.
pub fn app(path: impl AsRef<Path>) -> Result<Router, Error> {
    let log = SQLiteLog::open(path, SqliteOptions::default())?;
    let log = RunLog::new(log, |request, _action, _thread_id, _run_id| {
        // The user, as your login knows it: users see only their own runs. `None` refuses the request.
        let user = request.headers.get("x-user").and_then(|user| user.to_str().ok()).map(str::to_owned);
        async move { user }
    });
    Ok(Router::new().route("/", agent_with(answer, RunOptions::default().with_log(log))))
}
// --8<-- [end:app]

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    Ok(axum::serve(listener, app("runs.db")?).await?)
}
