//! The command line tool.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Of isl, too, which allocates most of what there is.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    stencil_rewrite::cli::run(std::env::args_os()).into()
}
