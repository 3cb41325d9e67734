//! Figures of this process and of the machine, such as free memory, if the system reports them.
//!
//! This is the only module of the workspace that reads `/proc` and `/sys`.

use std::fs::read_to_string;

/// Returns the resident memory of the process in bytes.
pub fn resident_bytes() -> Option<u64> {
    Some(memory_stats::memory_stats()?.physical_mem as u64)
}

/// Returns the peak resident memory of the process in bytes. Available only on Linux.
pub fn peak_bytes() -> Option<u64> {
    kilobytes(&status()?, "VmHWM:")
}

/// Returns whether the process ignores hangups (nohup), so that it continues after its terminal is closed.
/// Always false except on Linux.
pub fn ignores_hangup() -> bool {
    const HANGUP: u64 = 1;
    let mask = || u64::from_str_radix(field(&status()?, "SigIgn:")?, 16).ok();
    mask().is_some_and(|mask| mask & HANGUP != 0)
}

/// Returns the free memory in bytes: that of the machine, of the control group of the process, or of its
/// address space, whichever is smallest. Available only on Linux.
pub fn free_bytes() -> Option<u64> {
    let machine = kilobytes(&read_to_string("/proc/meminfo").ok()?, "MemAvailable:")?;
    let group = |name: &str| -> Option<u64> {
        let text = read_to_string(format!("/sys/fs/cgroup/memory.{name}")).ok()?;
        text.trim().parse().ok()
    };
    let address_space = || -> Option<(u64, u64)> {
        let limits = read_to_string("/proc/self/limits").ok()?;
        let limit = field(&limits, "Max address space")?;
        let max_bytes = limit.split_whitespace().next()?.parse().ok()?;
        let used = memory_stats::memory_stats()?.virtual_mem as u64;
        Some((max_bytes, used))
    };
    let remaining = |limit: Option<(u64, u64)>| {
        limit.map_or(u64::MAX, |(max_bytes, used)| max_bytes.saturating_sub(used))
    };
    let group = group("max").zip(group("current"));
    Some(
        machine
            .min(remaining(group))
            .min(remaining(address_space())),
    )
}

fn status() -> Option<String> {
    read_to_string("/proc/self/status").ok()
}

/// Returns the text after the name of a line, trimmed.
fn field<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(rest.trim())
}

/// Returns the number of bytes in a line such as `VmSize:  1234 kB`.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let number = field(text, name)?.strip_suffix("kB")?.trim();
    number.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_figures_follow_an_allocation() {
        const BYTES: usize = 64 << 20;
        let before = resident_bytes().expect("reported");
        let block = std::hint::black_box(vec![1_u8; BYTES]);
        let after = resident_bytes().expect("reported");
        assert!(after >= before + BYTES as u64 / 2, "{before} {after}");
        assert!(peak_bytes().expect("reported") >= before + BYTES as u64 / 2);
        assert!(free_bytes().expect("reported") > 0);
        drop(block);
    }

    #[test]
    fn lines_of_a_status_are_read() {
        let text = "VmHWM:\t  1234 kB\nSigIgn:\t0000000000000001\n";
        assert_eq!(kilobytes(text, "VmHWM:"), Some(1234 << 10));
        assert_eq!(field(text, "SigIgn:"), Some("0000000000000001"));
        assert_eq!(kilobytes(text, "VmRSS:"), None);
    }
}
