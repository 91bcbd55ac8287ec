//! Limits on the runs and the readers of a scope, the longest duration of a run, and the end of a process.

use ag_ui_native::server::axum::Shutdown;

use super::*;

const RESUMES: &[(&str, &str)] = &[("ag-ui-resume", "1")];

fn limit(response: Response) -> (u16, String) {
    assert_eq!(response.headers["retry-after"], "1");
    let (status, body) = (response.status, response.json());
    assert_eq!(body["code"], "limit_exceeded");
    (status, body["limit"].as_str().unwrap().to_owned())
}

#[test]
fn a_scope_has_limits_of_active_runs_and_of_readers() {
    let options = LogOptions { max_active_runs: Some(1), max_readers: Some(2), ..LogOptions::default() };
    let agent = Agent::new(1);
    let servers = Servers::start(&agent, &with_log(options));
    let mut first = servers.ask("POST", "", RESUMES, &input("t", "r"));
    first.until("TEXT_MESSAGE_START");
    assert_eq!(limit(servers.ask("POST", "", &[], &input("other", "q"))), (429, "max_active_runs".into()));
    let mut joined = servers.post("r");
    assert_eq!(joined.status, 200, "a run that exists is read");
    let read = || servers.ask("GET", "?thread=t&run=r", &[], "");
    assert_eq!(limit(read()), (429, "max_readers".into()));
    drop(first);
    until("the place of a connection that was cut is free", || read().status == 200);
    agent.go_on(1);
    joined.until("RUN_FINISHED");
    agent.go_on(1);
    until("the places are free", || servers.ask("POST", "", &[], &input("other", "q")).status == 200);
}

#[test]
fn a_run_has_a_longest_duration() {
    let agent = Agent::new(1);
    let max_age = Duration::from_millis(300);
    let servers = Servers::start(&agent, &with_log(LogOptions { max_age, ..LogOptions::default() }));
    let rest = servers.post("r").rest();
    assert!(rest.contains("limit_exceeded") && rest.contains("log_age"), "{rest}");
    until("the agent is dropped", || agent.dropped.load(SeqCst) == 1);
}

/// Ends a process by `end` while a run goes on. Returns what the client has read of it.
fn drained(options: &RunOptions, words: usize, end: impl FnOnce()) -> String {
    let agent = Agent::new(1);
    let servers = Servers::start(&agent, options);
    let mut client = servers.ask("POST", "", RESUMES, &input("t", "r"));
    client.until("TEXT_MESSAGE_START");
    end();
    let asked = AtomicUsize::new(0);
    until("no more runs are started", || {
        // A run that was started before the end would be joined.
        let thread = format!("other {}", asked.fetch_add(1, SeqCst));
        let refused = servers.ask("POST", "", &[], &input(&thread, "q"));
        refused.status == 503 && refused.json()["code"] == "server_draining"
    });
    agent.go_on(words);
    client.rest()
}

#[test]
fn a_process_that_drains_ends_the_runs_that_do_not_end() {
    let log = |drain| {
        let options = LogOptions { drain, ..LogOptions::default() };
        RunLog::public(MemoryLog::default()).with_options(options)
    };
    let wait = |log: RunLog| {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        std::thread::spawn(move || runtime.block_on(log.drain()))
    };
    for (drain, words, end) in [(300, 0, "producer_lost"), (30_000, 1, "RUN_FINISHED")] {
        let log = log(Duration::from_millis(drain));
        let (mut waits, twin) = (None, log.clone());
        let rest = drained(&RunOptions::default().with_log(log.clone()), words, || waits = Some(wait(twin)));
        assert!(rest.contains(end), "{rest}");
        waits.unwrap().join().unwrap();

        let (log, shutdown) = (with_log(LogOptions::default()).log.unwrap(), Shutdown::new());
        let options = LogOptions { drain: Duration::from_millis(drain), ..LogOptions::default() };
        let options =
            RunOptions::default().with_log(log.with_options(options)).with_shutdown(shutdown.clone());
        let rest = drained(&options, words, || shutdown.begin());
        assert!(rest.contains(end), "{rest}");
    }
}

#[test]
fn what_happens_is_told() {
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let kept = Arc::clone(&told);
    let log = RunLog::public(MemoryLog::default()).with_on_log(move |notice| {
        let run = notice.subject.run_id.clone().unwrap_or_default();
        let about =
            notice.code.clone().or(notice.number.map(|number| number.to_string())).unwrap_or_default();
        kept.lock().unwrap().push(format!("{} {run} {about}", notice.name.as_str()));
        assert_ne!(notice.name.as_str(), "ended", "a function that panics changes nothing");
    });
    let agent = Agent::new(0);
    let servers = Servers::start(&agent, &RunOptions::default().with_log(log));
    servers.post("r").until("RUN_FINISHED");
    servers.ask("GET", "?thread=t&run=r", &[], "").until("RUN_FINISHED");
    assert_eq!(servers.ask("GET", "?thread=t&run=q", &[], "").status, 404);
    until("all is told", || told.lock().unwrap().len() == 4);
    let mut told = told.lock().unwrap().clone();
    told.sort();
    assert!(told[0].starts_with("ended r "), "{told:?}");
    assert_eq!(told[1..], ["joined r 0", "opened r ", "refused q run_unknown"]);
}
