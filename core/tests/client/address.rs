//! Addresses with credentials or a fragment, and redirects to such addresses.

use ag_ui_native::client::{HttpAgent, RunParameters};

/// Answers each request with a run, or at `/elsewhere` with a redirect to `user:pw`; reports its headers
/// `authorization` and its target.
fn noting() -> (u16, std::sync::mpsc::Receiver<(String, Vec<String>)>) {
    use std::io::{BufRead, BufReader, Read, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let mut reader = BufReader::new(connection.try_clone().unwrap());
            let lines: Vec<String> =
                reader.by_ref().lines().map(Result::unwrap).take_while(|line| !line.is_empty()).collect();
            let of = |name: &str| -> Vec<String> {
                let values = lines.iter().filter_map(|line| line.split_once(": "));
                let named = values.filter(|(known, _)| known.eq_ignore_ascii_case(name));
                named.map(|(_, value)| value.to_owned()).collect()
            };
            let length: usize = of("content-length")[0].parse().unwrap();
            reader.read_exact(&mut vec![0; length]).unwrap();
            let target = lines[0].split(' ').nth(1).unwrap().to_owned();
            let head = if target == "/elsewhere" {
                format!("307 x\r\nlocation: http://user:pw@127.0.0.1:{port}/run#there\r\ncontent-length: 0")
            } else {
                "200 OK\r\ncontent-type: text/event-stream".to_owned()
            };
            let ids = r#""threadId":"t","runId":"r""#;
            let run = ["RUN_STARTED", "RUN_FINISHED"]
                .map(|event| format!("data: {{\"type\":\"{event}\",{ids}}}\n\n"));
            let body = if target == "/elsewhere" { String::new() } else { run.concat() };
            tell.send((target, of("authorization"))).unwrap();
            write!(connection, "HTTP/1.1 {head}\r\nconnection: close\r\n\r\n{body}").unwrap();
        }
    });
    (port, told)
}

#[tokio::test(flavor = "current_thread")]
async fn credentials_of_an_address_are_a_header_and_its_fragment_stays_here() {
    let (port, told) = noting();
    let (basic, bearer) = ("Basic dXNlcjpwdw==", "Bearer token");
    let cases: [(&str, &str, Option<&str>, &[&str]); 5] = [
        ("user:pw@", "/run", None, &[basic]),
        ("", "/run#part", None, &[]),
        ("user:pw@", "/run?x#part", Some(bearer), &[bearer]),
        ("", "/elsewhere", None, &[basic]),
        ("", "/elsewhere", Some(bearer), &[bearer]),
    ];
    for (credentials, path, given, expected) in cases {
        let mut agent = HttpAgent::new(format!("http://{credentials}127.0.0.1:{port}{path}"));
        if let Some(given) = given {
            agent = agent.with_header("Authorization", given);
        }
        assert!(agent.run_to_end(RunParameters::default()).await.unwrap().is_success(), "{path}");
        let asked: Vec<_> = told.try_iter().collect();
        let (target, authorized) = asked.last().unwrap();
        assert!(!target.contains('#') && path.starts_with("/elsewhere") == (asked.len() == 2), "{asked:?}");
        assert_eq!(authorized, expected, "{path}");
    }
    // No message names them.
    let unreachable =
        HttpAgent::new("http://user:secret@127.0.0.1:1/run").run_to_end(RunParameters::default()).await;
    let failure = unreachable.unwrap_err();
    assert!(!format!("{failure} {failure:?}").contains("secret"));
}
