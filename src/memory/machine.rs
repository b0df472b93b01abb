//! How much memory there is for this process.
//!
//! The standard library knows how many processors a process may use and says nothing
//! of memory. On Linux the kernel tells it in a few small files, which are read here:
//! what the machine has, and what the process's control groups leave of it (both
//! versions of them: containers and services are such groups). Whoever goes beyond
//! these is ended by the system. The process's own limits (`ulimit -v`, `ulimit -d`) are
//! of another kind: beyond them memory is refused, which a search can live with. Other
//! systems are not asked.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The least memory of a search, in bytes.
pub(crate) const MIN_MEMORY: u64 = 16 << 10;

/// Bytes of memory that there are for this process: the machine's, or less where a
/// control group has less, as that of a container may. Swap is not counted, because a
/// search looks at its memory at random. `None` where it is unknown, as everywhere but on
/// Linux. Looked up once.
///
/// [`Config::memory`](crate::Config::memory) is half of it by default.
pub fn machine_memory() -> Option<u64> {
    static KNOWN: OnceLock<Option<u64>> = OnceLock::new();
    *KNOWN.get_or_init(|| machine(read))
}

/// The memory that a search takes when it is told nothing: half of what there is, or a
/// quarter of what the process may ask for, where code, stacks and the allocator's stock
/// count too; and 4 GiB where both are unknown.
pub(crate) fn usual_memory() -> u64 {
    static KNOWN: OnceLock<u64> = OnceLock::new();
    *KNOWN.get_or_init(|| {
        let half = machine_memory().map(|bytes| bytes / 2);
        let share = half.into_iter().chain(own_limit(read).map(|bytes| bytes / 4)).min();
        share.map_or(4 << 30, |bytes| bytes.max(MIN_MEMORY))
    })
}

/// The text of a file of the kernel.
fn read(path: &Path) -> Option<String> {
    let is_asked = cfg!(all(target_os = "linux", not(miri)));
    is_asked.then(|| std::fs::read_to_string(path).ok()).flatten()
}

/// What the machine has, or less where a control group says so.
fn machine(read: impl Fn(&Path) -> Option<String>) -> Option<u64> {
    let installed = || kibibytes(&read(Path::new("/proc/meminfo"))?, "MemTotal:");
    let groups = read(Path::new("/proc/self/cgroup")).unwrap_or_default();
    // A group has no more than those that it is part of. In a container the group's path
    // may be that of the host, where only the last of these is there: its own root.
    let groups = groups.lines().filter_map(group).filter_map(|(group, file)| {
        let limit = |group: &Path| read(&group.join(file))?.trim().parse::<u64>().ok();
        group.ancestors().take_while(|group| group.starts_with(GROUPS)).filter_map(limit).min()
    });
    installed().into_iter().chain(groups).min()
}

/// What the process itself may ask for.
fn own_limit(read: impl Fn(&Path) -> Option<String>) -> Option<u64> {
    LIMITS.into_iter().filter_map(|(limit, _)| limit_of(&read, limit)).min()
}

/// What the system would still give to this process if it were asked now. `None` where
/// there is no limit, or none that is known: there memory is given out as long as there are
/// addresses, and [`machine_memory`] is the limit to keep.
pub(crate) fn memory_left() -> Option<u64> {
    static KNOWN: OnceLock<Refusing> = OnceLock::new();
    KNOWN.get_or_init(|| Refusing::found(read)).left(read)
}

/// By which limits the system refuses memory. Looked up once: where there are none, nothing
/// is read any more, nor allocated to read it.
#[derive(Debug)]
struct Refusing {
    /// The process's own limits, in the order of [`LIMITS`].
    own: [Option<u64>; 2],
    /// The system promises no more than it has, which is a limit for all processes.
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

/// The bytes that a line of a file of the kernel names in kB.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1 << 10)
}

/// One of this process's own limits, in bytes.
fn limit_of(read: impl Fn(&Path) -> Option<String>, name: &str) -> Option<u64> {
    let text = read(Path::new("/proc/self/limits"))?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The limits beyond which memory is refused, and the sizes that they limit.
const LIMITS: [(&str, &str); 2] = [("Max address space", "VmSize:"), ("Max data size", "VmData:")];

/// Where control groups are found.
const GROUPS: &str = "/sys/fs/cgroup";

/// The folder of a group of this process in which memory may be limited, and the name of
/// the file there; `line` is one of `/proc/self/cgroup`.
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

    /// Reads these files alone.
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
