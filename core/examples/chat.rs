//! Chat in a terminal: `cargo run --features client --example chat http://127.0.0.1:8000/`.

use std::io::{self, BufRead, Write};

use ag_ui_native::client::{Agent, HttpAgent, RunOutcome, Transport};

/// Sends each typed line, and shows the answers as they arrive.
pub async fn chat<T: Transport>(
    agent: &mut Agent<T>,
    typed: impl BufRead,
    mut screen: impl Write,
) -> io::Result<()> {
    for line in typed.lines() {
        // --8<-- [start:ask]
        let mut reply = agent.ask_stream(line?);
        while let Some(piece) = reply.next().await {
            match piece {
                Ok(text) => write!(screen, "{text}")?,
                Err(error) => write!(screen, "[{error}]")?,
            }
            screen.flush()?;
        }
        match reply.into_reply().result.outcome {
            Some(RunOutcome::Error { message, .. }) => writeln!(screen, "[the agent failed: {message}]")?,
            Some(RunOutcome::Interrupt(_)) => writeln!(screen, "[the agent waits for an answer]")?,
            _ => writeln!(screen)?,
        }
        // --8<-- [end:ask]
    }
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let url = std::env::args().nth(1).unwrap_or_else(|| "http://127.0.0.1:8000/".to_owned());
    chat(&mut HttpAgent::new(url), io::stdin().lock(), io::stdout()).await
}
