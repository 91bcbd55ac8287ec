//! Agents over HTTP.

use std::error::Error as _;
use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue,
    LOCATION, RETRY_AFTER,
};
use reqwest::{Client, RequestBuilder, Url};
use rustls::crypto::{CryptoProvider, ring};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

use super::address::Address;
use super::agent::Agent;
use super::encoding::{self, ContentEncoding};
use super::gunzip::Gunzip;
use super::headers::{check_header, is_reserved};
use super::redirect::{CREDENTIALS, check_redirect};
use super::response::ResponseHead;
use super::timeout::Timeout;
use super::transport::{Body, Request, Response, Transport};
use crate::defaults::CONNECT_TIMEOUT;
use crate::error::{Code, Error};

/// Which redirects are followed: those of the statuses 307 and 308, to these addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Redirects {
    /// Of the same scheme, host and port; any other one is refused, since headers may hold credentials.
    #[default]
    SameOrigin,
    /// All. `authorization`, `cookie` and `proxy-authorization` stay behind where the origin changes.
    Any,
    /// None: the answer is the refusal that its status says.
    None,
}

type HeaderSource =
    dyn Fn() -> Pin<Box<dyn Future<Output = Result<Vec<(String, String)>, Error>> + Send>> + Send + Sync;

/// Asks for runs by POST.
#[derive(Clone)]
pub struct HttpTransport {
    url: String,
    headers: Vec<(String, String)>,
    source: Option<Arc<HeaderSource>>,
    redirects: Redirects,
    connect_timeout: Option<Duration>,
    client: OnceLock<Client>,
}

/// An agent behind a URL.
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
        }
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
        let client = built.map_err(|_| Error::new(Code::ConnectionFailed, "no HTTP client"))?;
        Ok(self.client.get_or_init(|| client))
    }

    /// The application's headers for one request.
    async fn headers(&self) -> Result<Vec<(HeaderName, HeaderValue)>, Error> {
        let mut headers = self.headers.clone();
        if let Some(source) = &self.source {
            headers.extend(source().await?);
        }
        headers.retain(|(name, _)| !is_reserved(name));
        let checked = headers.into_iter().map(|(name, value)| {
            check_header(&name, &value)?;
            let refused = || Error::new(Code::InvalidHeader, "");
            // A byte a character, as every client sends what is of ISO-8859-1.
            let bytes: Result<Vec<u8>, _> = value.chars().map(u8::try_from).collect();
            let bytes = bytes.map_err(|_| refused())?;
            let mut value = HeaderValue::from_bytes(&bytes).map_err(|_| refused())?;
            value.set_sensitive(true);
            Ok((HeaderName::from_bytes(name.as_bytes()).map_err(|_| refused())?, value))
        });
        checked.collect()
    }

    /// Where an answer sends the request, if that is followed; and whether that is the same origin.
    fn redirect(
        &self,
        url: &Url,
        answer: &reqwest::Response,
        followed: usize,
    ) -> Result<Option<(Url, bool)>, Error> {
        let status = answer.status().as_u16();
        let head = ResponseHead { status, content_type: None };
        let Some(location) = answer.headers().get(LOCATION) else { return Ok(None) };
        if !head.is_redirect() || self.redirects == Redirects::None {
            return Ok(None);
        }
        let next = location.to_str().ok().and_then(|location| url.join(location).ok());
        let next = next.ok_or_else(|| Error::new(Code::RedirectRefused, "to no URL"))?;
        let any_origin = self.redirects == Redirects::Any;
        let same_origin = check_redirect(status, followed, url.as_str(), next.as_str(), any_origin)?;
        Ok(Some((next, same_origin)))
    }
}

