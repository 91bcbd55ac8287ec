//! Agents over HTTP.

use std::error::Error as _;
use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

#[cfg(feature = "durable")]
use reqwest::StatusCode;
use reqwest::header::{
    AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION, RETRY_AFTER,
};
use reqwest::{Client, RequestBuilder, Url};
use rustls::crypto::{CryptoProvider, ring};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

use super::headers::{check_header, is_reserved};
use super::opening::open_once;
use super::redirect::Redirects;
use super::request::{Prepared, RunRequest, Transport};
use super::response::Response;
#[cfg(feature = "durable")]
use super::resuming::{Begun, OwnHeaders, resuming};
use crate::client::agent::Agent;
#[cfg(feature = "durable")]
use crate::client::reconnect::ReconnectOptions;
use crate::client::request::Sending;
use crate::client::timeout::Timeout;
use crate::defaults::CONNECT_TIMEOUT;
use crate::error::{Code, Error};

pub(in crate::client) type HeaderSource =
    dyn Fn() -> Pin<Box<dyn Future<Output = Result<Vec<(String, String)>, Error>> + Send>> + Send + Sync;

/// The transport over HTTP: a POST for each run.
///
/// ```
/// use ag_ui_native::client::{Agent, HttpTransport};
///
/// let agent = Agent::over(HttpTransport::new("http://127.0.0.1:8000/")).with_thread_id("t1");
/// assert_eq!(agent.thread_id(), "t1");
/// ```
#[derive(Clone)]
pub struct HttpTransport {
    url: String,
    headers: Vec<(String, String)>,
    source: Option<Arc<HeaderSource>>,
    redirects: Redirects,
    connect_timeout: Option<Duration>,
    client: OnceLock<Client>,
    /// The times of reconnecting; `None` to end with the connection.
    #[cfg(feature = "durable")]
    reconnect: Option<ReconnectOptions>,
}

/// An agent at a URL.
///
/// ```
/// use ag_ui_native::client::HttpAgent;
/// use std::time::Duration;
///
/// let agent = HttpAgent::new("http://127.0.0.1:8000/")
///     .with_header("authorization", "Bearer secret")
///     .with_connect_timeout(Some(Duration::from_secs(5)));
/// assert_eq!(agent.url(), "http://127.0.0.1:8000/");
/// ```
pub type HttpAgent = Agent<HttpTransport>;

impl HttpTransport {
    /// A transport to a URL.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            headers: Vec::new(),
            source: None,
            redirects: Redirects::default(),
            connect_timeout: Some(CONNECT_TIMEOUT),
            client: OnceLock::new(),
            #[cfg(feature = "durable")]
            reconnect: Some(ReconnectOptions::default()),
        }
    }

    /// The response, whose body goes on over several connections if the server says how.
    #[cfg(feature = "durable")]
    fn resumed(
        &self,
        request: &RunRequest,
        sending: &Sending,
        url: &Url,
        answer: reqwest::Response,
    ) -> Result<Response, Error> {
        let (head, status) = (answer.headers().clone(), answer.status());
        let response = response(url, answer);
        let Some(options) = self.reconnect else { return Ok(response) };
        if status != StatusCode::OK || head.contains_key(CONTENT_ENCODING) {
            return Ok(response);
        }
        let (own, source) = (self.headers.clone(), self.source.clone());
        // The same credentials as of the request whose response it is.
        let left_behind = sending.left_behind;
        let given = sending.headers.iter().find(|(name, _)| *name == AUTHORIZATION);
        let authorization = given.and_then(|(_, value)| HeaderValue::from_str(value).ok());
        let headers: OwnHeaders = Arc::new(move || {
            let (own, source, authorization) = (own.clone(), source.clone(), authorization.clone());
            Box::pin(async move {
                let mut headers = headers_of(&own, source.as_deref()).await?;
                headers.retain(|(name, _)| !left_behind.contains(&name.as_str()));
                headers.extend(authorization.map(|value| (AUTHORIZATION, value)));
                Ok(headers.into_iter().collect())
            })
        });
        let client = self.client()?.clone();
        let (limits, detaching) = (request.limits, request.detaching.clone());
        let begun = Begun { headers, client, url: url.clone(), options, limits, detaching };
        Ok(match resuming(&head, response.body, begun) {
            Ok(body) => Response { body, is_one_run: true, ..response },
            Err(body) => Response { body, ..response },
        })
    }

    fn client(&self) -> Result<&Client, Error> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let builder = Client::builder().redirect(reqwest::redirect::Policy::none());
        let builder = match self.connect_timeout {
            Some(limit) => builder.connect_timeout(limit),
            None => builder,
        };
        let built = builder.tls_backend_preconfigured(tls()?).build();
        let failed = |_| {
            Error::new(Code::ConnectionFailed, "the HTTP client cannot be made")
                .advise("pass a client of your own by `with_client`")
        };
        let client = built.map_err(failed)?;
        Ok(self.client.get_or_init(|| client))
    }
}

