//! What a process does, seen from outside: its sockets, the files that it may write, and how often
//! its solver threads were woken.
#![expect(clippy::unwrap_used, reason = "a test ends where its setting fails")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// The descriptors of a process with what they lead to.
fn descriptors(process: u32) -> Vec<(String, PathBuf)> {
    let folder = fs::read_dir(format!("/proc/{process}/fd")).unwrap();
    let found = folder.filter_map(|entry| {
        let path = entry.unwrap().path();
        // One that was closed meanwhile is none.
        let target = fs::read_link(&path).ok()?;
        Some((path.file_name()?.to_str()?.to_owned(), target))
    });
    found.collect()
}

/// The sockets of the process towards a network, but for those of the port that it serves.
pub(crate) fn sockets(process: u32, served: Option<u16>) -> Vec<String> {
    let inodes = descriptors(process).into_iter().filter_map(|(_, target)| {
        let target = target.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?;
        Some(target.to_owned())
    });
    let inodes: BTreeSet<String> = inodes.collect();
    let mut found = Vec::new();
    for table in ["tcp", "tcp6", "udp", "udp6", "raw", "raw6"] {
        let rows = fs::read_to_string(format!("/proc/{process}/net/{table}")).unwrap_or_default();
        for row in rows.lines().skip(1) {
            let cells: Vec<&str> = row.split_whitespace().collect();
            let [local, inode] = [1, 9].map(|it| cells.get(it).copied().unwrap_or_default());
            let port = local.rsplit_once(':').and_then(|it| u16::from_str_radix(it.1, 16).ok());
            if inodes.contains(inode) && (served.is_none() || port != served) {
                found.push(format!("{table}: {row}"));
            }
        }
    }
    found
}

/// The files outside `folder` that the process has open for writing.
pub(crate) fn written(process: u32, folder: &Path) -> Vec<PathBuf> {
    let writable = |descriptor: &str| {
        let path = format!("/proc/{process}/fdinfo/{descriptor}");
        let text = fs::read_to_string(path).unwrap_or_default();
        let flags = text.lines().find_map(|it| it.strip_prefix("flags:"));
        flags.is_some_and(|it| !it.trim().ends_with('0'))
    };
    let inside = |it: &Path| it.starts_with(folder) || it == Path::new("/dev/null");
    let opened = descriptors(process).into_iter().filter(|(descriptor, target)| {
        target.is_absolute() && !inside(target) && writable(descriptor)
    });
    opened.map(|it| it.1).collect()
}

/// Waits until no solver thread has anything left to do.
pub(crate) fn idle(process: u32) {
    let busy = || {
        let mut tasks = fs::read_dir(format!("/proc/{process}/task")).unwrap();
        tasks.any(|task| {
            let task = task.unwrap().path();
            let read = |name: &str| fs::read_to_string(task.join(name)).unwrap_or_default();
            read("comm").starts_with("solver-") && !read("status").contains("State:\tS")
        })
    };
    for _ in 0..10_000 {
        if !busy() {
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// How often the threads that translate, and those that solve, have run and slept so far.
pub(crate) fn solver(process: u32) -> [u64; 2] {
    let mut counts = [0; 2];
    for task in fs::read_dir(format!("/proc/{process}/task")).unwrap() {
        let task = task.unwrap().path();
        let read = |name: &str| fs::read_to_string(task.join(name)).unwrap_or_default();
        let number = |it: Option<&str>| it.and_then(|it| it.trim().parse().ok()).unwrap_or(0);
        // The first moves when a thread begins to run, so it has moved before an answer is there;
        // the second is for kernels that do not count the first.
        let runs: u64 = number(read("schedstat").split_whitespace().nth(2));
        let status = read("status");
        let slept = status.lines().find_map(|it| it.strip_prefix("voluntary_ctxt_switches:"));
        let slept: u64 = number(slept);
        let [translating, solving] = &mut counts;
        match read("comm").trim() {
            "solver-verify" => *translating += runs + slept,
            it if it.starts_with("solver-") => *solving += runs + slept,
            _ => {}
        }
    }
    counts
}

/// Every file below `folder`, by its path from there.
pub(crate) fn files(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|it| format!("{name}/{it}")));
        } else {
            found.insert(name.to_owned());
        }
    }
    found
}
