//! The command line tool.

use std::process::ExitCode;

fn main() -> ExitCode {
    stencil_rewrite::cli::run(std::env::args_os()).into()
}
