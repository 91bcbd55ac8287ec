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
    ///
    /// ```
    /// use ag_ui_native::client::HttpAgent;
    /// use ag_ui_native::durable::MemoryLog;
    /// use ag_ui_native::server::axum::{RunLog, RunOptions, agent_with};
    ///
    /// # use ag_ui_native::server::Run;
    /// # use ag_ui_native::{Error, Value};
    /// # async fn greet(run: Run) -> Result<Option<Value>, Error> {
    /// #     run.text_message()?.write("Hello!")?;
    /// #     Ok(None)
    /// # }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), ag_ui_native::client::ClientError> {
    /// let options = RunOptions::default().with_log(RunLog::public(MemoryLog::default()));
    /// let app = axum::Router::new().route("/", agent_with(greet, options));
    /// let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    /// let url = format!("http://{}/", listener.local_addr().unwrap());
    /// tokio::spawn(async move { axum::serve(listener, app).await });
    ///
    /// HttpAgent::new(&*url).with_thread_id("t1").ask("Hi").await?;
    /// let mut tab = HttpAgent::new(&*url).with_thread_id("t1");
    /// let mut active = tab.connect();
    /// while let Some(event) = active.next().await {
    ///     event?; // of the active run: here there is none
    /// }
    /// drop(active);
    /// assert_eq!(tab.messages()?.len(), 2);
    /// # Ok(())
    /// # }
    /// ```
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
