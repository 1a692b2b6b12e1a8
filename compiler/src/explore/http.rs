//! As much of HTTP as one page needs: a request for each connection, each of its parts bounded in
//! size and time.
//!
//! The head of a request has at most [`MOST_HEAD`] bytes, its body as many as the caller allows,
//! and all of it has to arrive within [`PATIENCE`]. Bodies without a length are refused.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

const MOST_HEAD: usize = 32 << 10;
const MOST_HEADERS: usize = 64;
const PATIENCE: Duration = Duration::from_secs(20);

/// What a client asks for.
#[derive(Debug, Default)]
pub struct Request {
    pub method: String,
    pub path: String,
    pub host: Option<String>,
    pub origin: Option<String>,
    pub body: Vec<u8>,
}

/// What it gets.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub kind: &'static str,
    pub location: Option<String>,
    pub body: Vec<u8>,
}

impl Response {
    pub fn text(status: u16, text: &str) -> Response {
        let kind = "text/plain; charset=utf-8";
        Response { status, kind, location: None, body: format!("{text}\n").into_bytes() }
    }

    pub fn asset(kind: &'static str, text: &str) -> Response {
        Response { status: 200, kind, location: None, body: text.as_bytes().to_vec() }
    }

    pub fn json(status: u16, body: Vec<u8>) -> Response {
        Response { status, kind: "application/json; charset=utf-8", location: None, body }
    }
}

/// Every answer says that nothing but this server's own files may run, load or frame it.
const SECURITY: &str = "Content-Security-Policy: default-src 'none'; script-src 'self'; \
    style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'\r\n\
    X-Content-Type-Options: nosniff\r\n\
    X-Frame-Options: DENY\r\n\
    Referrer-Policy: no-referrer\r\n\
    Cross-Origin-Opener-Policy: same-origin\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\n\
    Cache-Control: no-store\r\n";

/// Reads one request. `most` says how long the body may be, once the path is known; if that
/// refuses, nothing of the body is read.
pub fn read(
    stream: &mut TcpStream,
    most: impl Fn(&Request) -> Result<u64, Response>,
) -> Result<Request, Response> {
    let deadline = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    let (mut request, length, body) = loop {
        if let Some(parsed) = head(&bytes)? {
            break parsed;
        }
        if bytes.len() >= MOST_HEAD {
            return Err(Response::text(431, "the head of the request is too long"));
        }
        receive(stream, &mut bytes, MOST_HEAD, deadline)?;
    };
    if length > most(&request)? {
        return Err(Response::text(413, "the request is too large"));
    }
    let length = length as usize;
    request.body = bytes.split_off(body);
    while request.body.len() < length {
        receive(stream, &mut request.body, length, deadline)?;
    }
    request.body.truncate(length);
    Ok(request)
}

/// The head of a request, the length of its body, and where that begins; `None` if the head has not
/// arrived yet.
#[allow(clippy::type_complexity)]
fn head(bytes: &[u8]) -> Result<Option<(Request, u64, usize)>, Response> {
    let bad = || Response::text(400, "this is not a request");
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let body = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(body)) => body,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(_) => return Err(bad()),
    };
    let mut request = Request {
        method: parsed.method.unwrap_or_default().to_owned(),
        path: parsed.path.unwrap_or_default().to_owned(),
        ..Request::default()
    };
    let mut length = None;
    for header in parsed.headers.iter() {
        let value = || std::str::from_utf8(header.value).map(|value| value.trim().to_owned());
        let name = header.name.to_ascii_lowercase();
        let once = |slot: &mut Option<String>| match slot.replace(value().map_err(|_| bad())?) {
            None => Ok(()),
            Some(_) => Err(bad()),
        };
        match name.as_str() {
            "host" => once(&mut request.host)?,
            "origin" => once(&mut request.origin)?,
            "content-length" => once(&mut length)?,
            "transfer-encoding" => return Err(Response::text(411, "send the length of the body")),
            _ => {}
        }
    }
    let length = match length {
        None => 0,
        Some(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().map_err(|_| bad())?,
        Some(_) => return Err(bad()),
    };
    Ok(Some((request, length, body)))
}

/// Appends what arrives next, up to a length of `most`.
fn receive(
    stream: &mut TcpStream,
    bytes: &mut Vec<u8>,
    most: usize,
    deadline: Instant,
) -> Result<(), Response> {
    let late = || Response::text(408, "the request did not arrive in time");
    let left = deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero());
    stream.set_read_timeout(Some(left.ok_or_else(late)?)).map_err(|_| late())?;
    let mut buffer = [0; 16 << 10];
    let room = buffer.len().min(most.saturating_sub(bytes.len()));
    match stream.read(buffer.get_mut(..room).unwrap_or(&mut [])) {
        Ok(0) => Err(Response::text(400, "the request ends too early")),
        Ok(count) => {
            bytes.extend_from_slice(buffer.get(..count).unwrap_or_default());
            Ok(())
        }
        Err(error) if error.kind() == ErrorKind::Interrupted => Ok(()),
        Err(_) => Err(late()),
    }
}

/// Answers and closes the connection.
pub fn write(stream: &mut TcpStream, response: &Response) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let Response { status, kind, location, body } = response;
    let location = location.as_ref().map_or(String::new(), |to| format!("Location: {to}\r\n"));
    let head = format!(
        "HTTP/1.1 {status} {}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n{SECURITY}{location}\
         Connection: close\r\n\r\n",
        reason(*status),
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)?;
    stream.flush()?;
    stream.shutdown(Shutdown::Write)?;
    // What was not read of the request would reset the connection before the answer is read.
    stream.set_read_timeout(Some(Duration::from_millis(500)))?;
    let mut rest = [0; 16 << 10];
    let mut left = 256;
    while left > 0 && matches!(stream.read(&mut rest), Ok(count) if count > 0) {
        left -= 1;
    }
    Ok(())
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        303 => "See Other",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        421 => "Misdirected Request",
        422 => "Unprocessable Content",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}
