//! The Rust side of `tests/interop/test_durable.py`: a process that serves an agent with a log, `durable_worker ENGINE PLACE`. It
//! prints its port.
#![allow(clippy::print_stdout)] // It is a command.

use std::error::Error;
use std::time::Duration;

use ag_ui_native::Value;
use ag_ui_native::durable::{LogOptions, RedisLog, SQLiteLog, SqliteOptions};
use ag_ui_native::server::Run;
use ag_ui_native::server::axum::{RunLog, RunOptions, agent_with, flush};
use axum::Router;

/// Says a word, and then waits until it is cancelled.
async fn agent(run: Run) -> Result<Option<Value>, ag_ui_native::Error> {
    let message = run.text_message()?;
    message.write("one")?;
    flush().await;
    std::future::pending().await
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().collect();
    let [_, engine, place] = arguments.as_slice() else { return Err("durable_worker ENGINE PLACE".into()) };
    let log = match engine.as_str() {
        "sqlite" => RunLog::public(SQLiteLog::open(place, SqliteOptions::default())?),
        _ => RunLog::public(RedisLog::new(place.as_str())?),
    };
    let log = log.with_options(LogOptions { lease: Duration::from_secs(1), ..LogOptions::default() });
    let options = RunOptions::default().with_log(log);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?.port());
    axum::serve(listener, Router::new().route("/", agent_with(agent, options))).await?;
    Ok(())
}
