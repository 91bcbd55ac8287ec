//! Drives a machine of durable runs: sends its operations to the engine, and gives it replies, hints and the time.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, Sleep, sleep};

use crate::bindings::durable::{
    EngineFailure, Hint, Log, LogKey, LogNotice, Machine, Operation, Reply, Step, Ticket,
};
use crate::server::axum::panics::watch;

/// The function of the application that takes notices.
pub type OnLog = Arc<dyn Fn(&LogNotice) + Send + Sync>;

/// Gives a notice to the application. A panic of its function changes nothing.
pub fn notify(on_log: Option<&OnLog>, notice: &LogNotice) {
    let Some(on_log) = on_log else { return };
    if let Err(place) = watch(|| on_log(notice)) {
        tracing::error!(target: "ag_ui_native::server", %place, "the function of with_on_log has panicked: its notice is lost");
    }
}

enum Input {
    Reply(Ticket, Result<Reply, EngineFailure>),
    Hint(Hint),
}

pub struct Driver<M> {
    pub machine: M,
    log: Arc<dyn Log>,
    clock: Clock,
    sender: UnboundedSender<Input>,
    inputs: UnboundedReceiver<Input>,
    timer: Pin<Box<Sleep>>,
    /// Ends the watch of the log.
    watch: Option<Box<dyn Send + Sync>>,
    on_log: Option<OnLog>,
}

/// The time of machines: it counts from the making of the clock.
#[derive(Clone, Copy)]
pub struct Clock(Instant);

impl Clock {
    pub fn start() -> Self {
        Self(Instant::now())
    }

    pub fn now(self) -> Duration {
        self.0.elapsed()
    }

    fn instant(self, moment: Duration) -> Instant {
        // The longest times of machines are beyond those of a clock.
        self.0.checked_add(moment).unwrap_or_else(|| Instant::now() + Duration::from_secs(86_400))
    }
}

impl<M: Machine> Driver<M> {
    pub fn new(machine: M, log: Arc<dyn Log>, clock: Clock) -> Self {
        let (sender, inputs) = unbounded_channel();
        Self {
            machine,
            log,
            clock,
            sender,
            inputs,
            timer: Box::pin(sleep(Duration::ZERO)),
            watch: None,
            on_log: None,
        }
    }

    /// Gives the machine the hints of this log.
    pub fn watching(mut self, key: &LogKey) -> Self {
        let sender = self.sender.clone();
        let on_hint = Box::new(move |hint| _ = sender.send(Input::Hint(hint)));
        self.watch = Some(self.log.watch(key, on_hint));
        self
    }

    /// Gives the machine's notices to this function.
    pub fn noticing(self, on_log: Option<OnLog>) -> Self {
        Self { on_log, ..self }
    }

    pub fn now(&self) -> Duration {
        self.clock.now()
    }

    /// Returns the next command for the caller; `None` when the machine has ended.
    pub async fn next(&mut self) -> Option<M::Command> {
        std::future::poll_fn(|context| self.poll_next(context)).await
    }

    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<M::Command>> {
        loop {
            // What has come counts before the time that has passed.
            while let Poll::Ready(Some(input)) = self.inputs.poll_recv(context) {
                self.take(input);
            }
            let now = self.clock.now();
            let step = self.machine.step(now);
            while let Some(notice) = self.machine.next_notice() {
                notify(self.on_log.as_ref(), &notice);
            }
            match step {
                Some(Step::Send(ticket, operation)) => self.send(ticket, operation),
                Some(Step::Other(command)) => return Poll::Ready(Some(command)),
                None => {
                    let Some(moment) = self.machine.next_step() else {
                        self.watch = None;
                        return Poll::Ready(None);
                    };
                    // A moment that has come without a step would otherwise keep the thread busy.
                    let moment = moment.max(now + Duration::from_millis(1));
                    self.timer.as_mut().reset(self.clock.instant(moment));
                    if self.timer.as_mut().poll(context).is_pending() {
                        return Poll::Pending;
                    }
                }
            }
        }
    }

    fn send(&self, ticket: Ticket, operation: Operation) {
        let (log, sender) = (Arc::clone(&self.log), self.sender.clone());
        tokio::spawn(async move {
            let reply = log.execute(operation).await;
            // The machine may have ended meanwhile.
            let _ = sender.send(Input::Reply(ticket, reply));
        });
    }

    fn take(&mut self, input: Input) {
        match input {
            Input::Reply(ticket, reply) => self.machine.take_reply(self.clock.now(), ticket, reply),
            Input::Hint(hint) => self.machine.take_hint(hint),
        }
    }
}
