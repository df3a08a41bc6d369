//! `STENCIL_VERIFY`: what a device, a driver or a reading of the source does wrong is found by the program's own loops.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use libtest_mimic::Trial;

use crate::case::suite;
use crate::command::{Outcome, clean, run, tool};
use crate::compare::check_same_bytes;
use crate::program::{Runtime, Translated, on_device_unoptimised};
use crate::trials_of;

pub fn trials() -> Vec<Trial> {
    trials_of(
        "verify",
        &[
            ("equal_results_are_told", check_equal),
            ("one_array_under_two_names_is_verified", check_one_array),
            ("a_wrong_kernel_is_found", check_wrong_kernel),
            ("a_misread_source_is_found", check_misread_source),
            ("results_in_the_wrong_buffer_are_found", check_wrong_slot),
            ("elements_that_the_device_forgets_are_found", check_forgotten_elements),
            ("a_wrong_pointer_is_found", check_wrong_pointer),
            ("folded_scalars_are_verified", check_folds),
            ("a_wrong_fold_is_found", check_wrong_fold),
            ("wrong_values_of_points_are_found", check_wrong_points),
            ("steps_with_host_code_within_are_verified", check_legs),
            ("a_wrong_kernel_of_a_leg_is_found", check_wrong_leg),
            ("a_wrong_loop_variable_is_found", check_wrong_loop_variable),
            ("wrong_steps_are_found_where_the_device_has_no_work", check_no_work),
            ("a_difference_ends_a_strict_program", check_strict),
            ("contracted_loops_differ_in_their_last_bits", check_contracted_loops),
            ("the_wrapper_allows_what_the_compiler_may_do", check_wrapper),
            ("strict_numbers_are_not_those_of_contracted_loops", check_strict_wrapper),
            ("without_original_loops_nothing_is_verified", check_no_loops),
            ("without_a_device_the_loops_run_once", check_no_device),
            ("threads_verify_their_own_results", check_threads),
            ("optimised_programs_call_again_from_the_same_frame", check_optimised),
        ],
    )
}

const VERIFY: (&str, &str) = ("STENCIL_VERIFY", "1");

fn left_variables() -> Result<Translated> {
    Translated::new("programs/left_variables.c", &[])
}

/// Builds and runs the program, which must print what the original prints.
fn run_right(bench: &Translated, environment: &[(&str, &str)]) -> Result<Outcome> {
    let outcome = run(on_device_unoptimised(&bench.build()?).envs(environment.iter().copied()))?.succeeded()?;
    check_same_bytes("stdout", &bench.expected, &outcome.stdout)?;
    Ok(outcome)
}

/// Replaces text of a file; fails if there was none of `from`.
fn damage(file: &Path, from: &str, to: &str) -> Result<()> {
    let text = fs::read_to_string(file)?;
    ensure!(text.contains(from), "{} has no {from:?}", file.display());
    Ok(fs::write(file, text.replace(from, to))?)
}

/// With a damaged driver the program's own results must win, and `fault` must be told.
fn check_damaged_driver(from: &str, to: &str, fault: &str) -> Result<()> {
    let bench = left_variables()?;
    damage(&bench.files.driver(), from, to)?;
    let outcome = run_right(&bench, &[VERIFY])?;
    outcome.check_says(fault)?;
    outcome.check_says("keeping the results of the original loops")
}

fn check_equal() -> Result<()> {
    let outcome = run_right(&left_variables()?, &[VERIFY, ("STENCIL_STRICT", "1")])?;
    ensure!(outcome.count_lines_with("differs") == 0, "no difference expected\n{}", outcome.describe());
    outcome.check_says("elements identical, 4 variables as well; not compared, as nothing reads them later: left")
}

