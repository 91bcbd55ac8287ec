//! The steps of a client for one request: the scripts that all three languages read, and random schedules.

use crate::simulation::{self, Chance};

use std::time::Duration;

use ag_ui_native::bindings::client::{
    AnswerHead, Command, Exchange, ExchangeOptions, Limit, Moment, Payload, Purpose, ReconnectOptions,
    Redirects, RequestFailure, Retry, Subject, TimeLimits, Timeout,
};
use ag_ui_native::{Code, Error};
use serde_json::{Map, Value, json};

fn duration(value: &Value) -> Option<Duration> {
    Some(Duration::try_from_secs_f64(value.as_f64()? / 1000.0).unwrap_or(Duration::MAX))
}

fn milliseconds(duration: Duration) -> Value {
    u64::try_from(duration.as_millis()).unwrap().into()
}

fn exchange(options: &Value) -> Exchange {
    let default = Retry::default();
    let retry = options.get("retry").map(|given| Retry {
        attempts: given["attempts"].as_u64().map_or(default.attempts, |count| u32::try_from(count).unwrap()),
        first: duration(&given["first"]).unwrap_or(default.first),
        longest: duration(&given["longest"]).unwrap_or(default.longest),
        jitter: given["jitter"].as_f64().unwrap_or(default.jitter),
    });
    let limits = TimeLimits {
        connect: duration(&options["connect"]),
        first_byte: duration(&options["firstByte"]),
        idle: duration(&options["idle"]),
        total: duration(&options["total"]),
    };
    let redirects = match options["redirects"].as_str() {
        Some("any") => Redirects::Any,
        Some("none") => Redirects::None,
        _ => Redirects::SameOrigin,
    };
    let protobuf = options["protobuf"] == true;
    let begun = duration(&options["begun"]).unwrap_or_default();
    let exchange = Exchange::new(ExchangeOptions { protobuf, redirects, retry, limits }, begun);
    match options.get("subject") {
        Some(given) => exchange.about(subject(given)),
        None => exchange,
    }
}

fn subject(given: &Value) -> Subject {
    let text = |name: &str| given[name].as_str().unwrap().to_owned();
    let purpose = Purpose::ALL.into_iter().find(|purpose| purpose.as_str() == text("purpose")).unwrap();
    let reconnect = given.get("reconnect").map(|times| ReconnectOptions {
        attempts: u32::try_from(times["attempts"].as_u64().unwrap()).unwrap(),
        first: duration(&times["first"]).unwrap(),
        longest: duration(&times["longest"]).unwrap(),
        jitter: times["jitter"].as_f64().unwrap(),
    });
    Subject { purpose, thread_id: text("threadId"), run_id: text("runId"), reconnect }
}

fn tell(exchange: &mut Exchange, step: &Value) -> Command {
    let moment = Moment {
        now: duration(&step["now"]).unwrap(),
        wall: step["wall"].as_i64().unwrap_or_default(),
        chance: step["chance"].as_f64().unwrap_or_default(),
    };
    let text = |name: &str| step[name].as_str();
    let status = |value: &Value| value.as_u64().map(|status| u16::try_from(status).unwrap());
    match text("input").unwrap() {
        "prepared" => {
            let names = step["headers"].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
            exchange.prepared(moment, text("url").unwrap(), names)
        }
        "connected" => exchange.connected(moment),
        "head" => {
            let head = AnswerHead {
                status: status(&step["status"]).unwrap(),
                content_type: text("contentType"),
                content_encoding: text("contentEncoding"),
                location: text("location"),
                retry_after: text("retryAfter"),
                cursor: text("cursor"),
            };
            exchange.head(moment, &head)
        }
        "piece" => {
            let times = usize::try_from(step["times"].as_u64().unwrap_or(1)).unwrap();
            exchange.piece(text("text").unwrap().repeat(times).as_bytes())
        }
        "end" => exchange.end(),
        "failed" => {
            let code = Code::ALL.iter().find(|code| Some(code.as_str()) == text("code")).unwrap();
            let limit = Timeout::ALL.iter().map(|timeout| timeout.as_str());
            let limit = limit.clone().find(|limit| Some(*limit) == text("limit"));
            let error = Error { limit, ..Error::new(*code, "") };
            exchange.failed(moment, RequestFailure { status: status(&step["status"]), ..error.into() })
        }
        "late" => exchange.late(moment, step["connecting"] == true),
        "closed" => exchange.closed(moment),
        "tick" => exchange.tick(moment),
        "aborted" => exchange.aborted(moment),
        input => panic!("{input}"),
    }
}

