//! A page in a real browser: chromium, driven by chromedriver over HTTP. Where they are not
//! installed, [`Browser::start`] says so. `MCC_SCREENSHOTS=directory` keeps pictures of what tests
//! saw.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

/// No answer of this server or of a browser's driver takes longer, even on a busy machine.
const ANSWER: Duration = Duration::from_secs(20);

pub fn send(port: u16, bytes: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(ANSWER)).unwrap();
    stream.set_write_timeout(Some(ANSWER)).unwrap();
    // A server that has heard enough may close before everything is sent.
    let _ = stream.write_all(bytes);
    stream
}

/// Reads as much as the answer says it has: a browser's driver keeps the connection open after it.
/// The status is 0 if no whole answer arrives.
pub fn answer(stream: &mut TcpStream) -> (u16, Vec<u8>, String) {
    let until = Instant::now() + ANSWER;
    let (mut bytes, mut buffer) = (Vec::new(), [0; 16 << 10]);
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n").map(|at| at + 4) {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let number = |text: Option<&str>| text.and_then(|text| text.trim().parse::<usize>().ok());
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                number(Some(value).filter(|_| name.eq_ignore_ascii_case("content-length")))
            });
            let end_of_body = end + length.unwrap_or(0);
            if bytes.len() >= end_of_body {
                let status = number(head.split(' ').nth(1)).unwrap_or(0);
                return (status as u16, bytes[end..end_of_body].to_vec(), head);
            }
        }
        match stream.read(&mut buffer) {
            Ok(count) if count > 0 && Instant::now() < until => bytes.extend_from_slice(&buffer[..count]),
            end => return (0, Vec::new(), format!("no whole answer: {end:?}")),
        }
    }
}

/// A whole request with a body.
pub fn request(port: u16, method: &str, path: &str, body: &[u8]) -> (u16, Vec<u8>, String) {
    let mut bytes = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {}\r\n\
         Content-Type: application/json\r\nConnection: close\r\n\r\n",
        body.len()
    )
    .into_bytes();
    bytes.extend_from_slice(body);
    answer(&mut send(port, &bytes))
}

/// For one step; each request to the driver has a limit of its own.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// The key under which WebDriver names an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser with a session of its own.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    pub profile: tempfile::TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Ends the browser, too.
        let _ = request(self.port, "DELETE", &format!("/session/{}", self.session), b"");
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