/// What the nest stores through one name is no difference in the array of the other name; what a kernel does wrong is.
fn check_one_array() -> Result<()> {
    let bench = Translated::new("accept/one_array_in_place.c", &[])?;
    let outcome = run_right(&bench, &[VERIFY, ("STENCIL_STRICT", "1")])?;
    ensure!(outcome.count_lines_with("elements identical") == 5, "five nests expected\n{}", outcome.describe());
    bench.damage_kernels(&["0.125", "0x1p-3"], "0.375")?;
    run_right(&bench, &[VERIFY])?.check_says("verify: array o differs at [")
}

fn check_wrong_kernel() -> Result<()> {
    let bench = left_variables()?;
    bench.damage_kernels(&["0.3", "0.29999999999999999", "0x1.3333333333333p-2"], "0.7")?;
    run_right(&bench, &[VERIFY])?.check_says("verify: array a differs at [")
}

/// The loops are the user's: to the driver it is the same whether they were changed later or misread before.
fn check_misread_source() -> Result<()> {
    let bench = left_variables()?;
    damage(&bench.files.host(), "0.7 * a[i]", "0.7 * a[i + 1]")?;
    let outcome = run(on_device_unoptimised(&bench.build()?).envs([VERIFY]))?.succeeded()?;
    outcome.check_says("verify: array a differs at [")?;
    outcome.check_says("keeping the results of the original loops")
}

fn check_wrong_slot() -> Result<()> {
    let assigned = "results[0] = (stencil_result){ ";
    check_damaged_driver(assigned, &format!("{assigned}.array = 1, "), "verify: array ")
}

fn check_forgotten_elements() -> Result<()> {
    check_damaged_driver("geometry->result[0].hi[0] = n - 2;", "geometry->result[0].hi[0] = n - 3;", "differs at [55]")
}

fn check_wrong_pointer() -> Result<()> {
    let (from, to) = ("turn[(count_t - 1) % 2]", "turn[count_t % 2]");
    check_damaged_driver(from, to, "verify: variable a differs: device 0x")
}

fn check_wrong_loop_variable() -> Result<()> {
    let fault = "verify: variable i differs: device 0x00000039 (57), original 0x00000038 (56)";
    check_damaged_driver("const int left_0 = (int)i;", "const int left_0 = 1 + (int)i;", fault)
}

/// Each step is compared, but those that the host leaves or within which it changes arrays.
fn check_legs() -> Result<()> {
    for (case, count, left) in [("kept_legs", 41, 0), ("kept_legs_clock", 41, 0), ("kept_legs_swap", 37, 4)] {
        let bench = Translated::new(&format!("accept/{case}.c"), &[])?;
        let outcome = run_right(&bench, &[VERIFY, ("STENCIL_STRICT", "1")])?;
        let told = (outcome.count_lines_with("elements identical"), outcome.count_lines_with("not verified"));
        ensure!(told == (count, left), "{case}: {told:?} steps are verified and not\n{}", outcome.describe());
    }
    Ok(())
}

fn check_wrong_leg() -> Result<()> {
    let bench = Translated::new("accept/kept_legs_clock.c", &[])?;
    bench.damage_kernels(&["0.5", "0x1p-1"], "0.75")?;
    run_right(&bench, &[VERIFY])?.check_says("verify: array h differs at [")
}

fn check_folds() -> Result<()> {
    for (case, variables, count) in [("folded_once", "2 variables", 8), ("folded_heads", "1 variable", 80)] {
        let bench = Translated::new(&format!("accept/{case}.c"), &[])?;
        let outcome = run_right(&bench, &[VERIFY, ("STENCIL_STRICT", "1")])?;
        let told = outcome.count_lines_with(&format!("elements identical, {variables} as well"));
        ensure!(told == count, "{case}: {told} steps are verified\n{}", outcome.describe());
    }
    Ok(())
}

/// What the driver makes of the right values.
fn check_wrong_fold() -> Result<()> {
    let bench = Translated::new("accept/folded_once.c", &[])?;
    damage(&bench.files.driver(), "> held0;", "< held0;")?;
    let outcome = run_right(&bench, &[VERIFY])?;
    outcome.check_says("verify: variable most differs: device 0x")?;
    outcome.check_says(", original 0x")?;
    outcome.check_says("keeping the results of the original loops")
}

