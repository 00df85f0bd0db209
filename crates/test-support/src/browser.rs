//! A real browser without a window, for tests of pages.
//!
//! Chromium is driven over WebDriver, by Debian's `chromedriver`: open, click, type, ask the page, take a picture. Every
//! wait has an end, and the browser ends with the value.

use serde_json::{Value, json};
use std::fmt;
use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Longer than a page of 50,000 lines takes on a busy machine.
const LIMIT: Duration = Duration::from_secs(180);
/// How often a browser is started before that fails: on a busy machine Chromium may give up by itself.
const STARTS: usize = 3;

/// The programs that must be installed, as on Debian.
pub const PROGRAMS: [&str; 2] = ["chromedriver", "chromium"];

/// Why the browser did not do something.
#[derive(Debug)]
pub struct BrowserError(String);

impl fmt::Display for BrowserError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BrowserError {}

impl From<io::Error> for BrowserError {
    fn from(error: io::Error) -> Self {
        Self(format!("the browser's driver: {error}"))
    }
}

/// A browser with one page.
#[derive(Debug)]
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    /// Starts a browser with a page of some size.
    ///
    /// # Errors
    ///
    /// Fails if `chromedriver` or `chromium` is not installed or does not start.
    pub fn start(width: u32, height: u32) -> Result<Self, BrowserError> {
        let mut started = Self::start_once(width, height);
        for _ in 1..STARTS {
            if started.is_err() {
                started = Self::start_once(width, height);
            }
        }
        started
    }

    fn start_once(width: u32, height: u32) -> Result<Self, BrowserError> {
        let mut command = Command::new("chromedriver");
        command.arg("--port=0").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let driver = command.spawn().map_err(|error| {
            BrowserError(format!("chromedriver: {error}; install the packages chromium and chromium-driver"))
        })?;
        let mut browser = Self { driver, port: 0, session: String::new() };
        browser.port = browser.read_port()?;
        let arguments = [
            "--headless=new".to_owned(),
            // Tests run as root in containers, where Chromium cannot build its sandbox; the pages are our own.
            "--no-sandbox".to_owned(),
            "--disable-gpu".to_owned(),
            "--disable-dev-shm-usage".to_owned(),
            "--hide-scrollbars".to_owned(),
            "--force-device-scale-factor=1".to_owned(),
            format!("--window-size={width},{height}"),
        ];
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": { "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let started = browser.send("POST", "/session", &capabilities)?;
        browser.session = started["sessionId"].as_str().unwrap_or_default().to_owned();
        Ok(browser)
    }

    /// The driver prints the port that it has chosen.
    fn read_port(&mut self) -> Result<u16, BrowserError> {
        let Some(output) = self.driver.stdout.take() else {
            return Err(BrowserError("no output".to_owned()));
        };
        for line in BufReader::new(output).lines() {
            if let Some((_, port)) = line?.split_once("started successfully on port ") {
                let digits: String = port.chars().take_while(char::is_ascii_digit).collect();
                return digits.parse().map_err(|_| BrowserError(format!("chromedriver's port: {port}")));
            }
        }
        Err(BrowserError("chromedriver does not say on which port it listens".to_owned()))
    }

    /// Opens a file, with what follows its name in the address (`?…` or `#…`).
    ///
    /// # Errors
    ///
    /// Fails if the browser does not answer.
    pub fn open(&self, file: &Path, rest: &str) -> Result<(), BrowserError> {
        // A change of what follows `#` alone would not load the page anew.
        self.command("POST", "/url", &json!({ "url": "about:blank" }))?;
        let url = format!("file://{}{rest}", file.display());
        self.command("POST", "/url", &json!({ "url": url })).map(|_| ())
    }

    /// The address of the page.
    ///
    /// # Errors
    ///
    /// Fails if the browser does not answer.
    pub fn address(&self) -> Result<String, BrowserError> {
        Ok(self.command("GET", "/url", &Value::Null)?.as_str().unwrap_or_default().to_owned())
    }

    /// The value of an expression on the page.
    ///
    /// # Errors
    ///
    /// Fails if the expression throws.
    pub fn value(&self, expression: &str) -> Result<Value, BrowserError> {
        let script = format!("return ({expression});");
        self.command("POST", "/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// The value of an expression as soon as it is what is waited for; its last value after some seconds.
    ///
    /// # Errors
    ///
    /// Fails if the expression throws.
    pub fn value_becomes(&self, expression: &str, wanted: &Value) -> Result<Value, BrowserError> {
        for _ in 0..100 {
            let value = self.value(expression)?;
            if value == *wanted {
                return Ok(value);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        self.value(expression)
    }

    /// Clicks on the first element of a selector, as a person would.
    ///
    /// # Errors
    ///
    /// Fails if there is no such element, or it cannot be seen.
    pub fn click(&self, selector: &str) -> Result<(), BrowserError> {
        let element = self.element(selector)?;
        // A person would scroll it out from under what stands still at the top.
        self.value(&format!(
            "document.querySelector({}).scrollIntoView({{ block: 'center' }})",
            json!(selector)
        ))?;
        self.command("POST", &format!("/element/{element}/click"), &json!({})).map(|_| ())
    }

    /// Types into an element.
    ///
    /// # Errors
    ///
    /// Fails if there is no such element.
    pub fn type_into(&self, selector: &str, text: &str) -> Result<(), BrowserError> {
        let element = self.element(selector)?;
        self.command("POST", &format!("/element/{element}/value"), &json!({ "text": text })).map(|_| ())
    }

    /// Presses keys, wherever the focus is.
    ///
    /// # Errors
    ///
    /// Fails if the browser does not answer.
    pub fn press(&self, keys: &str) -> Result<(), BrowserError> {
        let strokes: Vec<Value> = keys
            .chars()
            .flat_map(|key| {
                let key = key.to_string();
                [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })]
            })
            .collect();
        let actions = json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": strokes }] });
        self.command("POST", "/actions", &actions).map(|_| ())
    }

    /// Makes the page believe that the system is light or dark, or that it is printed.
    ///
    /// # Errors
    ///
    /// Fails if the browser does not answer.
    pub fn emulate(&self, media: &str, colour_scheme: &str) -> Result<(), BrowserError> {
        let features = json!([{ "name": "prefers-color-scheme", "value": colour_scheme }]);
        let parameters = json!({ "media": media, "features": features });
        let command = json!({ "cmd": "Emulation.setEmulatedMedia", "params": parameters });
        self.command("POST", "/goog/cdp/execute", &command).map(|_| ())
    }

    /// A picture of what can be seen: a PNG file.
    ///
    /// # Errors
    ///
    /// Fails if the browser does not answer.
    pub fn screenshot(&self) -> Result<Vec<u8>, BrowserError> {
        Ok(bytes_of(&self.command("GET", "/screenshot", &Value::Null)?))
    }

    /// The page printed: a PDF file.
    ///
    /// # Errors
    ///
    /// Fails if the browser does not answer.
    pub fn print(&self) -> Result<Vec<u8>, BrowserError> {
        Ok(bytes_of(&self.command("POST", "/print", &json!({}))?))
    }

    /// What the browser complained about since it was last asked: errors of scripts, files that are not there.
    ///
    /// # Errors
    ///
    /// Fails if the browser does not answer.
    pub fn complaints(&self) -> Result<Vec<String>, BrowserError> {
        let log = self.command("POST", "/se/log", &json!({ "type": "browser" }))?;
        let entries = log.as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(entries.iter().map(|entry| entry["message"].to_string()).collect())
    }

    fn element(&self, selector: &str) -> Result<String, BrowserError> {
        let found =
            self.command("POST", "/element", &json!({ "using": "css selector", "value": selector }))?;
        let reference = found.as_object().and_then(|object| object.values().next());
        Ok(reference.and_then(Value::as_str).unwrap_or_default().to_owned())
    }

    fn command(&self, method: &str, path: &str, body: &Value) -> Result<Value, BrowserError> {
        self.send(method, &format!("/session/{}{path}", self.session), body)
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Result<Value, BrowserError> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(LIMIT))?;
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.port,
            body.len()
        )?;
        let body = read_body(&mut BufReader::new(stream))?;
        let mut parsed: Value = serde_json::from_slice(&body)
            .map_err(|error| BrowserError(format!("{method} {path}: {error}")))?;
        let value = parsed["value"].take();
        match value.get("error") {
            Some(error) => Err(BrowserError(format!("{method} {path}: {error}: {}", value["message"]))),
            None => Ok(value),
        }
    }
}

/// The body of an answer. Its length is in its head; the driver does not end the connection.
fn read_body(answer: &mut impl BufRead) -> Result<Vec<u8>, BrowserError> {
    let mut length = 0;
    for line in answer.lines() {
        let line = line?.to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length =
                value.trim().parse().map_err(|_| BrowserError(format!("chromedriver's answer: {line}")))?;
        }
    }
    let mut body = vec![0; length];
    answer.read_exact(&mut body)?;
    Ok(body)
}

/// What a value of base64 stands for.
fn bytes_of(value: &Value) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = value.as_str().unwrap_or_default().bytes();
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for digit in digits.filter_map(|digit| DIGITS.iter().position(|&known| known == digit)) {
        bits = (bits << 6 | digit as u32) & 0xFFFF;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            // The driver is ended in any case.
            let _ = self.command("DELETE", "", &Value::Null);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read() {
        let cases = [("", ""), ("YQ==", "a"), ("YWI=", "ab"), ("YWJj", "abc"), ("UHJvYml0eSE/", "Probity!?")];
        for (text, bytes) in cases {
            assert_eq!(bytes_of(&json!(text)), bytes.as_bytes(), "{text}");
        }
    }
}
