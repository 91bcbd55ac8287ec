//! The rules of a server with a log: its options, its requests and its responses.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use ag_ui_native::bindings::durable::{
    LogHead, LogKey, LogNotice, LogOptions, LogRequest, LogStart as CoreLogStart, LogStartHead, LogSubject,
    Occupancy, OnBusy, OnDisconnect, PrefixCache, SingleOperation, ThreadKey, check_given,
};
use ag_ui_native::types::RunAgentInput;
use ag_ui_native::{Limits, Object, Profile, from_json};
use napi::Result;
use napi::bindgen_prelude::Either;
use napi_derive::napi;

use super::handles::{key_of, key_text};
use super::machine::LogMachine;
use super::notice::notice_text;
use super::occupancy::{LogOccupancy, LogPlace};
use super::response::refused;
use super::start::LogStart;
use super::stream::{LogStream, ReaderHead};
use super::time::duration;
use crate::error;
use crate::options::ReaderOptions;
use crate::server::{Head, of_answer};

/// A server with a log.
#[napi]
#[derive(Debug)]
pub struct LogServer {
    options: LogOptions,
    limits: Limits,
    heartbeat: Duration,
    prefixes: PrefixCache,
    occupancy: Occupancy,
}

/// The options of a server with a log. Absent ones have their defaults; times are in milliseconds.
#[napi(object)]
#[derive(Debug, Default)]
pub struct LogServerOptions {
    pub on_disconnect: Option<String>,
    pub grace: Option<f64>,
    pub on_busy: Option<String>,
    pub lease: Option<f64>,
    pub log_bytes: Option<f64>,
    pub keep: Option<f64>,
    pub keep_thread: Option<f64>,
    pub max_connection: Option<f64>,
    pub max_age: Option<f64>,
    pub max_active_runs: Option<f64>,
    pub max_readers: Option<f64>,
    pub drain: Option<f64>,
}

#[napi]
impl LogServer {
    /// Makes a server. `settings` are those of a run, as JSON text; `occupancy` is that of the log in this process.
    #[napi(constructor, catch_unwind)]
    #[allow(clippy::needless_pass_by_value)] // napi hands values over.
    pub fn new(
        given: LogServerOptions,
        settings: String,
        heartbeat: f64,
        occupancy: &LogOccupancy,
    ) -> Result<Self> {
        let settings = ReaderOptions::parse(&settings);
        let settings = settings.map_err(|error| napi::Error::from_reason(error::describe(&error)))?;
        Ok(Self {
            options: options(&given),
            limits: settings.limits,
            heartbeat: duration(heartbeat),
            prefixes: PrefixCache::default(),
            occupancy: occupancy.occupancy.clone(),
        })
    }

    /// Checks the head of a request, which is JSON text. Returns `{"request", "action", "threadId", "runId", "after", "wireFormat",
    /// "cors", "address"}`, or the whole `answer`.
    #[napi(catch_unwind)]
    #[allow(clippy::needless_pass_by_value)] // napi hands strings over.
    pub fn accept(&self, head: String) -> Result<String> {
        let head = Head::parse(&head).map_err(|error| napi::Error::from_reason(error::describe(&error)))?;
        let asked = LogHead {
            request: head.request(),
            path: head.text("path").unwrap_or_default(),
            query: head.text("query").unwrap_or_default(),
            last_event_id: head.text("lastEventId"),
        };
        let mut answer = Object::default();
        match asked.accept(head.cors().as_ref(), head.accept_wildcards(), &self.limits) {
            Ok(accepted) => {
                describe(&accepted.request, &mut answer);
                answer.insert("wireFormat", crate::server::name(accepted.wire_format));
                answer.insert("cors", Object::from_iter(accepted.cors));
                answer.insert("address", accepted.address);
            }
            Err(response) => {
                answer.insert("answer", of_answer(response));
            }
        }
        Ok(error::text(&answer.into()))
    }

    /// Returns the key of a log, or the refusal of an id that is too long: JSON text.
    #[napi(catch_unwind)]
    #[allow(clippy::needless_pass_by_value, clippy::unused_self)] // JavaScript calls methods; napi hands strings over.
    pub fn key(&self, scope: String, thread_id: String, run_id: String) -> String {
        match LogKey::new(&scope, &thread_id, &run_id) {
            Ok(key) => key_text(&key),
            Err(error) => refused(error),
        }
    }

    /// Counts a reader of a scope. Returns the refusal as JSON text if it has too many.
    #[napi(catch_unwind)]
    #[allow(clippy::needless_pass_by_value)] // napi hands strings over.
    pub fn place(&self, scope: String) -> Either<LogPlace, String> {
        match self.occupancy.reader(&scope, self.options.max_readers) {
            Ok(place) => Either::A(LogPlace { place: Some(place) }),
            Err(error) => Either::B(refused(error)),
        }
    }

    /// The notice of a request that was refused with this code, as JSON text.
    #[napi(catch_unwind)]
    #[allow(clippy::needless_pass_by_value, clippy::unused_self)] // JavaScript calls methods; napi hands strings over.
    pub fn refused_notice(
        &self,
        code: String,
        scope: Option<String>,
        thread_id: Option<String>,
        run_id: Option<String>,
    ) -> String {
        notice_text(&LogNotice::refused(&code, LogSubject { scope, thread_id, run_id }))
    }

