//! The command as a process of its own: its processor time and its memory, from `/proc`, so Linux only.
#![allow(dead_code)]

use std::ffi::OsStr;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The command with these arguments, not started yet.
pub fn command(arguments: impl IntoIterator<Item: AsRef<OsStr>>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-ytt"));
    command.args(arguments);
    command
}

/// User and system time of all processes that were waited for, in milliseconds, in steps of 10.
pub fn times() -> [f64; 2] {
    let stat = fs::read_to_string("/proc/self/stat").expect("Linux");
    let behind_name = &stat[stat.rfind(')').expect("a name in brackets")..];
    let ticks = |at: usize| behind_name.split(' ').nth(at).and_then(|ticks| ticks.parse::<f64>().ok());
    [14, 15].map(|at| ticks(at).expect("a number of ticks") * 10.0)
}

/// The most memory that a process has had so far, in bytes.
pub fn memory(process: &Child) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok().map(|kib: f64| kib * 1024.0)
}

/// Runs a command to its end, with its output thrown away, and gives the most memory that was seen.
pub fn watched(mut command: Command) -> f64 {
    let mut child = command.stdout(Stdio::null()).spawn().expect("the command starts");
    let mut most = 0.0;
    loop {
        most = memory(&child).unwrap_or(most);
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            assert!(status.success(), "{command:?}");
            return most;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}