/// Values that the device gives the driver to fold; all arrays are right.
fn check_wrong_points() -> Result<()> {
    let bench = Translated::new("accept/kept_convergence.c", &[])?;
    bench.damage_kernels(&[" fabs("], " 2.0 * fabs(")?;
    let outcome = run_right(&bench, &[VERIFY])?;
    outcome.check_says("verify: variable change differs: device 0x")?;
    ensure!(outcome.count_lines_with("verify: array") == 0, "arrays differ\n{}", outcome.describe());
    let outcome =
        run(on_device_unoptimised(&bench.build()?).envs([VERIFY, ("STENCIL_STRICT", "1")]))?.exited_with(1)?;
    outcome.check_says("verify: variable change differs")
}

fn check_no_work() -> Result<()> {
    let bench = left_variables()?;
    damage(&bench.files.driver(), "stencil_iterations(0LL, (long long)scalars.steps, 1, 0)", "0")?;
    run_right(&bench, &[VERIFY])?.check_says("verify: variable a differs: device 0x")
}

fn check_strict() -> Result<()> {
    let bench = left_variables()?;
    bench.damage_kernels(&["0.3", "0.29999999999999999", "0x1.3333333333333p-2"], "0.7")?;
    let outcome =
        run(on_device_unoptimised(&bench.build()?).envs([VERIFY, ("STENCIL_STRICT", "1")]))?.exited_with(1)?;
    outcome.check_says("verify: array a differs at [")
}

/// Flags for a machine that can fuse `a * b + c`; none where this one cannot run them.
fn fusing_flags() -> Vec<&'static str> {
    let can_fuse = fs::read_to_string("/proc/cpuinfo").is_ok_and(|text| text.split_whitespace().any(|it| it == "fma"));
    if can_fuse { vec!["-O3", "-march=native", "-mfma"] } else { vec!["-O3"] }
}

/// Where the loops' file alone is compiled with contraction, which the driver cannot know.
fn check_contracted_loops() -> Result<()> {
    let bench = left_variables()?;
    let executable = bench.folder.path().join("program");
    let mut gcc = clean("gcc", bench.folder.path());
    gcc.args(fusing_flags()).args(&bench.program.flags).args([bench.files.host(), bench.files.driver()]);
    run(gcc.arg("-o").arg(&executable).args(["-lOpenCL", "-lm"]))?.succeeded()?;
    let outcome = run(on_device_unoptimised(&executable).envs([VERIFY]))?.succeeded()?;
    if fusing_flags().len() > 1 {
        outcome.check_says("ulps (")?;
        outcome.check_says("compile the loops with -ffp-contract=off, or allow so much with STENCIL_VERIFY=1e-12")?;
    }
    let allowed = [("STENCIL_VERIFY", "1e-12"), ("STENCIL_STRICT", "1")];
    run(on_device_unoptimised(&executable).envs(allowed))?.succeeded()?.check_says("verified: ")
}

/// Builds `left_variables.c` with gcc behind the wrapper, and alone; gives both results of a verified run.
fn run_wrapped(flags: &[&str], wrapper: &[&str], environment: &[(&str, &str)]) -> Result<(Outcome, Vec<u8>)> {
    let folder = tempfile::tempdir()?;
    let include = format!("-I{}", suite("accept/include").display());
    let source = suite("programs/left_variables.c");
    let mut gcc = clean("gcc", folder.path());
    run(gcc.args(flags).arg(&include).arg(&source).args(["-o", "plain", "-lm"]))?.succeeded()?;
    let plain = run(&mut clean(folder.path().join("plain"), folder.path()))?.succeeded()?.stdout;
    let mut command = tool(folder.path());
    command.arg("cc").args(wrapper).arg("gcc").args(flags).arg(&include);
    run(command.arg(&source).args(["-o", "program", "-lm"]))?.succeeded()?;
    let outcome = run(on_device_unoptimised(&folder.path().join("program")).envs(environment.iter().copied()))?;
    Ok((outcome, plain))
}