impl Transport for HttpTransport {
    async fn open(&self, request: &Request) -> Result<Response, Error> {
        let client = self.client()?;
        let no_url = |_| Error::new(Code::ConnectionFailed, "the address is no URL");
        let mut address = Address::of(Url::parse(&self.url).map_err(no_url)?.as_str());
        let mut headers = self.headers().await?;
        let body = Bytes::from(request.body()?);
        let is_authorized = headers.iter().any(|(name, _)| *name == AUTHORIZATION);
        let mut followed = 0;
        loop {
            let url = Url::parse(&address.url).map_err(no_url)?;
            let mut asked: RequestBuilder = client.post(url.clone()).body(body.clone());
            if !headers.iter().any(|(name, _)| *name == ACCEPT_ENCODING) {
                asked = asked.header(ACCEPT_ENCODING, encoding::ACCEPT_ENCODING);
            }
            for (name, value) in &headers {
                asked = asked.header(name, value);
            }
            if let Some(own) = address.authorization.as_ref().filter(|_| !is_authorized) {
                let mut own = HeaderValue::from_str(own).map_err(|_| Error::new(Code::InvalidHeader, ""))?;
                own.set_sensitive(true);
                asked = asked.header(AUTHORIZATION, own);
            }
            asked = asked.header(CONTENT_TYPE, "application/json").header(ACCEPT, request.accept());
            let answer = asked.send().await.map_err(|error| sending_failed(&error))?;
            if *answer.url() != url {
                let detail = "by the client that was handed in: it must follow none itself";
                return Err(Error::new(Code::RedirectRefused, detail));
            }
            let Some((next, same_origin)) = self.redirect(&url, &answer, followed)? else {
                return read(answer);
            };
            if !same_origin {
                headers.retain(|(name, _)| !CREDENTIALS.contains(&name.as_str()));
            }
            (address, followed) = (address.redirected(next.as_str(), same_origin), followed + 1);
        }
    }
}

/// An answer with its body still to come: as it is, whatever it is encoded by. What a refusal says that cannot be read, its status says.
fn read(answer: reqwest::Response) -> Result<Response, Error> {
    let encodings = answer.headers().get_all(CONTENT_ENCODING).iter();
    let encodings: Vec<_> = encodings.map(|line| String::from_utf8_lossy(line.as_bytes())).collect();
    let encoding = ContentEncoding::of(&encodings.join(","));
    let text = |name| Some(answer.headers().get(name)?.to_str().ok()?.to_owned());
    let (content_type, retry_after) = (text(CONTENT_TYPE), text(RETRY_AFTER));
    let status = answer.status().as_u16();
    let mut response = Response { status, content_type, retry_after, ..Response::new(answer.bytes_stream()) };
    match encoding {
        Ok(ContentEncoding::Identity) => {}
        Ok(ContentEncoding::Gzip) => {
            response.body = Box::pin(Decoded { body: response.body, gunzip: Gunzip::default() });
        }
        Err(error) if response.head().is_success() => return Err(error),
        Err(_) => response.body = Box::pin(Nothing),
    }
    Ok(response)
}

/// A body that is not read.
struct Nothing;

impl Stream for Nothing {
    type Item = Result<Bytes, Error>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(None)
    }
}

/// A body that comes compressed.
struct Decoded {
    body: Body,
    gunzip: Gunzip,
}

impl Stream for Decoded {
    type Item = Result<Bytes, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Self { body, gunzip } = &mut *self;
        loop {
            if let Some(made) = gunzip.step()? {
                return Poll::Ready(Some(Ok(Bytes::copy_from_slice(made))));
            }
            match ready!(body.as_mut().poll_next(context)) {
                Some(Ok(piece)) => gunzip.feed(&piece),
                end => return Poll::Ready(end),
            }
        }
    }
}

/// What a request that has met no answer has failed with. Never says to whom: the URL may hold a secret.
fn sending_failed(error: &reqwest::Error) -> Error {
    if error.is_connect() {
        if error.is_timeout() {
            return Timeout::Connect.error();
        }
        let detail = if error.is_dns() { "nobody knows the host".to_owned() } else { reason(error) };
        return Error::new(Code::ConnectionFailed, detail);
    }
    if error.is_timeout() {
        return Timeout::Total.error();
    }
    if error.is_builder() {
        return Error::new(Code::ConnectionFailed, "the address is no URL of HTTP");
    }
    Error::new(Code::ConnectionLost, "before the answer's head")
}

