//! The memory available to this process.
//!
//! The standard library reports the number of usable processors, but not the memory. On Linux this
//! module reads it from a few small files: the machine's memory, and the limits of the process's
//! control groups (both versions), such as those of containers and services. The system kills a
//! process that exceeds one of these limits. The process's own limits (`ulimit -v`, `ulimit -d`)
//! are different: beyond them allocations fail, which a search can handle. Other systems are not
//! supported.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub(crate) const MIN_MEMORY: u64 = 16 << 10;

/// Returns the memory available to this process in bytes: the machine's, or less if a control
/// group, such as a container's, has a lower limit. Swap does not count, because a search accesses
/// its memory at random. The result is `None` if the memory is unknown, as on all systems but
/// Linux. The first call determines the result.
///
/// By default, [`Config::memory`](crate::Config::memory) is half of it.
pub fn machine_memory() -> Option<u64> {
    static KNOWN: OnceLock<Option<u64>> = OnceLock::new();
    *KNOWN.get_or_init(|| machine(read))
}

/// The default memory of a search in bytes: half of the available memory or, if that is less, a
/// quarter of the process's own limit, which also covers code, stacks and the allocator's reserve;
/// 4 GiB if both are unknown.
pub(crate) fn usual_memory() -> u64 {
    static KNOWN: OnceLock<u64> = OnceLock::new();
    *KNOWN.get_or_init(|| {
        let half = machine_memory().map(|bytes| bytes / 2);
        let share = half.into_iter().chain(own_limit(read).map(|bytes| bytes / 4)).min();
        share.map_or(4 << 30, |bytes| bytes.max(MIN_MEMORY))
    })
}

fn read(path: &Path) -> Option<String> {
    let is_asked = cfg!(all(target_os = "linux", not(miri)));
    is_asked.then(|| std::fs::read_to_string(path).ok()).flatten()
}

fn machine(read: impl Fn(&Path) -> Option<String>) -> Option<u64> {
    let installed = || kibibytes(&read(Path::new("/proc/meminfo"))?, "MemTotal:");
    let groups = read(Path::new("/proc/self/cgroup")).unwrap_or_default();
    // The limits of a group's ancestors apply, too. In a container the group's path may be the
    // host's; then only the topmost ancestor exists, the container's own root.
    let groups = groups.lines().filter_map(group).filter_map(|(group, file)| {
        let limit = |group: &Path| read(&group.join(file))?.trim().parse::<u64>().ok();
        group.ancestors().take_while(|group| group.starts_with(GROUPS)).filter_map(limit).min()
    });
    installed().into_iter().chain(groups).min()
}

fn own_limit(read: impl Fn(&Path) -> Option<String>) -> Option<u64> {
    LIMITS.into_iter().filter_map(|(limit, _)| limit_of(&read, limit)).min()
}

/// The bytes that the system would still grant to this process. `None` if no limit is known: then
/// allocations succeed as long as there are addresses, and [`machine_memory`] is the limit to
/// respect.
pub(crate) fn memory_left() -> Option<u64> {
    static KNOWN: OnceLock<Refusing> = OnceLock::new();
    KNOWN.get_or_init(|| Refusing::found(read)).left(read)
}

/// The limits beyond which the system refuses memory. They are determined only once, so that, if
/// there are none, later calls read no files and allocate nothing.
#[derive(Debug)]
struct Refusing {
    own: [Option<u64>; 2],
    /// Whether the system refuses to overcommit memory, so that all processes share a limit.
    promises: bool,
}

impl Refusing {
    fn found(read: impl Fn(&Path) -> Option<String>) -> Refusing {
        let rule = read(Path::new("/proc/sys/vm/overcommit_memory"));
        Refusing {
            own: LIMITS.map(|(limit, _)| limit_of(&read, limit)),
            promises: rule.is_some_and(|rule| rule.trim() == "2"),
        }
    }

    fn left(&self, read: impl Fn(&Path) -> Option<String>) -> Option<u64> {
        let own = std::iter::zip(self.own, LIMITS).filter_map(|(limit, (_, size))| {
            let limit = limit?;
            Some(limit.saturating_sub(kibibytes(&read(Path::new("/proc/self/status"))?, size)?))
        });
        let promised = || {
            let text = read(Path::new("/proc/meminfo"))?;
            let promised = kibibytes(&text, "Committed_AS:")?;
            Some(kibibytes(&text, "CommitLimit:")?.saturating_sub(promised))
        };
        own.chain(self.promises.then(promised).flatten()).min()
    }
}

/// Finds the line `name` in `text` and converts its value from kB to bytes.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1 << 10)
}

