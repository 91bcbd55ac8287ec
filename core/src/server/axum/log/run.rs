//! A run that no connection owns: what its agent writes goes to the log.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

use axum::body::Bytes;
use futures_core::Stream;

use super::driver::Driver;
use super::settings::Draining;
use crate::bindings::durable::{ProducerCommand, Recorded, Recorder, StopReason};
use crate::server::axum::body::RunBody;
use crate::server::{Cause, Run};

enum Event {
    Command(Option<ProducerCommand>),
    /// The next frames of the agent; `None` at the end of the run.
    Piece(Option<Bytes>),
    /// The process shuts down.
    Draining,
}

/// Runs the agent, and stores its run to the end.
pub async fn record(mut body: RunBody, mut driver: Driver<Recorder>, draining: Draining) {
    let run = body.run.clone();
    let mut begun = Some(Box::pin(draining.begun()));
    // The agent begins when RUN_STARTED is stored.
    let mut awaited = match driver.machine.write(driver.now(), &run.take()) {
        Ok(started) => Some(started.last),
        Err(error) => return report(&run, &error),
    };
    let mut has_ended = false;
    loop {
        let takes = !has_ended && awaited.is_none() && driver.machine.has_room();
        let event = poll_fn(|context| {
            if let Poll::Ready(command) = driver.poll_next(context) {
                return Poll::Ready(Event::Command(command));
            }
            if takes && let Poll::Ready(piece) = Pin::new(&mut body).poll_next(context) {
                return Poll::Ready(Event::Piece(piece.and_then(Result::ok)));
            }
            if begun.as_mut().is_some_and(|begun| begun.as_mut().poll(context).is_ready()) {
                return Poll::Ready(Event::Draining);
            }
            Poll::Pending
        })
        .await;
        match event {
            Event::Piece(Some(piece)) => {
                let now = driver.now();
                match driver.machine.write(now, &piece) {
                    Ok(Recorded { last, is_awaited: true, .. }) => awaited = Some(last),
                    Ok(_) => {}
                    Err(error) => return report(&run, &error),
                }
            }
            Event::Piece(None) => has_ended = true,
            Event::Draining => {
                begun = None;
                driver.machine.drain(driver.now());
            }
            Event::Command(Some(ProducerCommand::Stored { through })) => {
                awaited = awaited.filter(|number| *number > through);
            }
            Event::Command(Some(ProducerCommand::Stop(reason))) => {
                if !matches!(reason, StopReason::Cancelled | StopReason::Unattended) {
                    report(&run, &format_args!("{reason:?}"));
                }
                if !reason.has_end() {
                    // Dropping the body drops the agent, and what it writes.
                    return;
                }
                Arc::clone(&body.work).cancel(Cause::CalledOff).await;
            }
            Event::Command(Some(ProducerCommand::Closed) | None) => return,
            Event::Command(Some(ProducerCommand::Send { .. })) => {}
        }
    }
}

fn report(run: &Run, error: &dyn std::fmt::Display) {
    let input = run.input();
    let (thread_id, run_id) = (&input.thread_id, &input.run_id);
    tracing::error!(target: "ag_ui_native::server", thread_id, run_id, %error, "the log takes no more events of the run: the agent is cancelled");
}
