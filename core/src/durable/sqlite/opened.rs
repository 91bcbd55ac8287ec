//! An open file: its connections and its threads, in the process that has opened it.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::{io, process};

use super::clock::Clock;
use super::connection::SharedConnection;
use super::failure::unavailable;
use super::file;
use super::forks::using;
use super::job::{Job, Message};
use super::notice::notice;
use super::options::SqliteOptions;
use super::reader::Reader;
use super::watch::Watchers;
use super::writer::Writer;
use crate::durable::store::is_read;
use crate::error::Error;

/// The file, and the way it is opened.
pub struct Source {
    pub path: PathBuf,
    pub options: SqliteOptions,
    pub clock: Arc<Clock>,
}

pub struct Opened {
    process: u32,
    source: Arc<Source>,
    connections: [SharedConnection; 2],
    pub watchers: Arc<Watchers>,
    reader: Sender<Message>,
    writer: Sender<Message>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    is_closed: AtomicBool,
    /// The open file of a child that opens it after a fork.
    child: OnceLock<Arc<Self>>,
    child_opens: Mutex<()>,
}

impl Opened {
    pub fn open(source: Arc<Source>) -> Result<Arc<Self>, Error> {
        let Source { path, options, clock } = &*source;
        let (writing, reading) = {
            let _using = using();
            (file::open_writer(path, options, clock)?, file::open_reader(path, options)?)
        };
        let (writing, reading) = (SharedConnection::new(writing), SharedConnection::new(reading));
        let watchers = Arc::new(Watchers::default());
        let (reader, reader_messages) = channel();
        let (writer, writer_messages) = channel();
        let reader_thread = Reader {
            connection: reading.clone(),
            clock: Arc::clone(clock),
            watchers: Arc::clone(&watchers),
            messages: reader_messages,
            writer: writer.clone(),
        };
        let writer_thread = Writer {
            connection: writing.clone(),
            clock: Arc::clone(clock),
            watchers: Arc::clone(&watchers),
            messages: writer_messages,
            reader: reader.clone(),
            notice: notice(path, writer.clone()).ok(),
        };
        let threads = vec![
            spawn("ag-ui-log-reader", || reader_thread.run())?,
            spawn("ag-ui-log-writer", || writer_thread.run())?,
        ];
        Ok(Arc::new(Self {
            process: process::id(),
            source,
            connections: [writing, reading],
            watchers,
            reader,
            writer,
            threads: Mutex::new(threads),
            is_closed: AtomicBool::new(false),
            child: OnceLock::new(),
            child_opens: Mutex::new(()),
        }))
    }

    /// Returns the open file of this process. After a fork the child closes the connections of its parent, and opens the file anew.
    pub fn of_this_process(self: &Arc<Self>) -> Result<Arc<Self>, Error> {
        if self.is_own() {
            return Ok(Arc::clone(self));
        }
        let _opens = self.child_opens.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(child) = self.child.get() {
            return child.of_this_process();
        }
        self.connections.iter().try_for_each(SharedConnection::close_after_fork)?;
        let child = Self::open(Arc::clone(&self.source))?;
        Ok(Arc::clone(self.child.get_or_init(|| child)))
    }

    /// Returns the open file of this process, if it has opened it.
    pub fn if_opened(self: &Arc<Self>) -> Option<Arc<Self>> {
        if self.is_own() { Some(Arc::clone(self)) } else { self.child.get()?.if_opened() }
    }

    pub fn is_own(&self) -> bool {
        self.process == process::id()
    }

    pub fn execute(&self, job: Job) {
        // What cannot be sent is dropped, and so answered.
        if self.is_closed.load(Ordering::Acquire) {
            return drop(job);
        }
        let thread = if is_read(&job.operation) { &self.reader } else { &self.writer };
        let _ = thread.send(Message::Execute(job));
    }

    /// Makes the threads check at once for writes of other processes.
    pub fn look(&self) {
        let _ = self.writer.send(Message::Look);
    }

    /// Ends the threads after all sent messages are processed. Returns the threads.
    pub fn end(&self) -> Vec<JoinHandle<()>> {
        self.is_closed.store(true, Ordering::Release);
        let _ = self.reader.send(Message::End);
        std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, Error> {
    let fail = |error: io::Error| unavailable(format!("no thread can be started: {error}"));
    thread::Builder::new().name(name.into()).spawn(run).map_err(fail)
}
