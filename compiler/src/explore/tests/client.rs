//! Requests as a browser, or somebody with worse intentions, would send them.

use std::net::Shutdown;

use serde_json::Value as Json;

pub use super::driver::request;
use super::driver::{answer, send};

pub struct Client {
    pub port: u16,
    pub token: String,
    pub opening: String,
}

/// Sends bytes as they are and nothing after them; the status and the body of the answer, and its
/// head.
pub fn raw(port: u16, bytes: &[u8]) -> (u16, Vec<u8>, String) {
    let mut stream = send(port, bytes);
    let _ = stream.shutdown(Shutdown::Write);
    answer(&mut stream)
}

impl Client {
    pub fn new(address: &str, opening: &str) -> Client {
        let rest = address.strip_prefix("http://127.0.0.1:").unwrap();
        let (port, token) = rest.split_once('/').unwrap();
        let (_, opening) = opening.split_once("/open/").unwrap();
        let token = token.trim_end_matches('/').to_owned();
        Client { port: port.parse().unwrap(), token, opening: opening.to_owned() }
    }

    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    pub fn get(&self, path: &str) -> (u16, Json) {
        let (status, body, _) = request(self.port, "GET", &format!("/{}/{path}", self.token), b"");
        (status, serde_json::from_slice(&body).unwrap_or_default())
    }

    pub fn post_bytes(&self, path: &str, body: &[u8]) -> (u16, Json) {
        let (status, body, _) = request(self.port, "POST", &format!("/{}/api/{path}", self.token), body);
        (status, serde_json::from_slice(&body).unwrap_or_default())
    }

    pub fn post(&self, path: &str, body: &Json) -> (u16, Json) {
        self.post_bytes(path, body.to_string().as_bytes())
    }

    /// The answer of a request that must succeed.
    pub fn asked(&self, path: &str, body: &Json) -> Json {
        let (status, answer) = self.post(path, body);
        assert_eq!(status, 200, "{path} {body}: {answer:#}");
        answer
    }
}
