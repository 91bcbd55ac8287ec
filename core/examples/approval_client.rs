//! Asks a person before the agent continues:
//! `cargo run --features client --example approval_client http://127.0.0.1:8000/`.

use std::error::Error;
use std::io::{self, BufRead, Write};

use ag_ui_native::client::{HttpAgent, RunParameters};
use ag_ui_native::types::{ResumeEntry, ResumeStatus};
use ag_ui_native::{Object, Value};

/// Asks the person until the agent has no more questions.
pub async fn clean_up(
    url: &str,
    mut typed: impl BufRead,
    mut screen: impl Write,
) -> Result<(), Box<dyn Error>> {
    // --8<-- [start:answer]
    let mut agent = HttpAgent::new(url);
    let mut run = agent.ask("Clean up, please.").await?.result;
    while !agent.pending_interrupts().is_empty() {
        let mut answers = Vec::new();
        for open in agent.pending_interrupts() {
            writeln!(screen, "{} [y/n]", open.message.as_deref().unwrap_or(&open.reason))?;
            let mut line = String::new();
            typed.read_line(&mut line)?;
            let approved = Value::from(Object::from([("approved", line.trim() == "y")]));
            answers.push(ResumeEntry::new(&open.id, ResumeStatus::Resolved).with_payload(approved));
        }
        let resume = agent.build_resume(answers)?;
        run = agent.run_to_end(RunParameters::default().with_resume(resume)).await?;
    }
    writeln!(screen, "{}", run.text())?;
    // --8<-- [end:answer]
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::args().nth(1).unwrap_or_else(|| "http://127.0.0.1:8000/".to_owned());
    clean_up(&url, io::stdin().lock(), io::stdout()).await
}
