//! Bounds of a render. Each excess is an ordinary error that names its place.

/// Every bound of a render; `None` means that there is none.
///
/// What is counted is said at each field; what exceeds a bound is an error of the kind
/// [`ErrorKind::Limit`](crate::ErrorKind::Limit) that names its place. [`Limits::build`] suits code that runs inside a
/// compiler, [`Limits::command`] a shell.
///
/// ```
/// let mut limits = ytt_engine::Limits::build();
/// limits.depth = 50;
/// assert_eq!(limits.reports, 20);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Open collections at one place, also after aliases are expanded.
    pub depth: u32,
    /// Nodes of one file that are made by copying: aliases and merge keys.
    pub alias_nodes: u64,
    /// Bytes of one input file.
    pub file_bytes: u64,
    /// Bytes of all input files of a render.
    pub input_bytes: u64,
    /// Bytes of the printed text of a render.
    pub output_bytes: u64,
    /// Call frames of a render, loads and libraries included.
    pub call_depth: u32,
    /// Calls and loop turns of a render; what takes longer than such a step counts as several of them. A Kubernetes
    /// manifest of thirty lines takes about fifty.
    pub steps: Option<u64>,
    /// Nodes that a render makes.
    pub nodes: Option<u64>,
    /// Bytes of nodes and of Starlark values together: a process may need twice as much at one moment.
    pub memory: Option<u64>,
    /// Seconds of wall time: the one bound that is not a function of the inputs.
    pub seconds: Option<u64>,
    /// Problems of one stage that are shown; the rest is counted.
    pub reports: u32,
}

const MIB: u64 = 1 << 20;

/// Bytes of native stack for one call of Starlark code.
pub(crate) const FRAME: usize = if cfg!(debug_assertions) { 16 << 10 } else { 6 << 10 };

impl Limits {
    /// Bounds for macros and build scripts: generous, but nothing runs for ever.
    pub fn build() -> Limits {
        Limits {
            depth: 1_000,
            alias_nodes: 1_000_000,
            file_bytes: 256 * MIB,
            input_bytes: 1024 * MIB,
            output_bytes: 64 * MIB,
            call_depth: 10_000,
            steps: Some(500_000),
            nodes: Some(10_000_000),
            memory: Some(768 * MIB),
            seconds: None,
            reports: 20,
        }
    }

    /// Bounds of a command: only those without which a process would die or fill the disk. `cargo-ytt` itself sets `memory`
    /// as well, by what the machine or its container has.
    pub fn command() -> Limits {
        Limits {
            output_bytes: 1024 * MIB,
            call_depth: if cfg!(debug_assertions) { 10_000 } else { 100_000 },
            steps: None,
            nodes: None,
            memory: None,
            ..Limits::build()
        }
    }

    /// Lowers the depth of calls, if need be, so that the stack which a render reserves for them has at most so many bytes.
    ///
    /// A system hands out a stack as it is used; what counts at once is address space, where that is limited.
    ///
    /// ```
    /// let mut limits = ytt_engine::Limits::build();
    /// limits.lower_call_depth(16 << 20);
    /// assert!(limits.call_depth < 10_000);
    /// ```
    #[allow(clippy::arithmetic_side_effects, reason = "`FRAME` is no zero")]
    pub fn lower_call_depth(&mut self, bytes: u64) {
        let depth = bytes / FRAME as u64;
        self.call_depth = self.call_depth.min(u32::try_from(depth).unwrap_or(u32::MAX));
    }

    /// The names of all limits, as [`Limits::set`] takes them.
    ///
    /// ```
    /// let mut limits = ytt_engine::Limits::build();
    /// assert!(ytt_engine::Limits::NAMES.iter().all(|name| limits.set(name, 1)));
    /// ```
    pub const NAMES: [&str; 11] = [
        "alias_nodes",
        "call_depth",
        "depth",
        "file_bytes",
        "input_bytes",
        "memory",
        "nodes",
        "output_bytes",
        "reports",
        "seconds",
        "steps",
    ];

    /// The value of a limit by its name; `None` where there is no bound, or no limit of that name.
    ///
    /// ```
    /// assert_eq!(ytt_engine::Limits::build().get("depth"), Some(1000));
    /// assert_eq!(ytt_engine::Limits::build().get("seconds"), None);
    /// ```
    pub fn get(&self, name: &str) -> Option<u64> {
        match name {
            "depth" => Some(u64::from(self.depth)),
            "alias_nodes" => Some(self.alias_nodes),
            "file_bytes" => Some(self.file_bytes),
            "input_bytes" => Some(self.input_bytes),
            "output_bytes" => Some(self.output_bytes),
            "call_depth" => Some(u64::from(self.call_depth)),
            "steps" => self.steps,
            "nodes" => self.nodes,
            "memory" => self.memory,
            "seconds" => self.seconds,
            "reports" => Some(u64::from(self.reports)),
            _ => None,
        }
    }

    /// Sets a limit by its name; false if there is none of that name. `None` is no bound, or the largest one where there
    /// must be one. Limits of 32 bits stop at their largest value.
    ///
    /// ```
    /// let mut limits = ytt_engine::Limits::build();
    /// assert!(limits.set("depth", 50) && limits.set("steps", None) && !limits.set("height", 1));
    /// assert_eq!((limits.depth, limits.steps), (50, None));
    /// ```
    pub fn set(&mut self, name: &str, value: impl Into<Option<u64>>) -> bool {
        let value = value.into();
        let long = value.unwrap_or(u64::MAX);
        let short = u32::try_from(long).unwrap_or(u32::MAX);
        match name {
            "depth" => self.depth = short,
            "alias_nodes" => self.alias_nodes = long,
            "file_bytes" => self.file_bytes = long,
            "input_bytes" => self.input_bytes = long,
            "output_bytes" => self.output_bytes = long,
            "call_depth" => self.call_depth = short,
            "steps" => self.steps = value,
            "nodes" => self.nodes = value,
            "memory" => self.memory = value,
            "seconds" => self.seconds = value,
            "reports" => self.reports = short,
            _ => return false,
        }
        true
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::build()
    }
}
