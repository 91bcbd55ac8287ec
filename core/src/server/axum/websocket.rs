//! Serves agents over WebSockets: the first message is the input of a run, and each event is sent as a message.

use std::error::Error as _;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::task::{Context, Poll};

use axum::Error as SocketError;
use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{FromRequestParts, Request as HttpRequest};
use axum::http::{HeaderName, HeaderValue, Method, Version, header};
use axum::response::{IntoResponse, Response};
use futures_util::future::{Either, select};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Error as Fault;

use super::body::{Cut, Piece, RunBody};
use super::options::RunOptions;
use super::shutdown::Shutdown;
use crate::error::{Code, Error};
use crate::server::bindings::messages;
use crate::server::websocket::{Agreed, Close, Handshake};
use crate::server::writer::RunWriter;
use crate::server::{Refusal, RequestBody, WireFormat};

type Sender = SplitSink<WebSocket, Message>;
type Receiver = SplitStream<WebSocket>;

/// The pieces that a WebSocket sends.
pub(super) trait Source: Send {
    fn poll_piece(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Piece, Cut>>>;
    /// Takes a sign of life of the client.
    fn heard(&mut self);
    /// The close frame behind the last piece.
    fn close(&self) -> Close;
    /// Completes when the client has not read the end of its run in time.
    fn overdue(&self) -> impl Future<Output = ()> + Send + 'static {
        std::future::pending()
    }
}

impl Source for RunBody {
    fn poll_piece(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Piece, Cut>>> {
        self.poll_piece(context)
    }

    fn heard(&mut self) {
        self.run.with(RunWriter::heard);
    }

    fn close(&self) -> Close {
        self.run.with(|writer| writer.websocket_close())
    }

    fn overdue(&self) -> impl Future<Output = ()> + Send + 'static {
        self.clock.run_out()
    }
}

/// True if a request asks for a WebSocket: by HTTP/1.1, or by HTTP/2 (RFC 8441).
pub(super) fn is_asked_for(request: &HttpRequest) -> bool {
    let upgrade = request.headers().get(header::UPGRADE);
    let is_upgrade = upgrade.is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"websocket"));
    is_upgrade || request.version() == Version::HTTP_2 && request.method() == Method::CONNECT
}

/// Answers one request for a WebSocket. `begin` starts the run that the first message asks for.
pub(super) async fn respond<B, F, S>(request: HttpRequest, begin: B, options: RunOptions) -> Response
where
    B: FnOnce(RequestBody, WireFormat) -> F + Send + 'static,
    F: Future<Output = Result<S, Close>> + Send,
    S: Source,
{
    let Agreed { wire_format, protocol } = match agree(&request, &options) {
        Ok(agreed) => agreed,
        Err(refusal) => return refusal.into_response(),
    };
    let (mut head, _) = request.into_parts();
    let upgrade = match WebSocketUpgrade::from_request_parts(&mut head, &()).await {
        Ok(upgrade) => upgrade,
        Err(rejection) => return rejection.into_response(),
    };
    let most = options.limits.input_bytes;
    let mut upgrade = upgrade.max_message_size(most).max_frame_size(most);
    if let Some(name) = protocol {
        upgrade.set_selected_protocol(HeaderValue::from_static(name));
    }
    let waited_for = options.shutdown.as_ref().map(Shutdown::hold);
    upgrade.on_upgrade(move |socket| async move {
        converse(socket, wire_format, begin, options).await;
        drop(waited_for);
    })
}

fn agree(request: &HttpRequest, options: &RunOptions) -> Result<Agreed, Refusal> {
    let text = |name: HeaderName| {
        let values: Vec<_> =
            request.headers().get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
        Some(values.join(", ")).filter(|_| !values.is_empty())
    };
    // HTTP/2 has the host in the URI.
    let authority = || request.uri().authority().map(ToString::to_string);
    let (origin, host) = (text(header::ORIGIN), text(header::HOST).or_else(authority));
    let (accept, protocols) = (text(header::ACCEPT), text(header::SEC_WEBSOCKET_PROTOCOL));
    let handshake = Handshake {
        origin: origin.as_deref(),
        host: host.as_deref(),
        accept: accept.as_deref(),
        protocols: protocols.as_deref(),
    };
    handshake.agree(options.cors.as_ref(), options.accept_wildcards)
}

/// Serves one connection, which has one run.
async fn converse<B, F, S>(socket: WebSocket, wire_format: WireFormat, begin: B, options: RunOptions)
where
    B: FnOnce(RequestBody, WireFormat) -> F + Send + 'static,
    F: Future<Output = Result<S, Close>> + Send,
    S: Source,
{
    let (mut sender, mut receiver) = socket.split();
    let end = match first(&mut receiver, &options).await {
        Ok(Some(body)) => match begin(body, wire_format).await {
            Ok(source) => send_run(source, wire_format, &mut sender, &mut receiver).await,
            Err(close) => End::Close(close),
        },
        Ok(None) => End::Left,
        Err(close) => End::Close(close),
    };
    let closing = async {
        match end {
            End::Close(Close { code, reason }) => {
                let frame = CloseFrame { code, reason: reason.into() };
                sender.send(Message::Close(Some(frame))).await?;
                gone(&mut receiver, || ()).await;
                sender.close().await
            }
            // Completes the closing handshake that the client has begun.
            End::Left => sender.close().await,
            End::Stuck => Ok(()),
        }
    };
    let _ = timeout(options.grace, closing).await;
}