/// Returns the application's headers for one request.
pub(in crate::client) async fn headers_of(
    own: &[(String, String)],
    source: Option<&HeaderSource>,
) -> Result<Vec<(HeaderName, HeaderValue)>, Error> {
    let mut headers = own.to_vec();
    if let Some(source) = source {
        headers.extend(source().await?);
    }
    headers.retain(|(name, _)| !is_reserved(name));
    let checked = headers.into_iter().map(|(name, value)| {
        check_header(&name, &value)?;
        let refused = || Error::new(Code::InvalidHeader, "");
        // HTTP sends characters of ISO-8859-1 as one byte each.
        let bytes: Result<Vec<u8>, _> = value.chars().map(u8::try_from).collect();
        let bytes = bytes.map_err(|_| refused())?;
        let mut value = HeaderValue::from_bytes(&bytes).map_err(|_| refused())?;
        value.set_sensitive(true);
        Ok((HeaderName::from_bytes(name.as_bytes()).map_err(|_| refused())?, value))
    });
    checked.collect()
}

impl Transport for HttpTransport {
    async fn open(&self, request: &RunRequest) -> Result<Response, Error> {
        open_once(self, request, self.redirects).await
    }

    async fn prepare_attempt(&self, request: &RunRequest) -> Result<Prepared, Error> {
        let url = Url::parse(&self.url).map_err(no_url)?.into();
        let headers = headers_of(&self.headers, self.source.as_deref()).await?;
        Ok(Prepared { url, headers, body: request.body()?.into() })
    }

    async fn send_attempt(
        &self,
        #[cfg_attr(not(feature = "durable"), allow(unused_variables))] request: &RunRequest,
        prepared: &Prepared,
        sending: &Sending,
    ) -> Result<Response, Error> {
        let url = Url::parse(&sending.url).map_err(no_url)?;
        let client = self.client()?;
        let mut asked: RequestBuilder = match sending.method {
            "GET" => client.get(url.clone()),
            _ => client.post(url.clone()),
        };
        if sending.has_input {
            asked = asked.body(prepared.body.clone());
        }
        let goes_along = |name: &HeaderName| !sending.left_behind.contains(&name.as_str());
        for (name, value) in prepared.headers.iter().filter(|(name, _)| goes_along(name)) {
            asked = asked.header(name, value);
        }
        for (name, value) in &sending.headers {
            let mut value = HeaderValue::from_str(value).map_err(|_| Error::new(Code::InvalidHeader, ""))?;
            value.set_sensitive(*name == AUTHORIZATION);
            asked = asked.header(*name, value);
        }
        let answer = asked.send().await.map_err(|error| sending_failed(&error))?;
        if *answer.url() != url {
            let detail = "the given HTTP client followed the redirect itself: make it with redirects off";
            return Err(Error::new(Code::RedirectRefused, detail));
        }
        #[cfg(feature = "durable")]
        return self.resumed(request, sending, &url, answer);
        #[cfg(not(feature = "durable"))]
        Ok(response(&url, answer))
    }

    fn followed_redirects(&self) -> Redirects {
        self.redirects
    }

    fn is_over_http(&self) -> bool {
        true
    }

    #[cfg(feature = "durable")]
    fn reconnecting(&self) -> Option<ReconnectOptions> {
        self.reconnect
    }
}

fn no_url<E>(_: E) -> Error {
    Error::new(Code::ConnectionFailed, "the address is not a URL")
}

/// Converts an answer whose body is not read yet.
fn response(url: &Url, answer: reqwest::Response) -> Response {
    let text = |name| Some(answer.headers().get(name)?.to_str().ok()?.to_owned());
    let encodings = answer.headers().get_all(CONTENT_ENCODING).iter();
    let encodings: Vec<_> = encodings.map(|line| String::from_utf8_lossy(line.as_bytes())).collect();
    Response {
        status: answer.status().as_u16(),
        content_type: text(CONTENT_TYPE),
        retry_after: text(RETRY_AFTER),
        cursor: answer
            .headers()
            .get("ag-ui-cursor")
            .and_then(|cursor| Some(cursor.to_str().ok()?.to_owned())),
        content_encoding: Some(encodings.join(",")),
        location: answer.headers().get(LOCATION).map(|location| joined(url, location)),
        ..Response::new(answer.bytes_stream())
    }
}

/// The absolute URL that a `Location` points to; empty if it is not valid.
pub(in crate::client) fn joined(url: &Url, location: &HeaderValue) -> String {
    let there = location.to_str().ok().and_then(|location| url.join(location).ok());
    there.map_or_else(String::new, Into::into)
}

/// The error of a request without an answer. It never contains the URL, which may hold a secret.
fn sending_failed(error: &reqwest::Error) -> Error {
    if error.is_connect() {
        if error.is_timeout() {
            return Timeout::Connect.error();
        }
        if error.is_dns() {
            return Error::new(Code::ConnectionFailed, "the host name cannot be resolved");
        }
        return not_connected(error);
    }
    if error.is_timeout() {
        return Timeout::Total.error();
    }
    if error.is_builder() {
        return Error::new(Code::ConnectionFailed, "the address is not an http or https URL");
    }
    Error::new(Code::ConnectionLost, "before the head of the answer")
}

