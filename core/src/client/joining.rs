//! Agents that join runs which were started elsewhere, open threads, and cancel runs, at a server with a log.

use super::agent::Agent;
use super::options::RunParameters;
use super::request::Purpose;
use super::result::ClientError;
use super::run::RunStream;
use super::transport::opening::opener;
use super::transport::request::{Detaching, Transport};
use super::transport::thread::{cancel_run, read_thread};

impl<T: Transport> Agent<T> {
    /// Reads a run of this thread that was started elsewhere, such as in another tab, and applies its events. Functions of tools are
    /// not called, and dropping the stream does not end the run. The conversation must not have events of the run yet:
    /// [`connect`](Self::connect) sees to that.
    ///
    /// The first item is an error if the server has no log of the run (`run_unknown`), and for transports other than HTTP.
    pub fn join(&mut self, run_id: impl Into<String>) -> RunStream<'_> {
        let options = RunParameters::default().with_run_id(run_id);
        self.begin(options, None, Purpose::Join).observing(None)
    }

    /// Opens this thread: replaces messages, state and pending interrupts by those that the server has kept, and joins the active
    /// run, if there is one. Without one the stream is empty, and its result tells how the last run has ended.
    pub fn connect(&mut self) -> RunStream<'_> {
        let open = opener(&self.transport, self.settings, Purpose::Thread, Detaching::default());
        let connecting = Box::pin(read_thread(open, self.thread_id.clone(), self.settings));
        self.begin(RunParameters::default(), None, Purpose::Join).observing(Some(connecting))
    }

    /// Cancels a run of this thread on its server, wherever it is executed. All its readers get its end.
    /// [`RunStream::cancel`] cancels the run that is being read.
    ///
    /// # Errors
    /// `run_unknown` if the server has no log of the run, and for transports other than HTTP; the errors of requests.
    pub async fn cancel(&self, run_id: &str) -> Result<(), ClientError> {
        let open = opener(&self.transport, self.settings, Purpose::Cancel, Detaching::default());
        cancel_run(open, &self.thread_id, run_id, self.settings).await
    }
}
