//! Where the time of a render goes: how long each phase worked on each file.
//!
//! One phase works on one file at a time. What begins inside of another one stops the clock of that one, so every
//! moment counts once: for the innermost.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What is done with a file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Phase {
    /// From the disk, and YAML into nodes.
    Reading,
    /// To a program, and by the interpreter.
    Compiling,
    Running,
    /// Its overlay documents, and those of data values and schemas.
    Overlays,
    /// The documents that stand in it.
    Printing,
}

const PHASES: [&str; 5] = ["reading", "compiling", "running", "overlays", "printing"];

/// So many files have a line of their own.
const MOST: usize = 20;

/// Durations by phase.
type Row = [Duration; PHASES.len()];

/// Takes what a render needs for each file: see [`Project::times`](crate::Project::times).
///
/// Clones are the same table, to which every render adds that it was given to. It is written as text: a line for each of
/// the 20 slowest files, with milliseconds by phase. Renders are to take turns: of two at once, the times mix.
///
/// ```
/// use ytt_engine::{Format, Project, Times};
///
/// let times = Times::default();
/// let rendered = Project::new().file("a.yml", "a: #@ 1 + 1\n").times(&times).render()?;
/// rendered.to_text(Format::Yaml)?;
/// let text = times.to_string();
/// assert!(text.lines().nth(1).unwrap().ends_with("  a.yml"));
/// # Ok::<(), ytt_engine::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Times(Arc<Mutex<Spent>>);

#[derive(Debug, Default)]
struct Spent {
    files: HashMap<Arc<str>, Row>,
    /// What has begun and not ended, outermost first.
    open: Vec<(Arc<str>, Phase)>,
    /// Up to here time was counted.
    counted: Option<Instant>,
}

impl Spent {
    /// Counts the time up to now for what is innermost.
    fn count(&mut self) {
        let now = Instant::now();
        let before = self.counted.replace(now);
        if let (Some((file, phase)), Some(before)) = (self.open.last(), before)
            && let Some(sum) = self.files.entry(file.clone()).or_default().get_mut(*phase as usize)
        {
            *sum = sum.saturating_add(now.duration_since(before));
        }
    }
}

impl Times {
    /// Counts for a file until the guard is dropped.
    pub(crate) fn begin(&self, file: &str, phase: Phase) -> Lap {
        let mut spent = self.spent();
        spent.count();
        spent.open.push((file.into(), phase));
        Lap(self.clone())
    }

    fn spent(&self) -> MutexGuard<'_, Spent> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Time is counted for a file while this is there.
#[must_use = "time is counted until this is dropped"]
pub(crate) struct Lap(Times);

impl Drop for Lap {
    fn drop(&mut self) {
        let mut spent = self.0.spent();
        spent.count();
        spent.open.pop();
    }
}

/// Nothing where no file was worked on.
impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spent = self.spent();
        let mut files: Vec<(&str, &Row)> = spent.files.iter().map(|(file, row)| (&**file, row)).collect();
        if files.is_empty() {
            return Ok(());
        }
        let sum = |row: &Row| row.iter().sum::<Duration>();
        files.sort_by(|(a, left), (b, right)| sum(right).cmp(&sum(left)).then_with(|| a.cmp(b)));
        for phase in PHASES {
            write!(f, "{phase:>10}")?;
        }
        writeln!(f, "{:>10}  (ms)", "sum")?;
        let mut line = |row: &Row, name: &str| {
            for time in row.iter().chain([&sum(row)]) {
                write!(f, "{:>10.1}", time.as_secs_f64() * 1000.0)?;
            }
            writeln!(f, "  {name}")
        };
        let (slowest, others) = files.split_at(files.len().min(MOST));
        for (name, row) in slowest {
            line(row, name)?;
        }
        if !others.is_empty() {
            line(&all(others), &format!("({} more)", others.len()))?;
        }
        line(&all(&files), "(all)")
    }
}