/// What the system or TLS says is wrong, in a few words.
fn reason(error: &reqwest::Error) -> String {
    let mut cause = error.source();
    let mut said = String::new();
    while let Some(inner) = cause {
        if let Some(error) = inner.downcast_ref::<io::Error>() {
            said = error.kind().to_string();
        }
        if inner.is::<rustls::Error>() {
            return "TLS: the server's certificate or handshake".to_owned();
        }
        cause = inner.source();
    }
    said
}

/// TLS as the platform trusts. Without certificates of the platform's only plain HTTP is possible.
fn tls() -> Result<ClientConfig, Error> {
    let default = || Arc::new(ring::default_provider());
    let provider = CryptoProvider::get_default().cloned().unwrap_or_else(default);
    let builder = || {
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider));
        builder.with_safe_default_protocol_versions()
    };
    let failed = |_| Error::new(Code::ConnectionFailed, "no TLS");
    let verified = builder().map_err(failed)?.with_platform_verifier();
    let config = match verified {
        Ok(builder) => builder,
        Err(_) => builder().map_err(failed)?.with_root_certificates(RootCertStore::empty()),
    };
    Ok(config.with_no_client_auth())
}

impl HttpAgent {
    /// A new conversation with the agent behind a URL. One that is none fails the first run: see [`try_new`](Self::try_new) for a URL
    /// that is not written into the program.
    pub fn new(url: impl Into<String>) -> Self {
        Self::over(HttpTransport::new(url))
    }

    /// The same of a URL that somebody else says, a setting for one.
    ///
    /// ```
    /// use ag_ui_native::client::HttpAgent;
    ///
    /// let error = HttpAgent::try_new("localhost:8000").unwrap_err();
    /// assert_eq!(error.path(), "/url");
    /// ```
    ///
    /// # Errors
    /// `invalid_value` for what is no absolute URL of http or https.
    pub fn try_new(url: impl Into<String>) -> Result<Self, Error> {
        let url = url.into();
        let is_known = Url::parse(&url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
        let detail = "expected an absolute URL, of http or https";
        if is_known { Ok(Self::new(url)) } else { Err(Error::at(Code::InvalidValue, "/url".into(), detail)) }
    }

    /// The same with a header of each request. The headers that say what is sent and understood are the client's;
    /// `accept-encoding` may be given, for servers that are to send nothing compressed.
    #[must_use]
    pub fn with_header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.transport_mut().headers.push((name.into(), value.into()));
        self
    }

    /// The same with headers that are asked for before each request: for tokens that expire.
    #[must_use]
    pub fn with_headers_from<S, F>(mut self, source: S) -> Self
    where
        S: Fn() -> F + Send + Sync + 'static,
        F: Future<Output = Result<Vec<(String, String)>, Error>> + Send + 'static,
    {
        self.transport_mut().source = Some(Arc::new(move || Box::pin(source())));
        self
    }

    /// The same, following these redirects.
    #[must_use]
    pub fn with_redirects(mut self, redirects: Redirects) -> Self {
        self.transport_mut().redirects = redirects;
        self
    }

    /// The same, waiting so long for a connection: name, TCP and TLS. 10 seconds unless said otherwise.
    #[must_use]
    pub fn with_connect_timeout(mut self, limit: Option<Duration>) -> Self {
        let transport = self.transport_mut();
        transport.connect_timeout = limit;
        transport.client = OnceLock::new();
        self
    }

    /// The same over a client of your own: its proxies, certificates, pool and timeout of connections. It must follow no redirects itself
    /// ([`redirect::Policy::none`](reqwest::redirect::Policy::none)).
    #[must_use]
    pub fn with_client(mut self, client: Client) -> Self {
        self.transport_mut().client = OnceLock::from(client);
        self
    }

    /// The transport, not shared with copies of the agent any longer.
    fn transport_mut(&mut self) -> &mut HttpTransport {
        Arc::make_mut(&mut self.transport)
    }

    /// The URL.
    pub fn url(&self) -> &str {
        &self.transport.url
    }
}

impl fmt::Debug for HttpTransport {
    /// Neither the URL nor headers: they may hold secrets.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("HttpTransport").field("redirects", &self.redirects).finish_non_exhaustive()
    }
}