fn limit_of(read: impl Fn(&Path) -> Option<String>, name: &str) -> Option<u64> {
    let text = read(Path::new("/proc/self/limits"))?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The limits beyond which allocations fail, and the sizes to which they apply.
const LIMITS: [(&str, &str); 2] = [("Max address space", "VmSize:"), ("Max data size", "VmData:")];

const GROUPS: &str = "/sys/fs/cgroup";

/// Converts a line of `/proc/self/cgroup` to the folder of that control group, and the name of the
/// file with its memory limit.
fn group(line: &str) -> Option<(PathBuf, &'static str)> {
    let mut fields = line.splitn(3, ':').skip(1);
    let (controllers, path) = (fields.next()?, fields.next()?);
    let (folder, file) = match controllers {
        "" => (GROUPS.into(), "memory.max"),
        _ if controllers.split(',').any(|name| name == "memory") => {
            (Path::new(GROUPS).join("memory"), "memory.limit_in_bytes")
        }
        _ => return None,
    };
    Some((folder.join(path.trim_start_matches('/')), file))
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn reading(files: &[(&str, &str)]) -> impl Fn(&Path) -> Option<String> {
        |path| {
            let file = files.iter().find(|(name, _)| Path::new(name) == path);
            file.map(|(_, text)| text.to_string())
        }
    }

    fn found(files: &[(&str, &str)]) -> Option<u64> {
        machine(reading(files))
    }

    const MACHINE: (&str, &str) = ("/proc/meminfo", "MemTotal:       1000 kB\nMemFree: 7 kB\n");

    #[test]
    fn the_machine_and_the_process_say_what_they_have() {
        assert_eq!((found(&[]), own_limit(reading(&[]))), (None, None));
        assert_eq!(found(&[MACHINE]), Some(1_024_000));
        let limits = "Limit    Soft Limit   Hard Limit  Units\n\
                      Max data size             unlimited   unlimited  bytes\n\
                      Max address space         300000      unlimited  bytes\n";
        assert_eq!(own_limit(reading(&[("/proc/self/limits", limits)])), Some(300_000));
    }

    #[test]
    fn what_is_left_is_the_least_that_is_left() {
        let left = |files: &[(&str, &str)]| Refusing::found(reading(files)).left(reading(files));
        assert_eq!(left(&[MACHINE]), None);
        let limits = |space, data| {
            format!(
                "Max data size   {data}  unlimited  bytes\nMax address space {space}  {space}\n"
            )
        };
        let sizes = ("/proc/self/status", "Name:\tx\nVmSize:\t     200 kB\nVmData:\t  100 kB\n");
        for (space, data, expected) in [
            ("unlimited", "unlimited", None),
            ("409600", "unlimited", Some(200 << 10)),
            ("409600", "153600", Some(50 << 10)),
            ("102400", "unlimited", Some(0)),
        ] {
            assert_eq!(left(&[("/proc/self/limits", &limits(space, data)), sizes]), expected);
        }
        let memory = ("/proc/meminfo", "CommitLimit:  900 kB\nCommitted_AS:  300 kB\n");
        let rule = |rule| left(&[("/proc/sys/vm/overcommit_memory", rule), memory]);
        assert_eq!((rule("0\n"), rule("2\n")), (None, Some(600 << 10)));
    }

    #[test]
    fn groups_of_the_second_version_and_those_above_count() {
        let of = |group, own, above| {
            found(&[
                MACHINE,
                ("/proc/self/cgroup", group),
                ("/sys/fs/cgroup/a/b/memory.max", own),
                ("/sys/fs/cgroup/a/memory.max", above),
            ])
        };
        assert_eq!(of("0::/a/b\n", "5000\n", "max\n"), Some(5000));
        assert_eq!(of("0::/a/b\n", "max\n", "4000\n"), Some(4000));
        assert_eq!(of("0::/a/b\n", "max\n", "max\n"), Some(1_024_000));
        assert_eq!(of("0::/\n", "5000\n", "4000\n"), Some(1_024_000));
    }

    #[test]
    fn groups_of_the_first_version_count() {
        let of = |group| {
            found(&[
                MACHINE,
                ("/proc/self/cgroup", group),
                ("/sys/fs/cgroup/memory/here/memory.limit_in_bytes", "6000\n"),
                ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ])
        };
        assert_eq!(of("3:cpu:/x\n4:memory:/here\n0::/\n"), Some(6000));
        assert_eq!(of("4:hugetlb,memory:/of/the/host\n"), Some(1_024_000));
        assert_eq!(of("4:cpu,cpuacct:/here\n"), Some(1_024_000));
    }

    #[test]
    fn half_of_what_there_is_is_usual() {
        assert!(usual_memory() >= MIN_MEMORY);
        if let Some(bytes) = machine_memory() {
            assert!(bytes > 1 << 20 && usual_memory() <= bytes);
        }
    }
}
