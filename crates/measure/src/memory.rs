//! The memory of this process, on systems that report it in a file.

/// Returns the resident memory of this process in bytes, if the system reports it.
pub fn resident_bytes() -> Option<u64> {
    status("VmRSS:")
}

/// Returns the peak of this process's resident memory in bytes, if the system reports it.
pub fn peak_bytes() -> Option<u64> {
    status("VmHWM:")
}

fn status(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_written_becomes_resident() {
        const SIZE: u64 = 64 << 20;
        let before = resident_bytes().unwrap();
        let written = vec![1u8; SIZE as usize];
        let (after, peak) = (resident_bytes().unwrap(), peak_bytes().unwrap());
        assert!(std::hint::black_box(&written).iter().all(|&byte| byte == 1));
        assert!(after >= before + SIZE / 2, "{before} {after}");
        // Other tests may have used more memory before; the system counts in batches.
        assert!(peak >= before + SIZE / 2, "{before} {peak}");
        drop(written);
        assert!(peak_bytes().unwrap() >= before + SIZE / 2);
    }
}
