//! The C tests of the runtime that every driver starts with.

use anyhow::Result;
use libtest_mimic::Trial;

use crate::case::project;
use crate::command::{clean, run};
use crate::program::leave_unoptimised;
use crate::trials_of;

pub fn trials() -> Vec<Trial> {
    trials_of("runtime", &[("c_tests", check_c_tests)])
}

/// What fails is told on stdout, which the message shows. Nothing here asks for speed, and each file has all of the runtime.
fn check_c_tests() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let script = project().join("src/back/runtime/test/run");
    let mut tests = clean(script, folder.path());
    leave_unoptimised(tests.arg(folder.path()).envs([("CC", "clang"), ("CFLAGS", "-O0")]));
    run(&mut tests)?.succeeded()?;
    Ok(())
}