/// Whatever the user's compiler makes of the loops, they are its loops, and the device stays within the mode's tolerance.
fn check_wrapper() -> Result<()> {
    for contraction in ["-ffp-contract=fast", "-ffp-contract=off"] {
        let flags = [fusing_flags(), vec![contraction]].concat();
        let (outcome, plain) = run_wrapped(&flags, &[], &[VERIFY, ("STENCIL_STRICT", "1")])?;
        let outcome = outcome.succeeded()?;
        check_same_bytes("stdout", &plain, &outcome.stdout)?;
        let is_exact = contraction == "-ffp-contract=off";
        outcome.check_says(if is_exact { "elements identical, 4 variables" } else { "verified: " })?;
    }
    Ok(())
}

fn check_strict_wrapper() -> Result<()> {
    let flags = [fusing_flags(), vec!["-ffp-contract=fast"]].concat();
    let (outcome, plain) = run_wrapped(&flags, &["--fp", "strict"], &[VERIFY])?;
    let outcome = outcome.succeeded()?;
    check_same_bytes("stdout", &plain, &outcome.stdout)?;
    if fusing_flags().len() > 1 {
        outcome.check_says("verify: array a differs at [")?;
    }
    Ok(())
}

fn check_no_loops() -> Result<()> {
    let bench = Translated::new("programs/left_variables.c", &["--no-fallback"])?;
    run_right(&bench, &[VERIFY])?.check_says("not verified: the program has no original loops")
}

fn check_no_device() -> Result<()> {
    let outcome = run_right(&left_variables()?, &[VERIFY, ("STENCIL_DEVICE", "none")])?;
    ensure!(outcome.count_lines_with("verif") == 0, "there is nothing to verify\n{}", outcome.describe());
    outcome.check_says("running the original loops")
}

fn check_threads() -> Result<()> {
    let mut bench = Translated::new("programs/threads.c", &[])?;
    bench.program.cflags = vec!["-fopenmp".into(), "-pthread".into()];
    let outcome = run_right(&bench, &[VERIFY, ("STENCIL_STRICT", "1")])?;
    let count = outcome.count_lines_with("elements identical");
    ensure!(count == 2 * 2 * 24 * 8, "{count} regions are verified\n{}", outcome.describe());
    Ok(())
}

/// However compilers duplicate, move or inline around the call, the second one is known for what it is. They see the runtime,
/// which takes long, where they optimise all at once.
fn check_optimised() -> Result<()> {
    let bench = Translated::new("programs/two_regions.c", &[])?;
    let (apart, _) = bench.program.rewrite_with(Runtime::Apart, &[], &bench.folder.path().join("apart"))?;
    let runtime = apart.runtime_object("clang", &["-O0"])?;
    let executable = bench.folder.path().join("program");
    for compiler in ["gcc", "clang"] {
        for flags in
            ["-O0", "-O1", "-Os -fomit-frame-pointer", "-O3 -funroll-loops -fno-omit-frame-pointer", "-O2 -flto"]
        {
            let mut command = clean(compiler, bench.folder.path());
            command.args(flags.split(' ')).args(["-w", "-ffp-contract=off"]).args(&bench.program.flags);
            if flags.contains("-flto") {
                command.args([bench.files.host(), bench.files.driver()]);
            } else {
                command.args([apart.host(), apart.driver()]).args(&runtime);
            }
            command.arg("-o").arg(&executable);
            run(command.args(["-lOpenCL", "-lm"]))?.succeeded()?;
            let outcome = run(on_device_unoptimised(&executable).env("STENCIL_DEVICE", "none"))?.succeeded()?;
            check_same_bytes(flags, &bench.expected, &outcome.stdout)?;
        }
    }
    Ok(())
}