/// The end of a connection.
enum End {
    /// The server closes the connection.
    Close(Close),
    /// The client has disconnected.
    Left,
    /// The client has not read the end of its run in time.
    Stuck,
}

/// Receives the first message, within its time limit. `None` if the client has disconnected.
async fn first(receiver: &mut Receiver, options: &RunOptions) -> Result<Option<RequestBody>, Close> {
    let asked = pin!(timeout(options.body_timeout, first_message(receiver)));
    let first = match select(asked, pin!(shutdown(options))).await {
        Either::Left((Ok(first), _)) => first,
        Either::Left((Err(_), _)) => return Err(Close::from(&RequestBody::timed_out())),
        Either::Right(_) => return Err(Close::with_code(Close::GOING_AWAY)),
    };
    let mut body = RequestBody::new(options.limits);
    let judged = match &first {
        Some(Ok(Message::Text(text))) => body.receive_message(text.as_bytes(), false),
        Some(Ok(Message::Binary(bytes))) => body.receive_message(bytes, true),
        Some(Err(error)) => return fault(error, options).map_or(Ok(None), Err),
        _ => return Ok(None),
    };
    judged.map_err(|refusal| Close::from(&refusal))?;
    Ok(Some(body))
}

async fn first_message(receiver: &mut Receiver) -> Option<Result<Message, SocketError>> {
    loop {
        match receiver.next().await {
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            message => return message,
        }
    }
}

/// The close frame for a client that violates RFC 6455 or a limit. `None` if the connection is lost.
fn fault(error: &SocketError, options: &RunOptions) -> Option<Close> {
    let error = match error.source()?.downcast_ref::<Fault>()? {
        Fault::Capacity(_) => Error::limit("input_bytes", options.limits.input_bytes),
        Fault::Utf8(_) => Error::new(Code::InvalidUtf8, ""),
        Fault::Protocol(_) => return Some(Close::with_code(Close::PROTOCOL_ERROR)),
        _ => return None,
    };
    Some(Close::from(&Refusal(error)))
}

/// Sends the messages of a run.
async fn send_run(
    mut source: impl Source,
    wire_format: WireFormat,
    sender: &mut Sender,
    receiver: &mut Receiver,
) -> End {
    let (overdue, has_heard) = (pin!(source.overdue()), AtomicBool::new(false));
    let gone = pin!(gone(receiver, || has_heard.store(true, Relaxed)));
    let left = select(gone, overdue);
    let end = match select(pin!(send(&mut source, &has_heard, wire_format, sender)), left).await {
        Either::Left((Some(()), _)) => None,
        Either::Left((None, _)) | Either::Right((Either::Left(_), _)) => Some(End::Left),
        Either::Right((Either::Right(_), _)) => Some(End::Stuck),
    };
    end.unwrap_or_else(|| End::Close(source.close()))
}

/// Sends the pieces of a run. `None` if sending fails. `has_heard` is set by a sign of life of the client.
async fn send(
    source: &mut impl Source,
    has_heard: &AtomicBool,
    wire_format: WireFormat,
    sender: &mut Sender,
) -> Option<()> {
    loop {
        let next = poll_fn(|context| {
            if has_heard.swap(false, Relaxed) {
                source.heard();
            }
            source.poll_piece(context)
        });
        let piece = match next.await {
            None => return Some(()),
            Some(piece) => piece.ok()?,
        };
        let Piece::Frames(bytes) = piece else {
            sender.send(Message::Ping(Bytes::new())).await.ok()?;
            continue;
        };
        for place in messages(wire_format, &bytes) {
            let message = bytes.slice(place);
            let message = match wire_format {
                WireFormat::Text => Message::Text(Utf8Bytes::try_from(message).ok()?),
                WireFormat::Binary => Message::Binary(message),
            };
            sender.feed(message).await.ok()?;
        }
        sender.flush().await.ok()?;
    }
}

/// Completes when the client has disconnected. Every message counts only as a sign of life.
async fn gone(receiver: &mut Receiver, heard: impl Fn()) {
    while let Some(Ok(message)) = receiver.next().await {
        heard();
        if matches!(message, Message::Close(_)) {
            return;
        }
    }
}

/// Completes when the server shuts down.
async fn shutdown(options: &RunOptions) {
    match &options.shutdown {
        Some(shutdown) => shutdown.begun().await,
        None => std::future::pending().await,
    }
}
