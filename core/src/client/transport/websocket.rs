//! Agents at WebSockets: the client sends the run's input as one message, and receives each event as a message.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{SinkExt, Stream, StreamExt, stream};
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, LOCATION, RETRY_AFTER};
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_tungstenite::tungstenite::Error as SocketError;
use tokio_tungstenite::tungstenite::Utf8Bytes;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Message, WebSocketConfig};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use super::http::{HeaderSource, headers_of, joined, not_trusted, tls};
use super::message::{close_failure, frame_message};
use super::opening::open_once;
use super::redirect::Redirects;
use super::request::{Prepared, RunRequest, Transport};
use super::response::Response;
use crate::client::agent::Agent;
use crate::client::options::Timeouts;
use crate::client::request::Sending;
use crate::client::timeout::Timeout;
use crate::defaults::{CLOSE_GRACE, CONNECT_TIMEOUT};
use crate::error::{Code, Error};
use crate::limits::Limits;
use crate::{protobuf, sse};

/// The transport over WebSockets: a connection for each run.
///
/// ```
/// use ag_ui_native::client::{Agent, WebSocketTransport};
///
/// let agent = Agent::over(WebSocketTransport::new("ws://127.0.0.1:8000/")).with_thread_id("t1");
/// assert_eq!(agent.thread_id(), "t1");
/// ```
#[derive(Clone)]
pub struct WebSocketTransport {
    url: String,
    headers: Vec<(String, String)>,
    source: Option<Arc<HeaderSource>>,
    connect_timeout: Option<Duration>,
}

/// An agent at a WebSocket.
///
/// The client sends the run's input as JSON. Each received message is an event: JSON if it is text, protobuf if it is binary. The
/// connection is closed after the end of the run. Redirects are followed within the origin, and nothing is compressed. There is no limit
/// `idle`, unless [`Timeouts`] set one.
///
/// ```no_run
/// use ag_ui_native::client::WebSocketAgent;
///
/// # async fn show() -> Result<(), ag_ui_native::client::ClientError> {
/// let mut agent = WebSocketAgent::new("ws://127.0.0.1:8000/").with_header("authorization", "Bearer token");
/// println!("{}", agent.ask("What is to be done?").await?.text());
/// # Ok(())
/// # }
/// ```
pub type WebSocketAgent = Agent<WebSocketTransport>;

/// A connection by TCP or TLS.
trait Connection: AsyncRead + AsyncWrite + Send + Unpin {}

impl<C: AsyncRead + AsyncWrite + Send + Unpin> Connection for C {}

type Socket = WebSocketStream<Box<dyn Connection>>;

/// The answer to the request for a WebSocket.
enum Opened {
    Socket(Box<Socket>),
    /// Another answer: no WebSocket.
    Other(Box<http::Response<Option<Vec<u8>>>>),
}

/// The status with which a connection becomes a WebSocket.
const OPEN: u16 = 101;

impl Transport for WebSocketTransport {
    async fn open(&self, request: &RunRequest) -> Result<Response, Error> {
        let answer = open_once(self, request, self.followed_redirects()).await?;
        // The caller does not know WebSockets: an open one is a success, any other answer is not.
        let status = match answer.status {
            OPEN => 200,
            200..300 => 502,
            other => other,
        };
        Ok(answer.with_status(status))
    }

    async fn prepare_attempt(&self, request: &RunRequest) -> Result<Prepared, Error> {
        let headers = headers_of(&self.headers, self.source.as_deref()).await?;
        Ok(Prepared { url: self.url.clone(), headers, body: request.body()?.into() })
    }

    async fn send_attempt(
        &self,
        request: &RunRequest,
        prepared: &Prepared,
        sending: &Sending,
    ) -> Result<Response, Error> {
        let url = address_of(&sending.url)?;
        let asked = asking(&url, prepared, sending)?;
        match within(self.connect_timeout, connect(&url, asked, request.limits)).await? {
            Opened::Socket(socket) => begin(*socket, prepared.body.clone(), request.limits).await,
            Opened::Other(answer) => Ok(refusal(&url, *answer)),
        }
    }

    /// Redirects to another origin are refused: it would get the headers and the input.
    fn followed_redirects(&self) -> Redirects {
        Redirects::SameOrigin
    }
}

async fn within<T>(
    limit: Option<Duration>,
    work: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    match limit {
        Some(limit) => timeout(limit, work).await.map_err(|_| Timeout::Connect.error_after(limit))?,
        None => work.await,
    }
}

impl WebSocketTransport {
    /// A transport to a URL.
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), headers: Vec::new(), source: None, connect_timeout: Some(CONNECT_TIMEOUT) }
    }
}

