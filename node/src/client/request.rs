//! The request of a client: the function that `RequestFunction` in `lib/native/native.cts` describes.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ag_ui_native::bindings::client::{
    AnswerHead, Command, Exchange, ExchangeOptions, Limit, Moment, Purpose, Redirects, RequestFailure, Retry,
    Subject, TimeLimits, Timeout,
};
use ag_ui_native::{Code, Error, Object, Value};
use napi::bindgen_prelude::Unknown;
use napi::{Env, Result};

use crate::client::resumable::reconnect_options;
use crate::client::{Members, code_named, object, payload_of, timeout_named};
use crate::error;
use crate::node_api::{Handle, JsCall, function};

/// A request, and a buffer for texts that cross.
struct Machine {
    exchange: Exchange,
    room: Vec<u8>,
}

/// The function of a request. The options are JSON text.
pub fn request_function(env: Env, options: &str) -> Result<Unknown<'static>> {
    let options = object(options);
    let begun = options.clock_time("begun");
    let exchange = Exchange::new(options_of(&options), begun).about(subject_of(&options));
    let call = JsCall::of(&env);
    let machine = RefCell::new(Machine { exchange, room: Vec::new() });
    call.returned(function(&call, c"request", machine, feed)?)
}

fn options_of(options: &Members) -> ExchangeOptions {
    let limits = TimeLimits {
        connect: options.time("connect"),
        first_byte: options.time("firstByte"),
        idle: options.time("idle"),
        total: options.time("total"),
    };
    let redirects = match options.text("redirects") {
        Some("any") => Redirects::Any,
        Some("none") => Redirects::None,
        _ => Redirects::SameOrigin,
    };
    let retry = options.object("retry").map(|given| retry_of(&given));
    ExchangeOptions { protobuf: options.flag("protobuf"), redirects, retry, limits }
}

