//! Where a run takes place.

/// How many threads run at once.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// How many threads wanted to run during the last minute, where the system tells.
pub(crate) fn load() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split(' ').next()?.parse().ok()
}

/// The machine in one line, with a warning where others keep it busy.
pub(crate) fn describe() -> String {
    let cores = cores();
    let Some(load) = load() else { return format!("{cores} cores") };
    let half = u32::try_from(cores).map_or(1.0, f64::from) / 2.0;
    let busy = if load > half { ": others are at work, trust the ratios only" } else { "" };
    format!("{cores} cores, load {load:.2} before the run{busy}")
}