/// The error of a server whose certificate is refused.
pub(in crate::client) fn not_trusted() -> Error {
    Error::new(Code::ConnectionFailed, "TLS: the certificate is not trusted, or the handshake failed")
        .advise("give the server a certificate for this host name, from an issuer that the system trusts")
}

/// The error of a connection that cannot be made, with a short reason from the system or TLS.
fn not_connected(error: &reqwest::Error) -> Error {
    let mut cause = error.source();
    let mut said = String::new();
    while let Some(inner) = cause {
        if let Some(error) = inner.downcast_ref::<io::Error>() {
            said = error.kind().to_string();
        }
        if inner.is::<rustls::Error>() {
            return not_trusted();
        }
        cause = inner.source();
    }
    Error::new(Code::ConnectionFailed, said)
}

/// TLS with the certificates of the platform. Without them only plain HTTP is possible.
pub(in crate::client) fn tls() -> Result<ClientConfig, Error> {
    let default = || Arc::new(ring::default_provider());
    let provider = CryptoProvider::get_default().cloned().unwrap_or_else(default);
    let builder = || {
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider));
        builder.with_safe_default_protocol_versions()
    };
    let failed = |_| {
        Error::new(Code::ConnectionFailed, "TLS is not available")
            .advise("install a `CryptoProvider` of rustls that has TLS 1.2 or 1.3")
    };
    let verified = builder().map_err(failed)?.with_platform_verifier();
    let config = match verified {
        Ok(builder) => builder,
        Err(_) => builder().map_err(failed)?.with_root_certificates(RootCertStore::empty()),
    };
    Ok(config.with_no_client_auth())
}

impl HttpAgent {
    /// A new conversation with the agent at a URL. An invalid URL fails the first run; for a URL from outside of the program, see
    /// [`try_new`](Self::try_new).
    pub fn new(url: impl Into<String>) -> Self {
        Self::over(HttpTransport::new(url))
    }

    /// Like [`new`](Self::new), for a URL from outside of the program, such as a setting: an invalid URL is an error.
    ///
    /// ```
    /// use ag_ui_native::client::HttpAgent;
    ///
    /// let error = HttpAgent::try_new("localhost:8000").unwrap_err();
    /// assert_eq!(error.path(), "/url");
    /// ```
    ///
    /// # Errors
    /// `invalid_value` if it is no absolute URL of `http` or `https`.
    pub fn try_new(url: impl Into<String>) -> Result<Self, Error> {
        let url = url.into();
        let is_known = Url::parse(&url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
        let detail = "expected an absolute URL, of http or https";
        if is_known { Ok(Self::new(url)) } else { Err(Error::at(Code::InvalidValue, "/url".into(), detail)) }
    }

    /// Adds a header to each request. The client sets `accept`, `content-length`, `content-type` and `transfer-encoding` itself.
    /// `accept-encoding` may be set, to receive answers without compression.
    #[must_use]
    pub fn with_header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.transport_mut().headers.push((name.into(), value.into()));
        self
    }

    /// Sets a function that returns headers before each request, for tokens that expire.
    #[must_use]
    pub fn with_headers_from<S, F>(mut self, source: S) -> Self
    where
        S: Fn() -> F + Send + Sync + 'static,
        F: Future<Output = Result<Vec<(String, String)>, Error>> + Send + 'static,
    {
        self.transport_mut().source = Some(Arc::new(move || Box::pin(source())));
        self
    }

    /// Sets the redirects that are followed.
    #[must_use]
    pub fn with_redirects(mut self, redirects: Redirects) -> Self {
        self.transport_mut().redirects = redirects;
        self
    }

    /// Sets the time limit of a connection (name, TCP and TLS); 10 seconds by default.
    #[must_use]
    pub fn with_connect_timeout(mut self, limit: Option<Duration>) -> Self {
        let transport = self.transport_mut();
        transport.connect_timeout = limit;
        transport.client = OnceLock::new();
        self
    }

    /// Sets the HTTP client, with its own proxies, certificates, pool and timeout of connections. It must not follow redirects itself
    /// ([`redirect::Policy::none`](reqwest::redirect::Policy::none)).
    #[must_use]
    pub fn with_client(mut self, client: Client) -> Self {
        self.transport_mut().client = OnceLock::from(client);
        self
    }

    /// Sets the times of reconnecting to a server with a log, from which a run whose connection is lost is read on; `None` ends
    /// such a run with `connection_lost`. A run that is dropped before its end is cancelled.
    #[cfg(feature = "durable")]
    #[must_use]
    pub fn with_reconnect(mut self, reconnect: Option<ReconnectOptions>) -> Self {
        self.transport_mut().reconnect = reconnect;
        self
    }

    /// Returns the transport. It is copied first if copies of the agent share it.
    fn transport_mut(&mut self) -> &mut HttpTransport {
        Arc::make_mut(&mut self.transport)
    }

    /// The URL.
    pub fn url(&self) -> &str {
        &self.transport.url
    }
}

impl fmt::Debug for HttpTransport {
    /// Leaves out the URL and headers: they may hold secrets.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("HttpTransport").field("redirects", &self.redirects).finish_non_exhaustive()
    }
}
