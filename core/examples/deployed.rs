//! A deployed agent: with limits, and an orderly shutdown: `cargo run --features server --example deployed`.

use std::time::Duration;

use ag_ui_native::server::axum::{RunOptions, Shutdown, agent_with};
use ag_ui_native::server::{Cors, Run};
use ag_ui_native::{Error, Limits, Value};
use axum::Router;
use tokio::signal::unix::{SignalKind, signal};

async fn answer(run: Run) -> Result<Option<Value>, Error> {
    run.text_message()?.write("Let me see.")?;
    tokio::time::sleep(Duration::from_secs(60)).await;
    Ok(None)
}

// --8<-- [start:app]
/// The application to serve.
pub fn app(longest: Duration, heartbeat: Duration, shutdown: &Shutdown) -> Router {
    let options = RunOptions::default()
        .with_time_limit(longest) // then RUN_ERROR, code run_timeout
        .with_heartbeat(heartbeat) // below the proxy's read timeout
        .with_max_waiting(1 << 20) // bytes of an agent that writes without waiting
        .with_limits(Limits::default().with_input_bytes(4 << 20)) // bytes of a request
        .with_cors(Cors::Origins(vec!["https://app.example.org".to_owned()]))
        .with_shutdown(shutdown.clone());
    Router::new().route("/", agent_with(answer, options))
}
// --8<-- [end:app]

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    // --8<-- [start:serve]
    let (mut stop, shutdown) = (signal(SignalKind::terminate())?, Shutdown::new());
    let app = app(Duration::from_secs(300), Duration::from_secs(15), &shutdown);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    let begins = shutdown.clone();
    let stopped = async move {
        stop.recv().await;
        // The server accepts no new connections now. Runs may end by themselves for a while; then they are cancelled.
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(20)).await;
            begins.begin();
        });
    };
    // Clients that do not read the end of their run are not awaited.
    let server = axum::serve(listener, app).with_graceful_shutdown(stopped);
    shutdown.wait_for(server, Duration::from_secs(10)).await
    // --8<-- [end:serve]
}
