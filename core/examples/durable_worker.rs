//! A web process whose runs have a log, for tests: `durable_worker ENGINE PLACE OPTIONS`. It prints lines of JSON: its port, and each
//! begin and end of its agent. `tests/faults/programs/worker.py` is the same in Python.
#![allow(clippy::print_stdout)] // It is a command.

use std::error::Error;
use std::time::Duration;

use ag_ui_native::durable::{LogOptions, RedisLog, SQLiteLog, SqliteOptions};
use ag_ui_native::server::Run;
use ag_ui_native::server::axum::{RunLog, RunOptions, agent_with, flush};
use ag_ui_native::{Value, to_json};
use axum::Router;
use serde_json::{Value as Json, json};

/// Says how the agent of a run has ended. It is dropped if it is cancelled.
struct Ending {
    run_id: String,
    how: &'static str,
}

impl Drop for Ending {
    fn drop(&mut self) {
        println!("{}", json!({ "ended": self.run_id, "how": self.how }));
    }
}

/// Does what `forwardedProps` say.
async fn agent(run: Run) -> Result<Option<Value>, ag_ui_native::Error> {
    let input: Json = serde_json::from_str(&to_json(run.input())).unwrap_or_default();
    let (run_id, asked) = (run.input().run_id.clone(), &input["forwardedProps"]);
    println!("{}", json!({ "begun": run_id }));
    let mut ending = Ending { run_id, how: "cancelled" };
    let message = run.text_message()?;
    let pause = Duration::from_secs_f64(asked["pause"].as_f64().unwrap_or_default());
    for number in 0..asked["words"].as_u64().unwrap_or_default() {
        message.write(&format!("{number} "))?;
        flush().await;
        tokio::time::sleep(pause).await;
    }
    if asked["waits"] == true {
        std::future::pending::<()>().await;
    }
    ending.how = "returned";
    Ok(None)
}

fn log(engine: &str, place: &str) -> Result<RunLog, ag_ui_native::Error> {
    Ok(match engine {
        "sqlite" => RunLog::public(SQLiteLog::open(place, SqliteOptions::default())?),
        _ => RunLog::public(RedisLog::new(place)?),
    })
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().collect();
    let [_, engine, place, options] = arguments.as_slice() else {
        return Err("durable_worker ENGINE PLACE OPTIONS".into());
    };
    let given: Json = serde_json::from_str(options)?;
    let lease = given["lease"].as_f64().map_or(LogOptions::default().lease, Duration::from_secs_f64);
    let log = log(engine, place)?.with_options(LogOptions { lease, ..LogOptions::default() });
    let options = RunOptions::default().with_log(log);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", json!({ "port": listener.local_addr()?.port() }));
    axum::serve(listener, Router::new().route("/", agent_with(agent, options))).await?;
    Ok(())
}