/// Makes the request for a WebSocket.
fn asking(url: &Url, prepared: &Prepared, sending: &Sending) -> Result<http::Request<()>, Error> {
    let mut asked = url.as_str().into_client_request().map_err(|_| no_address())?;
    for (name, value) in &prepared.headers {
        asked.headers_mut().append(name, value.clone());
    }
    for (name, value) in &sending.headers {
        let mut value = HeaderValue::from_str(value).map_err(|_| Error::new(Code::InvalidHeader, ""))?;
        value.set_sensitive(*name == AUTHORIZATION);
        asked.headers_mut().insert(*name, value);
    }
    Ok(asked)
}

/// Opens a connection.
async fn connect(url: &Url, asked: http::Request<()>, limits: Limits) -> Result<Opened, Error> {
    let config = WebSocketConfig::default()
        .max_message_size(Some(limits.event_bytes))
        .max_frame_size(Some(limits.event_bytes));
    match client_async_with_config(asked, connection(url).await?, Some(config)).await {
        Ok((socket, _)) => Ok(Opened::Socket(Box::new(socket))),
        Err(SocketError::Http(answer)) => Ok(Opened::Other(answer)),
        Err(error) => Err(failed(&error)),
    }
}

fn no_address() -> Error {
    Error::new(Code::ConnectionFailed, "the address is not a ws or wss URL")
}

fn address_of(url: &str) -> Result<Url, Error> {
    let url = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "ws" | "wss"));
    url.ok_or_else(no_address)
}

/// Connects by TCP, and TLS for `wss`. Errors do not name the URL: it may hold a secret.
async fn connection(url: &Url) -> Result<Box<dyn Connection>, Error> {
    let failed = |error: std::io::Error| Error::new(Code::ConnectionFailed, error.kind().to_string());
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let port = url.port_or_known_default().unwrap_or(80);
    let plain = TcpStream::connect((host, port)).await.map_err(failed)?;
    plain.set_nodelay(true).map_err(failed)?;
    if url.scheme() == "ws" {
        return Ok(Box::new(plain));
    }
    let name = ServerName::try_from(host.to_owned()).map_err(|_| no_address())?;
    let secured = TlsConnector::from(Arc::new(tls()?)).connect(name, plain).await;
    Ok(Box::new(secured.map_err(|_| not_trusted())?))
}

/// The error of a WebSocket that could not be opened.
fn failed(error: &SocketError) -> Error {
    let detail = match error {
        SocketError::Io(error) => error.kind().to_string(),
        _ => "the server does not answer as a WebSocket".to_owned(),
    };
    Error::new(Code::ConnectionFailed, detail)
}

/// An answer that opens no WebSocket.
fn refusal(url: &Url, answer: http::Response<Option<Vec<u8>>>) -> Response {
    let text = |name| Some(answer.headers().get(name)?.to_str().ok()?.to_owned());
    let (content_type, retry_after) = (text(CONTENT_TYPE), text(RETRY_AFTER));
    let location = answer.headers().get(LOCATION).map(|location| joined(url, location));
    let status = answer.status().as_u16();
    let body = Bytes::from(answer.into_body().unwrap_or_default());
    let response = Response::new(stream::iter([Ok::<_, Error>(body)])).with_status(status);
    Response { content_type, retry_after, location, ..response }
}

/// Sends the input, and waits for the first message: its kind decides the content type.
async fn begin(socket: Socket, input: Bytes, limits: Limits) -> Result<Response, Error> {
    let mut messages = Messages { socket: Some(socket), first: None, is_binary: false, limits };
    // A server that closes before it has read the input may have sent its reason.
    let input = Utf8Bytes::try_from(input).map_err(|_| Error::new(Code::Internal, ""))?;
    let _ = messages.send(Message::Text(input)).await;
    let first = messages.next_message().await?;
    messages.is_binary = matches!(first, Some(Message::Binary(_)));
    if let Some(Message::Close(Some(CloseFrame { code, reason }))) = &first
        && let Some(failure) = close_failure(u16::from(*code), reason)
    {
        return Err(failure);
    }
    messages.first = first;
    let content_type = if messages.is_binary { protobuf::MEDIA_TYPE } else { sse::MEDIA_TYPE };
    let response = Response::new(messages).with_status(OPEN).with_content_type(content_type);
    Ok(Response { is_one_run: true, ..response })
}

/// The messages of a connection, as the body of a response.
struct Messages {
    /// `None` when it has ended.
    socket: Option<Socket>,
    first: Option<Message>,
    is_binary: bool,
    limits: Limits,
}

impl Messages {
    async fn send(&mut self, message: Message) -> Result<(), SocketError> {
        match &mut self.socket {
            Some(socket) => socket.send(message).await,
            None => Ok(()),
        }
    }

