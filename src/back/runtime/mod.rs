//! The C runtime that every driver starts with; see the README beside this file.

/// The files in the order in which they form one translation unit.
const FILES: &[&str] = &[
    include_str!("platform.c"),
    include_str!("types.c"),
    include_str!("checked.c"),
    include_str!("state.c"),
    include_str!("messages.c"),
    include_str!("threads.c"),
    include_str!("device.c"),
    include_str!("work.c"),
    include_str!("ranges.c"),
    include_str!("checks.c"),
    include_str!("layout.c"),
    include_str!("sha256.c"),
    include_str!("cache_folder.c"),
    include_str!("cache_file.c"),
    include_str!("cache_prune.c"),
    include_str!("cache.c"),
    include_str!("options.c"),
    include_str!("program.c"),
    include_str!("schedule.c"),
    include_str!("transfer.c"),
    include_str!("memory.c"),
    include_str!("launch.c"),
    include_str!("poison.c"),
    include_str!("compare.c"),
    include_str!("verify.c"),
    include_str!("verdict.c"),
    include_str!("started.c"),
    include_str!("cost.c"),
    include_str!("account.c"),
    include_str!("run.c"),
    include_str!("region.c"),
];

/// The runtime as C text.
pub fn text() -> String {
    FILES.join("\n")
}