/// The run or thread that the request is about: the start of a run if nothing is said.
fn subject_of(options: &Members) -> Subject {
    let Some(given) = options.object("subject") else { return Subject::default() };
    let text = |name: &str| given.text(name).unwrap_or_default().to_owned();
    Subject {
        purpose: Purpose::ALL
            .into_iter()
            .find(|known| Some(known.as_str()) == given.text("purpose"))
            .unwrap_or_default(),
        thread_id: text("threadId"),
        run_id: text("runId"),
        reconnect: given.object("reconnect").map(|times| reconnect_options(&times)),
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // It saturates.
fn retry_of(given: &Members) -> Retry {
    let default = Retry::default();
    Retry {
        attempts: given.number("attempts").map_or(default.attempts, |count| count as u32),
        first: given.time("first").unwrap_or(default.first),
        longest: given.time("longest").unwrap_or(default.longest),
        jitter: given.number("jitter").unwrap_or(default.jitter),
    }
}

fn feed<'c>(
    call: &mut JsCall<'c>,
    machine: &RefCell<Machine>,
    [input]: [Handle<'c>; 1],
) -> Option<Handle<'c>> {
    // No JavaScript runs during the borrow.
    let mut machine = machine.try_borrow_mut().ok()?;
    let Machine { exchange, room } = &mut *machine;
    let answer = catch_unwind(AssertUnwindSafe(|| {
        if let Some(command) = call.with_bytes(input, |piece| exchange.piece(piece)) {
            return written(&command, exchange, false);
        }
        let input = object(&call.text(input, room).unwrap_or_default());
        let command = command_for(exchange, &input);
        // Of a run that was looked for, the first failure counts.
        let is_given = input.text("input") == Some("failed") && !exchange.has_lost_answer();
        written(&command, exchange, is_given)
    }));
    call.string(&answer.unwrap_or_else(|_| {
        format!(
            "{{\"command\":\"fail\",\"error\":{}}}",
            error::describe(&Error::new(Code::Internal, "panic"))
        )
    }))
}

/// Returns the next command for an input other than pieces.
fn command_for(exchange: &mut Exchange, input: &Members) -> Command {
    let moment = Moment {
        now: input.clock_time("now"),
        #[allow(clippy::cast_possible_truncation)] // It saturates.
        wall: input.number("wall").unwrap_or_default() as i64,
        chance: input.number("chance").unwrap_or_default(),
    };
    match input.text("input").unwrap_or_default() {
        "prepared" => {
            let names = input.texts("headers");
            exchange.prepared(moment, input.text("url").unwrap_or_default(), names)
        }
        "connected" => exchange.connected(moment),
        "head" => {
            let head = AnswerHead {
                status: input.status().unwrap_or_default(),
                content_type: input.text("contentType"),
                content_encoding: input.text("contentEncoding"),
                location: input.text("location"),
                retry_after: input.text("retryAfter"),
                cursor: input.text("cursor"),
            };
            exchange.head(moment, &head)
        }
        "end" => exchange.end(),
        "late" => exchange.late(moment, input.flag("connecting")),
        "closed" => exchange.closed(moment),
        "tick" => exchange.tick(moment),
        "aborted" => exchange.aborted(moment),
        _ => {
            let limit = input.text("limit").and_then(timeout_named).map(Timeout::as_str);
            let code = code_named(input.text("code").unwrap_or_default());
            let error = Error { limit, ..Error::new(code, "") };
            exchange.failed(moment, RequestFailure { status: input.status(), ..error.into() })
        }
    }
}

/// Writes a command as JSON text. If the host has given the error itself (`is_given`), the text leaves it out.
fn written(command: &Command, exchange: &Exchange, is_given: bool) -> String {
    let mut object = Object::default();
    let name = match command {
        Command::Prepare => "prepare",
        Command::Send(sending) => {
            let headers = sending.headers.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
            object.insert("method", sending.method);
            object.insert("hasInput", sending.has_input);
            object.insert("url", sending.url.as_str());
            object.insert("headers", headers.collect::<Object>());
            object.insert("leftBehind", sending.left_behind.to_vec());
            object.insert("connect", limit(sending.connect));
            object.insert("head", limit(sending.head));
            "send"
        }
        Command::Refusal(encoding) => {
            object.insert("encoding", encoding.as_str());
            "refusal"
        }
        Command::Wait => "wait",
        Command::Close => "close",
        Command::Sleep(until) => {
            object.insert("until", milliseconds(*until));
            object.insert("attempt", i64::from(exchange.attempt()));
            "sleep"
        }
        Command::Events { content_type, encoding } => {
            object.insert("contentType", content_type.as_str());
            object.insert("encoding", encoding.as_str());
            "events"
        }
        Command::Fail(_) => "fail",
    };
    object.insert("command", name);
    let deadline = exchange.deadline().map(|deadline| {
        let timeout = deadline.timeout.map(|timeout| Value::from(error::camel_case(timeout.as_str())));
        Object::from([("at", milliseconds(deadline.at)), ("timeout", timeout.unwrap_or(Value::Null))])
    });
    object.insert("deadline", deadline.map_or(Value::Null, Value::from));
    if let Command::Fail(failure) = command
        && !is_given
    {
        object.insert("status", failure.status.map_or(Value::Null, |status| i64::from(status).into()));
        object.insert("payload", failure.payload.clone().map_or(Value::Null, payload_of));
        object.insert("error", error::described(&failure.error));
    }
    error::text(&object.into())
}

fn limit(limit: Option<Limit>) -> Value {
    limit.filter(|limit| limit.lasts < Duration::MAX).map_or(Value::Null, |limit| {
        let timeout = Value::from(error::camel_case(limit.timeout.as_str()));
        Object::from([("lasts", milliseconds(limit.lasts)), ("timeout", timeout)]).into()
    })
}

#[allow(clippy::cast_precision_loss)] // There are no moments of so many digits.
fn milliseconds(duration: Duration) -> Value {
    Value::from(duration.as_nanos() as f64 / 1e6)
}
