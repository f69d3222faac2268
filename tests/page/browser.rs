//! A Chromium without a window, told what to do over a pipe by its DevTools protocol.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// The newest browser does not close by itself when a test hangs.
const PATIENCE: Duration = Duration::from_secs(240);

/// The protocol has pipes 3 and 4.
const SHELL: &str = r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#;

pub struct Browser {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    session: Option<String>,
    calls: u64,
    /// What went wrong in the page: exceptions, and what the console says.
    pub complaints: Vec<String>,
}

impl Browser {
    /// Starts the program at `program`; `profile` is a folder that it may fill.
    pub fn start(program: &str, profile: &Path) -> Browser {
        let mut child = Command::new("sh")
            .args(["-c", SHELL, program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
            .args(["--remote-debugging-pipe", "--window-size=1280,800"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut browser = Browser { child, input, output, session: None, calls: 0, complaints: Vec::new() };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attached =
            browser.call("Target.attachToTarget", json!({"targetId": target["targetId"].clone(), "flatten": true}));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    fn message(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.output.read_until(0, &mut bytes).expect("the browser's answer");
        bytes.pop();
        let message: Value = serde_json::from_slice(&bytes).expect("the browser ended: its message is no JSON");
        if let "Runtime.exceptionThrown" | "Log.entryAdded" = message["method"].as_str().unwrap_or_default() {
            self.complaints.push(message["params"].to_string());
        }
        message
    }

    /// Calls a method of the protocol.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.calls += 1;
        let mut message = json!({"id": self.calls, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.input.write_all(format!("{message}\0").as_bytes()).expect("the browser listens");
        self.input.flush().expect("the browser listens");
        loop {
            let mut answer = self.message();
            if answer["id"] == self.calls {
                assert_eq!(answer["error"], Value::Null, "{method}");
                return answer["result"].take();
            }
        }
    }

    /// Opens a file, and waits until it has been drawn.
    pub fn open(&mut self, file: &Path) {
        self.call("Page.navigate", json!({"url": format!("file://{}", file.display())}));
        while self.message()["method"] != "Page.loadEventFired" {}
        self.settle();
    }

    /// Waits until the page has drawn what it was told.
    pub fn settle(&mut self) {
        self.ask("new Promise(done => requestAnimationFrame(() => setTimeout(done, 20)))");
    }

    /// What an expression gives in the page.
    pub fn ask(&mut self, expression: &str) -> Value {
        let parameters = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut answer = self.call("Runtime.evaluate", parameters);
        assert_eq!(answer["exceptionDetails"], Value::Null, "{expression}");
        answer["result"]["value"].take()
    }

    /// What an expression gives as text.
    pub fn text(&mut self, expression: &str) -> String {
        self.ask(expression).as_str().unwrap_or_else(|| panic!("no text: {expression}")).to_owned()
    }

    /// Presses a key, as somebody does.
    pub fn press(&mut self, key: &str) {
        let code = match key {
            "Enter" => 13,
            "Escape" => 27,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => 0,
        };
        let text = if key.chars().count() == 1 { key } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({"type": kind, "key": key, "windowsVirtualKeyCode": code});
            if kind == "keyDown" && !text.is_empty() {
                event["text"] = json!(text);
            }
            self.call("Input.dispatchKeyEvent", event);
        }
        self.settle();
    }

    /// Types a text where the page listens.
    pub fn write(&mut self, text: &str) {
        self.call("Input.insertText", json!({"text": text}));
        self.ask("new Promise(done => setTimeout(done, 350))");
    }

    /// Clicks on the middle of an element with the mouse.
    pub fn click(&mut self, selector: &str) {
        let quoted = json!(selector);
        let at = self.ask(&format!(
            "(() => {{ const at = document.querySelector({quoted}); at.scrollIntoView({{block: 'nearest'}}); \
             const box = at.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event);
        }
        self.settle();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One browser at a time.
static ONE: Mutex<()> = Mutex::new(());

/// Runs a test with a browser, which ends when it takes too long.
pub fn with(program: &str, profile: &Path, test: impl FnOnce(&mut Browser)) {
    let _one = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut browser = Browser::start(program, profile);
    let id = browser.child.id().to_string();
    let (done, waits) = std::sync::mpsc::channel::<()>();
    let watch = thread::spawn(move || {
        if waits.recv_timeout(PATIENCE) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            let _ = Command::new("kill").arg(id).status();
        }
    });
    test(&mut browser);
    assert_eq!(browser.complaints, [""; 0], "the page complained");
    drop(done);
    watch.join().expect("the watch ends");
}
