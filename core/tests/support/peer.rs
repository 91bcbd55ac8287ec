//! A peer over TCP that carries out a script, which need not be HTTP.
#![allow(dead_code)] // Each test is a crate of its own and uses what it needs.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// One that is listening.
pub struct Peer {
    pub address: SocketAddr,
    /// The complete requests that have arrived.
    pub requests: Arc<Mutex<Vec<String>>>,
    /// The connections that the client has left while a script waited for that.
    pub left: Arc<Mutex<usize>>,
    task: JoinHandle<()>,
}

impl Peer {
    /// Follows one script for each connection; further ones are closed.
    pub async fn follow(scripts: Vec<Value>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (requests, left) = (Arc::<Mutex<Vec<String>>>::default(), Arc::<Mutex<usize>>::default());
        let (seen, gone) = (Arc::clone(&requests), Arc::clone(&left));
        let task = tokio::spawn(async move {
            let mut scripts = scripts.into_iter();
            while let Ok((mut connection, _)) = listener.accept().await {
                connection.set_nodelay(true).unwrap();
                let Some(request) = read_request(&mut connection).await else { continue };
                seen.lock().unwrap().push(request);
                let Some(script) = scripts.next() else { continue };
                let gone = Arc::clone(&gone);
                tokio::spawn(async move {
                    if play(connection, script.as_array().unwrap()).await {
                        *gone.lock().unwrap() += 1;
                    }
                });
            }
        });
        Self { address, requests, left, task }
    }

    /// An address at which no server listens.
    pub async fn unreachable() -> SocketAddr {
        TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Reads the head of a request, and a body of the declared length.
async fn read_request(connection: &mut TcpStream) -> Option<String> {
    let mut read = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&read).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let lengths = head.lines().filter_map(|line| line.split_once(": "));
            let mut lengths = lengths.filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
            let length = lengths.next();
            if body.len() >= length.map_or(0, |(_, value)| value.trim().parse().unwrap()) {
                return Some(text);
            }
        }
        if connection.read_buf(&mut read).await.ok()? == 0 {
            return None;
        }
    }
}

/// Follows a script to its end, or until the client has left. Returns which of both has happened.
async fn play(mut connection: TcpStream, script: &[Value]) -> bool {
    for step in script {
        let pause = step["pause_ms"].as_u64().map(Duration::from_millis);
        let text = |name: &str| step[name].as_str().map(|text| text.as_bytes().to_vec());
        let whole = text("send").or_else(|| step["send_base64"].as_str().map(decode));
        if let Some(bytes) = text("each_byte") {
            for byte in bytes {
                if connection.write_all(&[byte]).await.is_err() {
                    return true;
                }
                tokio::time::sleep(pause.unwrap_or_default()).await;
            }
        } else if let Some(bytes) = whole {
            for _ in 0..step["repeat"].as_u64().unwrap_or(1) {
                if connection.write_all(&bytes).await.is_err() {
                    return true;
                }
                if let Some(pause) = pause {
                    tokio::time::sleep(pause).await;
                }
            }
        } else if step["reset"] == true {
            connection.set_zero_linger().unwrap();
            return false;
        } else if step["close"] == true {
            return connection.shutdown().await.is_err();
        } else if step["hang"] == true {
            while connection.read(&mut [0; 100]).await.is_ok_and(|length| length > 0) {}
            return true;
        } else {
            tokio::time::sleep(pause.unwrap_or_else(|| panic!("a step: {step}"))).await;
        }
    }
    false
}

fn decode(base64: &str) -> Vec<u8> {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits = |byte: u8| u32::try_from(alphabet.iter().position(|&known| known == byte).unwrap()).unwrap();
    let mut decoded = Vec::new();
    let (mut held, mut count) = (0, 0);
    for byte in base64.bytes().filter(|&byte| byte != b'=') {
        (held, count) = (held << 6 | bits(byte), count + 6);
        if count >= 8 {
            count -= 8;
            decoded.push(u8::try_from(held >> count & 0xff).unwrap());
        }
    }
    decoded
}