    /// Returns the next message with an event, or the one that closes the socket; `None` after that.
    async fn next_message(&mut self) -> Result<Option<Message>, Error> {
        std::future::poll_fn(|context| self.poll_message(context)).await
    }

    fn poll_message(&mut self, context: &mut Context<'_>) -> Poll<Result<Option<Message>, Error>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Ok(Some(first)));
        }
        while let Some(socket) = &mut self.socket {
            match ready!(socket.poll_next_unpin(context)) {
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
                Some(Ok(message)) => return Poll::Ready(Ok(Some(message))),
                None | Some(Err(SocketError::ConnectionClosed | SocketError::AlreadyClosed)) => {
                    self.socket = None;
                }
                Some(Err(error)) => {
                    self.socket = None;
                    return Poll::Ready(Err(lost(&error, self.limits)));
                }
            }
        }
        Poll::Ready(Ok(None))
    }
}

/// The error of a broken connection.
fn lost(error: &SocketError, limits: Limits) -> Error {
    match error {
        SocketError::Capacity(_) => Error::limit("event_bytes", limits.event_bytes),
        SocketError::Utf8(_) => Error::new(Code::InvalidUtf8, "a message"),
        SocketError::Io(error) => Error::new(Code::ConnectionLost, error.kind().to_string()),
        _ => Error::new(Code::ConnectionLost, "the WebSocket ended without a closing handshake"),
    }
}

impl Stream for Messages {
    type Item = Result<Bytes, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let (message, is_binary) = match ready!(self.poll_message(context))? {
            Some(Message::Text(text)) => (Bytes::from(text), false),
            Some(Message::Binary(bytes)) => (bytes, true),
            _ => return Poll::Ready(None),
        };
        let frame = frame_message(&message, is_binary, self.is_binary, &self.limits);
        Poll::Ready(Some(frame.map(Bytes::from)))
    }
}

impl Drop for Messages {
    /// Tells the server that the client stops reading.
    fn drop(&mut self) {
        if let (Some(mut socket), Ok(runtime)) = (self.socket.take(), tokio::runtime::Handle::try_current()) {
            runtime.spawn(async move {
                let close = async {
                    let _ = socket.close(None).await;
                    while let Some(Ok(_)) = socket.next().await {}
                };
                let _ = timeout(CLOSE_GRACE, close).await;
            });
        }
    }
}

impl WebSocketAgent {
    /// A new conversation with the agent at a URL of `ws` or `wss`. An invalid URL fails the first run; for a URL from outside of the
    /// program, see [`try_new`](Self::try_new).
    pub fn new(url: impl Into<String>) -> Self {
        let agent = Self::over(WebSocketTransport::new(url));
        agent.with_timeouts(Timeouts::default().with_idle(None))
    }

    /// Like [`new`](Self::new), for a URL from outside of the program, such as a setting: an invalid URL is an error.
    ///
    /// # Errors
    /// `invalid_value` if it is no absolute URL of `ws` or `wss`.
    pub fn try_new(url: impl Into<String>) -> Result<Self, Error> {
        let url = url.into();
        let detail = "expected an absolute URL, of ws or wss";
        address_of(&url).map_err(|_| Error::at(Code::InvalidValue, "/url".into(), detail))?;
        Ok(Self::new(url))
    }

    /// Adds a header to each connection.
    #[must_use]
    pub fn with_header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.transport_mut().headers.push((name.into(), value.into()));
        self
    }

    /// Sets a function that returns headers before each connection, for tokens that expire.
    #[must_use]
    pub fn with_headers_from<S, F>(mut self, source: S) -> Self
    where
        S: Fn() -> F + Send + Sync + 'static,
        F: Future<Output = Result<Vec<(String, String)>, Error>> + Send + 'static,
    {
        self.transport_mut().source = Some(Arc::new(move || Box::pin(source())));
        self
    }

    /// Sets the time limit of a connection (name, TCP, TLS and the server's answer); 10 seconds by default.
    #[must_use]
    pub fn with_connect_timeout(mut self, limit: Option<Duration>) -> Self {
        self.transport_mut().connect_timeout = limit;
        self
    }

    /// Returns the transport. It is copied first if copies of the agent share it.
    fn transport_mut(&mut self) -> &mut WebSocketTransport {
        Arc::make_mut(&mut self.transport)
    }

    /// The URL.
    pub fn url(&self) -> &str {
        &self.transport.url
    }
}

impl fmt::Debug for WebSocketTransport {
    /// Leaves out the URL and headers: they may hold secrets.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("WebSocketTransport").finish_non_exhaustive()
    }
}
