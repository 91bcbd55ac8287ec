//! An agent as it is deployed, with limits and an end that clients notice: `cargo run --features server --example deployed`.

use std::time::Duration;

use ag_ui_native::server::axum::{Options, agent_with};
use ag_ui_native::server::{Cors, Run};
use ag_ui_native::{Error, Value};
use axum::Router;
use tokio::signal::unix::{SignalKind, signal};

async fn answer(run: Run) -> Result<Option<Value>, Error> {
    run.text_message()?.write("Let me see.")?;
    tokio::time::sleep(Duration::from_secs(60)).await;
    Ok(None)
}

// --8<-- [start:app]
/// What is to be served.
pub fn app(longest: Duration, heartbeat: Duration) -> Router {
    let mut options = Options::default();
    options.time_limit = Some(longest); // then RUN_ERROR, code run_timeout
    options.heartbeat = heartbeat; // below the proxy's read timeout
    options.max_waiting = 1 << 20; // bytes of an agent that writes without waiting
    options.limits.event_bytes = 4 << 20; // bytes of a request
    options.cors = Some(Cors::Origins(vec!["https://app.example.org".to_owned()]));
    Router::new().route("/", agent_with(answer, options))
}
// --8<-- [end:app]

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    // --8<-- [start:serve]
    let mut stop = signal(SignalKind::terminate())?;
    let app = app(Duration::from_secs(300), Duration::from_secs(15));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    // It takes no new connections then, and every run comes to an end of its own.
    let stopped = async move {
        stop.recv().await;
    };
    axum::serve(listener, app).with_graceful_shutdown(stopped).await
    // --8<-- [end:serve]
}
