//! Arbitrary bytes as a C file: parsed, analysed, tiled, written, compared; with the flags that its first line gives.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use stencil_rewrite_fuzz::{Case, enter_empty_folder, mutate, translate};

fuzz_target!(init: enter_empty_folder(), |data: &[u8]| {
    translate(&Case::read(data));
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate(data, size, max_size, seed, libfuzzer_sys::fuzzer_mutate)
});
