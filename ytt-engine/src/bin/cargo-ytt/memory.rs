//! How much memory a render may take where no flag says it.

use std::fs;
use std::path::Path;

use ytt_engine::Limits;

const GIB: u64 = 1 << 30;

/// Sets the limit `memory` to half of what the machine has, at least 2 GiB; where the process itself may have less, it would be
/// killed: half of what a container may have, a quarter of an address space (`ulimit -v`), since program and stack lie there
/// too, for which the depth of calls is lowered. 4 GiB where the system does not say what it has.
pub fn set(limits: &mut Limits) {
    set_below(Path::new("/"), limits);
}

fn set_below(root: &Path, limits: &mut Limits) {
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap_or_default();
    let machine = field(&read("proc/meminfo"), "MemTotal:").map(|kib| kib.saturating_mul(1024));
    let mut memory = machine.map_or(4 * GIB, |bytes| (bytes / 2).max(2 * GIB));
    for line in read("proc/self/cgroup").lines() {
        let Some((controllers, path)) = line.split_once(':').and_then(|(_, line)| line.split_once(':')) else {
            continue;
        };
        let (base, name) = match controllers {
            "" => ("sys/fs/cgroup", "memory.max"),
            "memory" => ("sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            _ => continue,
        };
        // Inside of a container the path is often that of the machine, and the group is found at the root.
        for path in [format!("{base}{path}/{name}"), format!("{base}/{name}")] {
            memory = read(&path).trim().parse().map_or(memory, |bytes: u64| memory.min(bytes / 2));
        }
    }
    if let Some(space) = field(&read("proc/self/limits"), "Max address space ") {
        memory = memory.min(space / 4);
        limits.lower_call_depth(space / 4);
    }
    limits.memory = Some(memory);
}

/// The number behind a name; words like `unlimited` are none.
fn field(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_bound_counts() {
        let root = std::env::temp_dir().join(format!("ytt-memory-{}", std::process::id()));
        let limit = |files: &[(&str, &str)]| {
            for (path, text) in files {
                let path = root.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            let mut limits = Limits::command();
            set_below(&root, &mut limits);
            let _ = fs::remove_dir_all(&root);
            (limits.memory.unwrap(), limits.call_depth)
        };
        let large = ("proc/meminfo", "MemFree: 1 kB\nMemTotal:       16777216 kB\n");
        let small = ("proc/meminfo", "MemTotal:       1048576 kB\n");
        let unlimited = "Limit  Soft Limit  Hard Limit  Units\nMax address space         unlimited  unlimited  bytes\n";
        let limited = "Max cpu time  1 1 s\nMax address space         512000000  unlimited  bytes\n";
        let depth = Limits::command().call_depth;
        assert_eq!(limit(&[]), (4 * GIB, depth));
        assert_eq!(limit(&[large]), (8 * GIB, depth));
        assert_eq!(limit(&[small, ("proc/self/limits", unlimited)]), (2 * GIB, depth));
        let (memory, lowered) = limit(&[large, ("proc/self/limits", limited)]);
        assert!(memory == 128_000_000 && lowered < depth, "{lowered}");
        let two = ("proc/self/cgroup", "0::/a/b\n");
        assert_eq!(limit(&[large, two, ("sys/fs/cgroup/memory.max", "max\n")]), (8 * GIB, depth));
        assert_eq!(limit(&[large, two, ("sys/fs/cgroup/a/b/memory.max", "268435456\n")]), (128 << 20, depth));
        let odd = ("proc/self/cgroup", "no group\n0:\n0::/a\n");
        assert_eq!(limit(&[large, odd, ("sys/fs/cgroup/a/memory.max", "2147483648\n")]), (GIB, depth));
        let one = ("proc/self/cgroup", "4:cpu,cpuacct:/x\n3:memory:/docker/1\n");
        assert_eq!(
            limit(&[large, one, ("sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824")]),
            (GIB / 2, depth)
        );
    }
}