/// A command as the scripts have it.
fn told(command: &Command, exchange: &Exchange) -> Value {
    let limit = |limit: &Option<Limit>| {
        limit.map(|limit| json!({"lasts": milliseconds(limit.lasts), "timeout": limit.timeout.as_str()}))
    };
    let mut told = match command {
        Command::Prepare => json!({"command": "prepare"}),
        Command::Send(sending) => {
            let headers =
                sending.headers.iter().map(|(name, value)| ((*name).to_owned(), value.as_str().into()));
            json!({
                "command": "send",
                "method": sending.method,
                "hasInput": sending.has_input,
                "url": sending.url,
                "headers": headers.collect::<Map<_, _>>(),
                "leftBehind": sending.left_behind,
                // Beyond all time is beyond all numbers.
                "connect": limit(&sending.connect.filter(|limit| limit.lasts < Duration::MAX)),
                "head": limit(&sending.head),
            })
        }
        Command::Refusal(encoding) => json!({"command": "refusal", "encoding": encoding.as_str()}),
        Command::Wait => json!({"command": "wait"}),
        Command::Close => json!({"command": "close"}),
        Command::Sleep(until) => json!({"command": "sleep", "until": milliseconds(*until)}),
        Command::Events { content_type, encoding } => {
            json!({"command": "events", "contentType": content_type, "encoding": encoding.as_str()})
        }
        Command::Fail(failure) => {
            let payload = failure.payload.as_ref().map(|payload| match payload {
                Payload::Json(value) => serde_json::from_str(&ag_ui_native::to_json(value)).unwrap(),
                Payload::Text(text) => Value::from(text.as_str()),
            });
            json!({
                "command": "fail",
                "code": failure.error.code().as_str(),
                "limit": failure.error.limit,
                "status": failure.status,
                "payloadLength": payload.as_ref().and_then(Value::as_str).map(str::len),
                "payload": payload,
                "says": failure.error.to_string(),
            })
        }
    };
    told["deadline"] = exchange.deadline().map_or(
        Value::Null,
        |deadline| json!({"at": milliseconds(deadline.at), "timeout": deadline.timeout.map(Timeout::as_str)}),
    );
    told
}

#[test]
fn scripts() {
    let text = include_str!("../../../tests/fixtures/client/client_requests.json");
    let all: Value = serde_json::from_str(text).unwrap();
    for script in all["scripts"].as_array().unwrap() {
        let mut exchange = exchange(&script["options"]);
        for step in script["steps"].as_array().unwrap() {
            let command = tell(&mut exchange, step);
            let told = told(&command, &exchange);
            for (member, expected) in step["then"].as_object().unwrap() {
                let found = match member.as_str() {
                    // The failure that a host gives is the failure of the request.
                    "given" => continue,
                    "says" => {
                        let says = told["says"].as_str().unwrap_or_default();
                        assert!(says.contains(expected.as_str().unwrap()), "{}: {says}", script["name"]);
                        continue;
                    }
                    _ => &told[member],
                };
                assert_eq!(found, expected, "{}: {member} of {step}", script["name"]);
            }
        }
    }
}

const URLS: [&str; 4] = ["", "https://a.example/", "https://user:pw@a.example/x#y", "https://b.example/"];

fn head(chance: &mut Chance) -> Value {
    match chance.below(3) {
        0 => {
            let any = 100 + chance.below(500);
            let location = if chance.is(2) { Value::Null } else { chance.one(&URLS).into() };
            json!({"input": "head", "status": chance.one(&[any, 200, 307, 503]), "location": location})
        }
        1 => {
            let encoding = chance.one(&["br", "gzip", "gzip, gzip"]);
            json!({"input": "head", "status": chance.one(&[200, 500]), "contentEncoding": encoding})
        }
        _ => {
            let after = chance.one(&["1", "60", "x", "Sun, 06 Nov 1994 08:49:37 GMT"]);
            json!({"input": "head", "status": 429, "retryAfter": after})
        }
    }
}