impl Browser {
    /// `None` where there is no browser.
    pub fn start() -> Option<Browser> {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let lines = BufReader::new(driver.stdout.take()?).lines();
        let (sender, receiver) = mpsc::channel();
        // Reads to the end, so that the driver never waits for somebody to read what it prints.
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let rest = line.strip_prefix("ChromeDriver was started successfully on port ");
                if let Some(port) = rest.and_then(|rest| rest.trim_end_matches('.').parse().ok()) {
                    let _ = sender.send(port);
                }
            }
        });
        let Ok(port) = receiver.recv_timeout(PATIENCE) else {
            let _ = driver.kill();
            let _ = driver.wait();
            eprintln!("SKIPPED: chromedriver does not start");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        let directory = format!("--user-data-dir={}", profile.path().display());
        let arguments = [
            "--headless",
            "--window-size=1600,1000",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            &directory,
        ];
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": { "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL" },
            "timeouts": { "script": 15_000, "pageLoad": 10_000, "implicit": 0 },
        } } });
        let mut browser = Browser { driver, port, session: String::new(), profile };
        let (status, body, _) = request(port, "POST", "/session", wanted.to_string().as_bytes());
        let answer: Json = serde_json::from_slice(&body).unwrap_or_default();
        let Some(session) = answer["value"]["sessionId"].as_str().filter(|_| status == 200) else {
            eprintln!("SKIPPED: chromium does not start: {answer}");
            return None;
        };
        browser.session = session.to_owned();
        Some(browser)
    }

    pub fn try_call(&self, method: &str, path: &str, body: &Json) -> Result<Json, String> {
        let path = format!("/session/{}/{path}", self.session);
        let text = if method == "GET" { String::new() } else { body.to_string() };
        let (status, answer, head) = request(self.port, method, &path, text.as_bytes());
        let answer: Json = serde_json::from_slice(&answer).unwrap_or_default();
        match status {
            200 => Ok(answer["value"].clone()),
            _ => Err(format!("{method} {path} {body}: {head} {}", answer["value"]["message"])),
        }
    }

    pub fn call(&self, method: &str, path: &str, body: &Json) -> Json {
        self.try_call(method, path, body).unwrap_or_else(|refused| panic!("{refused}"))
    }

    pub fn go(&self, address: &str) {
        self.call("POST", "url", &json!({ "url": address }));
    }

    pub fn run(&self, script: &str) -> Json {
        self.call("POST", "execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Runs a script that calls its last argument when it is done, with its result.
    pub fn run_later(&self, script: &str) -> Json {
        self.call("POST", "execute/async", &json!({ "script": script, "args": [] }))
    }

    /// Makes the page as large as that.
    pub fn resize(&self, width: u64, height: u64) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        let command = json!({ "cmd": "Emulation.setDeviceMetricsOverride", "params": metrics });
        self.call("POST", "goog/cdp/execute", &command);
    }

    pub fn find(&self, selector: &str) -> Result<String, String> {
        let wanted = json!({ "using": "css selector", "value": selector });
        let found = self.try_call("POST", "element", &wanted)?;
        Ok(found[ELEMENT].as_str().unwrap().to_owned())
    }

    /// Does something with an element. The page may draw it anew in between: then once more.
    pub fn act(&self, selector: &str, act: &str, body: &Json) {
        let until = Instant::now() + PATIENCE;
        let once = || {
            let element = self.find(selector)?;
            self.try_call("POST", &format!("element/{element}/{act}"), body)
        };
        while let Err(refused) = once() {
            assert!(Instant::now() < until, "{selector}: {refused}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    pub fn click(&self, selector: &str) {
        self.act(selector, "click", &json!({}));
    }

    pub fn enter(&self, selector: &str, text: &str) {
        self.act(selector, "value", &json!({ "text": text }));
    }

    pub fn text(&self, selector: &str) -> String {
        let script = format!("return document.querySelector({selector:?})?.textContent ?? ''");
        self.run(&script).as_str().unwrap_or_default().to_owned()
    }

    /// Waits until a part of the page contains a text.
    pub fn await_text(&self, selector: &str, text: &str) {
        let until = Instant::now() + PATIENCE;
        while !self.text(selector).contains(text) {
            let shown = self.text(selector);
            let message = self.text("#message");
            assert!(
                Instant::now() < until,
                "{selector} never shows {text:?}: {shown:?}; message {message:?}"
            );
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    pub fn picture(&self, name: &str) {
        let Some(directory) = std::env::var_os("MCC_SCREENSHOTS").map(PathBuf::from) else { return };
        for (theme, width, height) in
            [("light", 1600, 1000), ("dark", 1600, 1000), ("light", 400, 1600), ("dark", 400, 1600)]
        {
            self.run(&format!("document.documentElement.dataset.theme = '{theme}'"));
            self.resize(width, height);
            let shot = self.call(
                "POST",
                "goog/cdp/execute",
                &json!({ "cmd": "Page.captureScreenshot", "params": {} }),
            );
            let bytes = decoded(shot["data"].as_str().unwrap_or_default());
            fs::write(directory.join(format!("{name}-{theme}-{width}.png")), bytes).unwrap();
        }
        self.call(
            "POST",
            "goog/cdp/execute",
            &json!({ "cmd": "Emulation.clearDeviceMetricsOverride", "params": {} }),
        );
    }

    /// What the browser complains about: scripts that fail, and what the policy blocks.
    pub fn complaints(&self) -> Vec<String> {
        let log = self.call("POST", "se/log", &json!({ "type": "browser" }));
        let entries = log.as_array().cloned().unwrap_or_default();
        let severe = entries.iter().filter(|one| one["level"] == "SEVERE");
        severe.map(|one| one["message"].as_str().unwrap_or_default().to_owned()).collect()
    }
}

fn decoded(text: &str) -> Vec<u8> {
    let digit = |byte: u8| -> u32 {
        match byte {
            b'A'..=b'Z' => u32::from(byte - b'A'),
            b'a'..=b'z' => u32::from(byte - b'a') + 26,
            b'0'..=b'9' => u32::from(byte - b'0') + 52,
            b'+' => 62,
            _ => 63,
        }
    };
    let digits: Vec<u32> = text.bytes().filter(|byte| *byte != b'=').map(digit).collect();
    let groups = digits.chunks(4).flat_map(|four| {
        let bits = four.iter().fold(0, |bits, digit| bits << 6 | digit) << (6 * (4 - four.len()));
        bits.to_be_bytes()[1..four.len()].to_vec()
    });
    groups.collect()
}
