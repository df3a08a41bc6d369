//! Arbitrary words as command lines of the tool and of its compiler wrapper; nothing is run.

#![no_main]

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use libfuzzer_sys::fuzz_target;
use stencil_rewrite::cli::{self, Command, CommandLine, Task};
use stencil_rewrite_fuzz::enter_empty_folder;

fuzz_target!(init: enter_empty_folder(), |data: &[u8]| {
    // A response file may be any file of this machine.
    if data.contains(&b'@') {
        return;
    }
    let words = data.split(|byte| *byte == b'\n').map(|word| OsString::from_vec(word.to_vec()));
    let Ok(arguments) = cli::parse(std::iter::once("stencil-rewrite".into()).chain(words)) else { return };
    match arguments.command {
        Some(Command::Cc(wrapper)) => drop(CommandLine::parse(&wrapper.compiler)),
        Some(Command::Devices(_) | Command::Tune(_)) => {}
        None => drop(Task::new(arguments.rewrite, None)),
    }
});