/// Random input of a host: input that fits the open command, and input that does not.
fn input(chance: &mut Chance) -> Value {
    match chance.below(12) {
        0..3 => head(chance),
        3 => json!({"input": "aborted"}),
        4 => {
            let headers = if chance.is(2) { vec!["authorization"] } else { Vec::new() };
            json!({"input": "prepared", "url": chance.one(&URLS), "headers": headers})
        }
        5 => json!({"input": "connected"}),
        6 => json!({"input": "piece", "text": "x", "times": 1 + chance.below(70_000)}),
        7 => json!({"input": "end"}),
        8 => {
            let code = chance.one(&["connection_failed", "connection_lost", "timed_out", "invalid_header"]);
            json!({"input": "failed", "code": code, "limit": chance.is(2).then_some("connect_timeout")})
        }
        9 => json!({"input": "late", "connecting": chance.is(2)}),
        10 => json!({"input": "closed"}),
        _ => json!({"input": "tick"}),
    }
}

fn options(chance: &mut Chance) -> Value {
    let mut time = || match chance.below(8) {
        0 => json!(0.0),
        1 => json!(1.0 + 99.0 * chance.part()),
        2 => json!(1.0 + 99_999.0 * chance.part()),
        3 => json!(f64::MAX),
        _ => Value::Null,
    };
    let mut options = json!({"connect": time(), "firstByte": time(), "idle": time(), "total": time()});
    options["redirects"] = chance.one(&["same-origin", "any", "none"]).into();
    if chance.is(2) {
        options["retry"] =
            json!({"attempts": 1 + chance.below(4), "first": chance.below(1000), "jitter": chance.part()});
    }
    options
}

/// Returns the input of a host that has waited until the deadline, or forever if there is none.
fn waited(command: &Command) -> Value {
    match command {
        Command::Prepare => json!({"input": "prepared", "url": "https://a.example/", "headers": []}),
        Command::Send(_) => json!({"input": "failed", "code": "connection_lost"}),
        Command::Refusal(_) => json!({"input": "end"}),
        Command::Close => json!({"input": "closed"}),
        command => panic!("nothing ends {command:?}"),
    }
}

/// For random input at any time: there is one outcome, and no command after it; a replaced command has no effect; a
/// deadline that has passed is answered.
#[test]
fn schedules() {
    simulation::by_seed(schedule);
}

fn is_over(command: &Command) -> bool {
    matches!(command, Command::Events { .. } | Command::Fail(_))
}

fn schedule(chance: &mut Chance) {
    let options = options(chance);
    let mut exchange = exchange(&options);
    let (mut now, mut open, mut sent) = (0, Command::Prepare, 0);
    let take = |command: Command, open: &mut Command, sent: &mut usize| {
        if command != Command::Wait {
            assert!(!is_over(open), "{command:?} behind the end");
            *sent += usize::from(matches!(command, Command::Send(_)));
            *open = command;
        }
    };
    for _ in 0..chance.below(40) {
        let mut input = input(chance);
        now += chance.below(200);
        input["now"] = now.into();
        input["chance"] = chance.part().into();
        take(tell(&mut exchange, &input), &mut open, &mut sent);
        if is_over(&open) || open == Command::Close {
            assert_eq!(exchange.deadline(), None);
        }
        if matches!(open, Command::Sleep(_)) {
            assert!(exchange.deadline().is_some());
        }
    }
    // From here on the host sends nothing by itself.
    for left in (0..200).rev() {
        if is_over(&open) {
            break;
        }
        assert!(left > 0, "no end");
        let deadline = exchange.deadline().filter(|deadline| deadline.at < Duration::from_secs(1 << 32));
        let mut step = deadline.map_or_else(|| waited(&open), |_| json!({"input": "tick"}));
        if let Some(deadline) = deadline {
            now = now.max(usize::try_from(deadline.at.as_millis()).unwrap() + 1);
        }
        step["now"] = now.into();
        let command = tell(&mut exchange, &step);
        assert_ne!(command, Command::Wait, "{open:?} has no answer to {step}");
        take(command, &mut open, &mut sent);
    }
    let attempts = options["retry"]["attempts"].as_u64().unwrap_or(1);
    assert!(u64::from(exchange.attempt()) <= attempts);
    assert!(sent as u64 <= attempts * 6);
}
