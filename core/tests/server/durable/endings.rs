//! Servers that shut down while clients read runs of other processes.

use std::sync::OnceLock;

use ag_ui_native::durable::{Log, LogKey, OnHint, Operation, ReplyFuture};
use ag_ui_native::server::axum::Shutdown;

use super::*;

/// The engine of several servers.
#[derive(Clone)]
struct Shared(Arc<MemoryLog>);

impl Log for Shared {
    fn execute(&self, operation: Operation) -> ReplyFuture<'_> {
        self.0.execute(operation)
    }

    fn watch(&self, key: &LogKey, on_hint: OnHint) -> Box<dyn Send + Sync> {
        self.0.watch(key, on_hint)
    }
}

#[test]
fn a_server_that_drains_ends_its_readers_of_runs_elsewhere() {
    for by_shutdown in [false, true] {
        let (agent, engine) = (Agent::new(1), Shared(Arc::default()));
        let drain = Duration::from_millis(300);
        let log =
            || RunLog::public(engine.clone()).with_options(LogOptions { drain, ..LogOptions::default() });
        let (ending, shutdown) = (log(), Shutdown::new());
        let options = RunOptions::default().with_log(ending.clone()).with_shutdown(shutdown.clone());
        let servers = Servers::with(&agent, [RunOptions::default().with_log(log()), options]);
        let ask_ending =
            |method, query, body: &str| Response::of(servers.addresses[1], method, query, &[], body);
        let mut first = servers.ask("POST", "", &[("ag-ui-resume", "1")], &input("t", "r"));
        first.until("TEXT_MESSAGE_START");
        let joined = ask_ending("GET", "?thread=t&run=r", "");
        assert_eq!(joined.status, 200);
        if by_shutdown {
            shutdown.begin();
        } else {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            runtime.block_on(ending.drain());
        }
        let rest = joined.rest();
        assert!(rest.contains("TEXT_MESSAGE_START") && !rest.contains("RUN_ERROR"), "{rest}");
        assert_eq!(ask_ending("POST", "", &input("other", "q")).json()["code"], "server_draining");
        agent.go_on(1);
        first.until("RUN_FINISHED");
        agent.go_on(1);
        servers.ask("POST", "", &[], &input("other", "q")).until("RUN_FINISHED");
    }
}

#[test]
fn a_function_that_is_told_calls_back_into_its_server() {
    for (act, end) in [
        ("begin", "producer_lost"),
        ("drain", "producer_lost"),
        ("cancel", "cancelled"),
        ("panic", "RUN_FINISHED"),
    ] {
        let (agent, shutdown, address) = (Agent::new(1), Shutdown::new(), Arc::new(OnceLock::new()));
        let (told_agent, begins, asks) = (agent.clone(), shutdown.clone(), Arc::clone(&address));
        let drain = Duration::from_millis(200);
        let log =
            RunLog::public(MemoryLog::default()).with_options(LogOptions { drain, ..LogOptions::default() });
        let twin = log.clone();
        let log = log.with_on_log(move |notice| {
            if (notice.name.as_str(), notice.subject.run_id.as_deref()) != ("opened", Some("r")) {
                return;
            }
            let (twin, address) = (twin.clone(), *asks.get().unwrap());
            match act {
                "begin" => begins.begin(),
                "drain" => drop(tokio::spawn(async move { twin.drain().await })),
                "cancel" => drop(std::thread::spawn(move || {
                    assert_eq!(Response::of(address, "POST", "?thread=t&cancel=r", &[], "{}").status, 202);
                })),
                _ => {
                    told_agent.go_on(2);
                    // Another run of the same server, which is asked before this call returns.
                    std::thread::spawn(move || {
                        Response::of(address, "POST", "", &[], &input("other", "q")).until("RUN_FINISHED")
                    });
                    panic!("behind it");
                }
            }
        });
        let options = RunOptions::default().with_log(log).with_shutdown(shutdown);
        let servers = Servers::start(&agent, &options);
        address.set(servers.addresses[0]).unwrap();
        let rest = servers.ask("POST", "", &[("ag-ui-resume", "1")], &input("t", "r")).rest();
        assert!(rest.contains(end), "{act}: {rest}");
    }
}
