//! What a client does about one request: the scripts that all three languages read, and schedules that nobody has thought of.

use crate::simulation;

use std::time::Duration;

use ag_ui_native::host::client::{
    AnswerHead, Command, Exchange, ExchangeOptions, Limit, Moment, Payload, Redirects, RequestFailure, Retry,
    TimeLimits, Timeout,
};
use ag_ui_native::{Code, Error};
use proptest::prelude::*;
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
    Exchange::new(ExchangeOptions { protobuf, redirects, retry, limits }, begun)
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
    let text = include_str!("../../../tests/fixtures/client_requests.json");
    let all: Value = serde_json::from_str(text).unwrap();
    for script in all["scripts"].as_array().unwrap() {
        let mut exchange = exchange(&script["options"]);
        for step in script["steps"].as_array().unwrap() {
            let command = tell(&mut exchange, step);
            let told = told(&command, &exchange);
            for (member, expected) in step["then"].as_object().unwrap() {
                let found = match member.as_str() {
                    // What a host has failed with is what it fails with.
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

/// What hosts tell, in any order: what fits and what does not.
fn input() -> impl Strategy<Value = Value> {
    let url = prop_oneof![
        Just(""),
        Just("https://a.example/"),
        Just("https://user:pw@a.example/x#y"),
        Just("https://b.example/"),
    ];
    let head = prop_oneof![
        (prop_oneof![100_u16..600, Just(200), Just(307), Just(503)], prop::option::of(url.clone()))
            .prop_map(|(status, location)| json!({"status": status, "location": location})),
        (prop_oneof![Just("br"), Just("gzip"), Just("gzip, gzip")], prop_oneof![Just(200), Just(500)])
            .prop_map(|(encoding, status)| json!({"status": status, "contentEncoding": encoding})),
        prop_oneof![Just("1"), Just("60"), Just("x"), Just("Sun, 06 Nov 1994 08:49:37 GMT")]
            .prop_map(|after| json!({"status": 429, "retryAfter": after})),
    ];
    let code = prop_oneof![
        Just("connection_failed"),
        Just("connection_lost"),
        Just("timed_out"),
        Just("invalid_header"),
    ];
    let rest = prop_oneof![
        (url, any::<bool>()).prop_map(|(url, authorized)| {
            json!({"input": "prepared", "url": url, "headers": if authorized { vec!["authorization"] } else { vec![] }})
        }),
        Just(json!({"input": "connected"})),
        (1_usize..70_000).prop_map(|times| json!({"input": "piece", "text": "x", "times": times})),
        Just(json!({"input": "end"})),
        (code, any::<bool>()).prop_map(|(code, connecting)| {
            json!({"input": "failed", "code": code, "limit": connecting.then_some("connect_timeout")})
        }),
        any::<bool>().prop_map(|connecting| json!({"input": "late", "connecting": connecting})),
        Just(json!({"input": "closed"})),
        Just(json!({"input": "tick"})),
    ];
    prop_oneof![
        3 => head.prop_map(|mut head| {
            head["input"] = "head".into();
            head
        }),
        8 => rest,
        1 => Just(json!({"input": "aborted"})),
    ]
}

fn options() -> impl Strategy<Value = Value> {
    let time = || prop::option::of(prop_oneof![Just(0.0), 1.0..100.0, 1.0..100_000.0, Just(f64::MAX)]);
    let retry = prop::option::of((1_u32..5, 0_u32..1000, 0.0..1.0));
    let redirects = prop_oneof![Just("same-origin"), Just("any"), Just("none")];
    (time(), time(), time(), time(), retry, redirects).prop_map(
        |(connect, first_byte, idle, total, retry, redirects)| {
            let mut options = json!({"connect": connect, "firstByte": first_byte, "idle": idle, "total": total, "redirects": redirects});
            if let Some((attempts, first, jitter)) = retry {
                options["retry"] = json!({"attempts": attempts, "first": first, "jitter": jitter});
            }
            options
        },
    )
}

/// What a host does that has waited until the deadline, or for ever where there is none.
fn waited(command: &Command) -> Value {
    match command {
        Command::Prepare => json!({"input": "prepared", "url": "https://a.example/", "headers": []}),
        Command::Send(_) => json!({"input": "failed", "code": "connection_lost"}),
        Command::Refusal(_) => json!({"input": "end"}),
        Command::Close => json!({"input": "closed"}),
        command => panic!("nothing ends {command:?}"),
    }
}

proptest! {
    #![proptest_config(simulation::drawn())]

    /// Whatever happens and when: there is one outcome and no command behind it; a command that is no more waits for nothing; a deadline
    /// that has passed has its answer.
    #[test]
    fn schedules(options in options(), inputs in prop::collection::vec((input(), 0_u64..200, any::<u16>()), 0..40)) {
        let mut exchange = exchange(&options);
        let (mut now, mut open, mut sent) = (0, Command::Prepare, 0);
        let take = |command: Command, open: &mut Command, sent: &mut usize| {
            if command != Command::Wait {
                assert!(!matches!(open, Command::Events { .. } | Command::Fail(_)), "{command:?} behind the end");
                *sent += usize::from(matches!(command, Command::Send(_)));
                *open = command;
            }
        };
        for (mut input, passes, chance) in inputs {
            now += passes;
            input["now"] = now.into();
            input["chance"] = (f64::from(chance) / f64::from(u16::MAX)).into();
            take(tell(&mut exchange, &input), &mut open, &mut sent);
            let is_over = matches!(open, Command::Events { .. } | Command::Fail(_));
            if is_over || open == Command::Close {
                prop_assert_eq!(exchange.deadline(), None);
            }
            if matches!(open, Command::Sleep(_)) {
                prop_assert!(exchange.deadline().is_some());
            }
        }
        // Nobody answers any more.
        for left in (0..200).rev() {
            if matches!(open, Command::Events { .. } | Command::Fail(_)) {
                break;
            }
            assert!(left > 0, "no end");
            let deadline = exchange.deadline().filter(|deadline| deadline.at < Duration::from_secs(1 << 32));
            let mut step = deadline.map_or_else(|| waited(&open), |_| json!({"input": "tick"}));
            if let Some(deadline) = deadline {
                now = now.max(u64::try_from(deadline.at.as_millis()).unwrap() + 1);
            }
            step["now"] = now.into();
            let command = tell(&mut exchange, &step);
            prop_assert_ne!(&command, &Command::Wait, "{:?} has no answer to {}", &open, step);
            take(command, &mut open, &mut sent);
        }
        let attempts = options["retry"]["attempts"].as_u64().unwrap_or(1);
        prop_assert!(u64::from(exchange.attempt()) <= attempts);
        prop_assert!(sent as u64 <= attempts * 6);
    }
}
