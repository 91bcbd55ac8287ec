//! Redis servers of the tests' own, each on a socket in a folder of its own. `REDIS_SERVER` names another program.
#![allow(dead_code)] // Those who use it take what they need.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use ag_ui_native::bindings::durable::RedisReply;

/// A server that ends with its folder.
pub struct Server {
    process: Child,
    command: Command,
    folder: PathBuf,
}

impl Server {
    pub fn start(name: &str, options: &[&str]) -> Self {
        let folder = std::env::temp_dir().join(format!("ag-ui-redis-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let program = std::env::var_os("REDIS_SERVER").unwrap_or_else(|| "redis-server".into());
        let mut command = Command::new(program);
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

    pub fn start_again(&mut self) {
        self.process = spawn(&mut self.command, &self.folder);
    }

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

/// Nodes that share the slots.
pub struct Cluster {
    pub nodes: Vec<Server>,
    ports: Vec<u16>,
}

impl Cluster {
    pub fn start(name: &str, count: usize) -> Self {
        let ports: Vec<_> = (0..count).map(|_| free_port()).collect();
        let start = |(at, port): (usize, &u16)| {
            let options = ["--port", &port.to_string(), "--bind", "127.0.0.1", "--cluster-enabled", "yes"];
            Server::start(&format!("{name}-{at}"), &options)
        };
        let cluster = Self { nodes: ports.iter().enumerate().map(start).collect(), ports };
        for (at, node) in cluster.nodes.iter().enumerate() {
            let mut connection = node.connect();
            connection.send(&["CLUSTER", "SET-CONFIG-EPOCH", &(at + 1).to_string()]);
            let slots = at * 16_384 / count..(at + 1) * 16_384 / count;
            let slots: Vec<_> = slots.map(|slot| slot.to_string()).collect();
            let words = ["CLUSTER", "ADDSLOTS"].into_iter().chain(slots.iter().map(String::as_str));
            connection.send(&words.collect::<Vec<_>>());
            if at > 0 {
                connection.send(&["CLUSTER", "MEET", "127.0.0.1", &cluster.ports[0].to_string()]);
            }
        }
        while !cluster.nodes.iter().all(|node| knows(node, count)) {
            thread::sleep(Duration::from_millis(5));
        }
        cluster
    }

    pub fn urls(&self) -> Vec<String> {
        self.ports.iter().map(|port| format!("redis://127.0.0.1:{port}")).collect()
    }
}

/// True if the node knows all others, and an owner of each slot.
fn knows(node: &Server, count: usize) -> bool {
    let RedisReply::Bytes(info) = node.connect().send(&["CLUSTER", "INFO"]) else { panic!("a text") };
    let info = String::from_utf8(info).unwrap();
    let count = format!("cluster_known_nodes:{count}");
    let wanted = ["cluster_state:ok", "cluster_slots_assigned:16384", &count];
    wanted.iter().all(|wanted| info.lines().any(|line| line == *wanted))
}

/// A port that is free, as is the one of the nodes among themselves.
fn free_port() -> u16 {
    loop {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        if port.checked_add(10_000).is_some_and(|bus| TcpListener::bind(("127.0.0.1", bus)).is_ok()) {
            return port;
        }
    }
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
