//! The replies of Redis. The tests start a `redis-server` of their own, on a socket in a folder of their own.

mod format;
#[cfg(feature = "redis")]
mod log;
mod slots;

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use ag_ui_native::Error;
use ag_ui_native::bindings::durable::*;

use crate::differential;
use crate::engine::{TestEngine, check};

/// A server that ends with its folder.
pub struct Server {
    process: Child,
    #[cfg_attr(not(feature = "redis"), expect(dead_code))]
    // Only the engine of Rust is tested with a server that comes back.
    command: Command,
    folder: PathBuf,
}

impl Server {
    pub fn start(name: &str, options: &[&str]) -> Self {
        let folder = std::env::temp_dir().join(format!("ag-ui-redis-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut command = Command::new("redis-server");
        command
            .args(["--port", "0", "--save", "", "--unixsocket"])
            .arg(folder.join("socket"))
            .arg("--dir")
            .arg(&folder)
            .args(options)
            .stdout(Stdio::null());
        Self { process: spawn(&mut command, &folder), command, folder }
    }

    pub fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    #[cfg(feature = "redis")]
    pub fn start_again(&mut self) {
        self.process = spawn(&mut self.command, &self.folder);
    }

    #[cfg(feature = "redis")]
    pub fn url(&self) -> String {
        format!("redis+unix://{}", self.socket().display())
    }

    pub fn socket(&self) -> PathBuf {
        self.folder.join("socket")
    }

    pub fn connect(&self) -> Connection {
        connect(&self.socket())
    }
}

pub fn connect(socket: &Path) -> Connection {
    Connection(BufReader::new(UnixStream::connect(socket).unwrap()))
}

fn spawn(command: &mut Command, folder: &Path) -> Child {
    let process = command
        .spawn()
        .expect("`redis-server` is needed: install it, on Debian by `apt-get install redis-server`");
    while UnixStream::connect(folder.join("socket")).is_err() {
        thread::sleep(Duration::from_millis(5));
    }
    process
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A connection that speaks RESP 2.
pub struct Connection(BufReader<UnixStream>);

impl Connection {
    pub fn send(&mut self, words: &[impl AsRef<[u8]>]) -> RedisReply {
        let mut bytes = format!("*{}\r\n", words.len()).into_bytes();
        for word in words {
            let word = word.as_ref();
            write!(bytes, "${}\r\n", word.len()).unwrap();
            bytes.extend_from_slice(word);
            bytes.extend_from_slice(b"\r\n");
        }
        self.0.get_mut().write_all(&bytes).unwrap();
        self.receive()
    }

    pub fn receive(&mut self) -> RedisReply {
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        let rest = line[1..].trim_end();
        match &line[..1] {
            ":" => RedisReply::Integer(rest.parse().unwrap()),
            "-" => RedisReply::Error(rest.into()),
            "+" => RedisReply::Bytes(rest.into()),
            "$" if rest == "-1" => RedisReply::Nil,
            "$" => {
                let mut bytes = vec![0; rest.parse::<usize>().unwrap() + 2];
                self.0.read_exact(&mut bytes).unwrap();
                bytes.truncate(bytes.len() - 2);
                RedisReply::Bytes(bytes)
            }
            "*" => RedisReply::List((0..rest.parse().unwrap()).map(|_| self.receive()).collect()),
            other => panic!("{other}"),
        }
    }
}

impl Connection {
    pub fn try_execute(&mut self, operation: Operation) -> Result<Reply, Error> {
        let mut operation = RedisKeyspace::default().begin(operation);
        let mut step = operation.start();
        loop {
            match step {
                RedisStep::Send(words) => step = operation.reply(Ok(self.send(&words))),
                RedisStep::Done(reply) => return reply,
            }
        }
    }
}

impl TestEngine for Connection {
    fn execute(&mut self, operation: Operation) -> Reply {
        self.try_execute(operation).unwrap()
    }

    fn wait(&mut self, time: Duration) {
        thread::sleep(time);
    }
}

#[test]
fn redis() {
    let server = Server::start("engine", &[]);
    check("redis", |_| server.connect());
}

#[test]
fn redis_replies_as_memory() {
    let server = Server::start("differential", &[]);
    for seed in 1..=200 {
        differential::check(&mut server.connect(), &seed.to_string(), seed, 200);
    }
}

/// The commands that the page names are enough; without some of them operations fail.
#[test]
fn a_user_with_the_permissions_of_the_page() {
    let page = include_str!("../../../../docs/durable.md");
    let words: Vec<_> =
        page.lines().find(|line| line.starts_with("ACL SETUSER")).unwrap().split(' ').collect();
    let server = Server::start("permissions", &[]);
    let ok = RedisReply::Bytes(b"OK".into());
    let connect = |words: &[&str]| {
        assert_eq!(server.connect().send(words), ok);
        let mut connection = server.connect();
        assert_eq!(connection.send(&["AUTH", "app", "password"]), ok);
        connection
    };
    check("redis with permissions", |_| connect(&words));
    let mut connection = connect(&words);
    let key = LogKey::new("scope", "t", "r").unwrap();
    let channel = RedisKeyspace::default().channel(&key);
    let subscribed = connection.send(&["SUBSCRIBE", &channel]);
    assert!(matches!(subscribed, RedisReply::List(_)), "{subscribed:?}");
    for word in
        words.iter().filter(|word| matches!(**word, "+publish" | "+xadd" | "+hset" | "+time" | "+eval"))
    {
        let mut fewer = words.clone();
        fewer.retain(|other| other != word);
        fewer.insert(3, "reset");
        server.connect().send(&["SCRIPT", "FLUSH"]);
        let create = crate::store::create(key.clone());
        let mut connection = connect(&fewer);
        let append = Append { key: key.clone(), epoch: 1, first: 1, frames: vec!["a".into()], end: None };
        let replies = [
            connection.try_execute(Operation::Create(create.into())),
            connection.try_execute(Operation::Append(append)),
        ];
        assert!(replies.iter().any(Result::is_err), "without {word}");
        server.connect().send(&["FLUSHALL"]);
    }
}