    /// Starts a run, whose input is JSON text. `resume` is the header `AG-UI-Resume`. With `now`, in milliseconds since the Unix epoch,
    /// the input has to answer the interrupts that wait in the thread. With `is_draining`, no run begins. Returns the refusal as JSON
    /// text if an id is too long.
    #[napi(catch_unwind)]
    #[allow(clippy::needless_pass_by_value)] // napi hands strings over.
    pub fn start(
        &self,
        scope: String,
        input: String,
        resume: Option<String>,
        now: Option<i64>,
        is_draining: bool,
    ) -> Either<LogStart, String> {
        let Self { options, limits, occupancy, .. } = self;
        let head = LogStartHead { scope: &scope, resume: resume.as_deref(), now, is_draining };
        let start = from_json::<RunAgentInput>(&input, Profile::Tolerant)
            .and_then(|(input, _)| CoreLogStart::new(head, input, *limits, options, occupancy));
        match start {
            Ok(start) => Either::A(LogStart::new(start)),
            Err(error) => Either::B(refused(error)),
        }
    }

    /// Reads a log behind a cursor, or joins its run. The stream has the place from now on.
    #[napi(catch_unwind)]
    pub fn read(&self, head: ReaderHead, place: &mut LogPlace) -> Result<LogStream> {
        LogStream::new(head, self.heartbeat, place.take()?, &self.options, &self.prefixes)
    }

    /// Cancels a run. The decision is `response` with its text, or `refused` with the refusal.
    #[napi(catch_unwind)]
    #[allow(clippy::needless_pass_by_value, clippy::unused_self)] // JavaScript calls methods; napi hands strings over.
    pub fn cancel(&self, key: String) -> Result<LogMachine> {
        Ok(single(SingleOperation::cancel(key_of(&key)?)))
    }

    /// Reads a thread. The decision is as that of a cancel.
    #[napi(catch_unwind)]
    #[allow(clippy::needless_pass_by_value, clippy::unused_self)] // JavaScript calls methods; napi hands strings over.
    pub fn read_thread(&self, scope: String, thread_id: String) -> Result<LogMachine> {
        let thread = ThreadKey::new(&scope, &thread_id);
        let thread = thread.map_err(|error| napi::Error::from_reason(refused(error)))?;
        Ok(single(SingleOperation::read_thread(thread, thread_id)))
    }
}

fn single(operation: SingleOperation) -> LogMachine {
    LogMachine::of(&Rc::new(RefCell::new(operation)))
}

/// Checks which options a server was given, by their names. Returns the error as JSON text.
#[napi(catch_unwind)]
#[allow(dead_code, clippy::needless_pass_by_value)] // The addon exports it, and napi hands values over.
pub fn check_log_options(names: Vec<String>) -> Option<String> {
    check_given(&names).err().map(|error| error::describe(&error))
}

fn options(given: &LogServerOptions) -> LogOptions {
    let defaults = LogOptions::default();
    let time = |given: Option<f64>, default| given.map_or(default, duration);
    LogOptions {
        on_disconnect: match given.on_disconnect.as_deref() {
            Some("continue") => OnDisconnect::Continue,
            Some("cancel") => OnDisconnect::Cancel,
            _ => OnDisconnect::Resume,
        },
        grace: time(given.grace, defaults.grace),
        on_busy: if given.on_busy.as_deref() == Some("interrupt") {
            OnBusy::Interrupt
        } else {
            OnBusy::Reject
        },
        lease: time(given.lease, defaults.lease),
        max_bytes: given.log_bytes.map_or(defaults.max_bytes, whole),
        keep: time(given.keep, defaults.keep),
        keep_thread: time(given.keep_thread, defaults.keep_thread),
        max_connection: time(given.max_connection, defaults.max_connection),
        max_age: time(given.max_age, defaults.max_age),
        max_active_runs: given.max_active_runs.map(whole),
        max_readers: given.max_readers.map(whole),
        drain: time(given.drain, defaults.drain),
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // It saturates.
fn whole(number: f64) -> usize {
    number as usize
}

fn describe(request: &LogRequest, answer: &mut Object) {
    let (kind, thread_id, run_id, after) = match request {
        LogRequest::Run { after } => ("run", None, None, *after),
        LogRequest::Read { thread_id, run_id, after } => ("read", Some(thread_id), Some(run_id), *after),
        LogRequest::Cancel { thread_id, run_id } => ("cancel", Some(thread_id), Some(run_id), None),
        LogRequest::Thread { thread_id } => ("thread", Some(thread_id), None, None),
    };
    answer.insert("request", kind);
    answer.insert("action", request.action().as_str());
    let members = [
        ("threadId", thread_id.cloned()),
        ("runId", run_id.cloned()),
        ("after", after.map(|after| after.to_string())),
    ];
    for (name, value) in members {
        if let Some(value) = value {
            answer.insert(name, value);
        }
    }
}