/// The sums of rows by phase.
fn all(files: &[(&str, &Row)]) -> Row {
    let mut sums = Row::default();
    for (_, row) in files {
        sums.iter_mut().zip(*row).for_each(|(sum, time)| *sum = sum.saturating_add(*time));
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(files: impl IntoIterator<Item = (String, [u64; 5])>) -> Times {
        let times = Times::default();
        let rows = files.into_iter().map(|(name, micros)| (name.into(), micros.map(Duration::from_micros)));
        times.spent().files.extend(rows);
        times
    }

    #[test]
    fn the_slowest_file_comes_first() {
        let rows =
            [("b.yml", [1000, 0, 0, 0, 0]), ("c/d.yml", [40, 1060, 12_340, 100, 0]), ("a.yml", [0, 0, 0, 0, 1000])];
        let expected = "   reading compiling   running  overlays  printing       sum  (ms)\n       \
                        0.0       1.1      12.3       0.1       0.0      13.5  c/d.yml\n       \
                        0.0       0.0       0.0       0.0       1.0       1.0  a.yml\n       \
                        1.0       0.0       0.0       0.0       0.0       1.0  b.yml\n       \
                        1.0       1.1      12.3       0.1       1.0      15.5  (all)\n";
        assert_eq!(times(rows.map(|(name, row)| (name.to_owned(), row))).to_string(), expected);
    }

    #[test]
    fn files_behind_the_twentieth_share_a_line() {
        let numbered =
            |count: u64| times((1..=count).map(|number| (format!("{number}.yml"), [0, 0, number * 1000, 0, 0])));
        let text = numbered(23).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 23);
        assert_eq!(
            lines[1].split_whitespace().collect::<Vec<_>>(),
            ["0.0", "0.0", "23.0", "0.0", "0.0", "23.0", "23.yml"]
        );
        assert!(lines[20].ends_with("  4.yml"), "{text}");
        assert!(lines[21].ends_with("       6.0  (3 more)"), "{text}");
        assert!(lines[22].ends_with("     276.0  (all)"), "{text}");
        assert!(!numbered(20).to_string().contains("more"));
        assert_eq!(Times::default().to_string(), "");
    }

    #[test]
    fn what_begins_inside_counts_for_itself_alone() {
        let times = Times::default();
        let start = Instant::now();
        let outer = times.begin("outer.yml", Phase::Running);
        let inner = times.begin("inner.yml", Phase::Reading);
        let since = Instant::now();
        std::thread::sleep(Duration::from_millis(5));
        let slept = since.elapsed();
        drop(inner);
        let since = Instant::now();
        std::thread::sleep(Duration::from_millis(1));
        let alone = since.elapsed();
        drop(outer);
        let all = start.elapsed();
        // Nothing is open: this counts for nobody.
        std::thread::sleep(Duration::from_millis(1));
        drop(times.begin("inner.yml", Phase::Reading));
        let spent = times.spent();
        assert!(spent.open.is_empty());
        assert!(spent.files["inner.yml"][Phase::Reading as usize] >= slept);
        let running = spent.files["outer.yml"][Phase::Running as usize];
        assert!(running >= alone && running <= all - slept, "{running:?}");
    }

    #[test]
    fn phases_count_for_the_files_that_they_work_on() {
        let times = Times::default();
        let rendered = crate::Project::new()
            .file("a.yml", "#@ load(\"h.star\", \"a\")\na: #@ a()\n")
            .file("h.star", "def a():\n  return 1\nend\n")
            .file(
                "o.yml",
                "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all, expects=\"1+\"\n---\na: 2\n",
            )
            .file("plain.yml", "a: 1\n")
            .file("t.txt", "(@= str(1) @)")
            .times(&times)
            .render()
            .unwrap();
        let worked = |file: &str| {
            let row = times.spent().files[file];
            PHASES.into_iter().zip(row).filter(|(_, time)| !time.is_zero()).map(|(phase, _)| phase).collect::<Vec<_>>()
        };
        assert_eq!(worked("a.yml"), ["reading", "compiling", "running"]);
        assert_eq!(worked("h.star"), ["reading", "compiling", "running"]);
        assert_eq!(worked("o.yml"), ["reading", "compiling", "running", "overlays"]);
        assert_eq!(worked("t.txt"), ["reading", "compiling", "running"]);
        rendered.to_text(crate::Format::Yaml).unwrap();
        assert_eq!(worked("a.yml"), ["reading", "compiling", "running", "printing"]);
        assert!(!worked("plain.yml").contains(&"running") && worked("plain.yml").contains(&"printing"));
        assert!(times.spent().open.is_empty());
        assert_eq!(times.spent().files.len(), 5);
    }
}
