//! A state that the client follows, and reads while it changes:
//! `cargo run --features client,server,serde_json --example plan`.
#![allow(clippy::print_stdout)] // It is a command.

use ag_ui_native::client::{LocalAgent, RunParameters};
use ag_ui_native::server::{Run, axum::flush};
use ag_ui_native::{Error, Value};

// --8<-- [start:state]
/// The state that client and agent share.
#[derive(serde::Serialize, serde::Deserialize)]
pub struct Plan {
    title: String,
    steps: Vec<String>,
}
// --8<-- [end:state]

// --8<-- [start:agent]
/// Changes it step by step.
pub async fn agent(run: Run) -> Result<Option<Value>, Error> {
    let mut plan: Plan = run.state_as()?;
    for step in ["pack", "drive", "swim"] {
        plan.steps.push(step.to_owned());
        run.set_state_of(&plan)?;
        flush().await; // sends what has changed
    }
    run.text_message()?.write(&format!("{} of {} steps.", plan.title, plan.steps.len()))?;
    Ok(None)
}
// --8<-- [end:agent]

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // --8<-- [start:client]
    let begin = serde_json::json!({"title": "A swim in the sea", "steps": []});
    let mut client = LocalAgent::new(agent).with_state(begin); // or HttpAgent::new(url)
    let mut run = client.run(RunParameters::default());
    while let Some(event) = run.next().await {
        println!("{}", event?.tag());
    }
    drop(run); // the client is free again
    let plan: Plan = client.state_as()?;
    println!("{}: {} steps", plan.title, plan.steps.len());
    // --8<-- [end:client]
    Ok(())
}
