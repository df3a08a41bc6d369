//! Tuning files: which plan a rewritten program takes, and what wins over them.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use tempfile::TempDir;

use crate::case::suite;
use crate::command::{Outcome, clean, run, tool, with_quick_gcc};
use crate::compare::check_same_bytes;
use crate::examples::root;
use crate::program::{leave_unoptimised, on_device_unoptimised};
use crate::trials_of;

pub fn trials() -> Vec<Trial> {
    trials_of(
        "tuning",
        &[
            ("a_file_beside_the_source_is_used", check_beside),
            ("a_file_may_be_named_or_ignored", check_flags),
            ("flags_and_clauses_win", check_precedence),
            ("the_device_chooses", check_devices),
            ("a_measured_device_has_plans_of_its_own", check_measured),
            ("the_model_expects_what_was_measured", check_expected),
            ("the_nearest_size_is_taken", check_sizes),
            ("plans_of_another_mode_are_left_out", check_modes),
            ("a_plan_that_does_not_fit_makes_way", check_unfit),
            ("a_plan_for_no_nest_is_a_warning", check_unused),
            ("dependencies_name_the_file", check_dependencies),
            ("the_compiler_wrapper_uses_it", check_wrapper),
            ("a_search_goes_on_where_it_stopped", check_search),
            ("a_search_begins_with_the_plan_of_a_measured_device", check_search_on_measured),
            ("a_search_keeps_the_plan_of_the_file", check_search_keeps),
            ("a_search_needs_sizes", check_search_sizes),
            ("a_search_computes_sizes", check_computed_sizes),
            ("a_search_tells_when_its_numbers_are_lost", check_lost_numbers),
        ],
    )
}

/// Plans that the device under test, a CPU, takes: of the first nest alone.
const FOUR_STEPS: &str = "[[plan]]\nnest = 'two_regions_stencil_1'\ndevice = 'cpu'\nstrategy = 'local'\n\
                          time_tile = 4\ntile = [32]\nwork_group = [8]\n";

/// A folder with the program `two_regions.c` and a tuning file.
struct Bench {
    folder: TempDir,
    /// What the original prints.
    expected: Vec<u8>,
}

impl Bench {
    fn new(tuning: &str) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        fs::copy(suite("programs/two_regions.c"), folder.path().join("two_regions.c"))?;
        fs::copy(suite("accept/include/dump.h"), folder.path().join("dump.h"))?;
        fs::write(folder.path().join("two_regions.stencil.toml"), tuning)?;
        let mut bench = Self { folder, expected: Vec::new() };
        bench.expected = bench.build_and_run(&["two_regions.c"], &[])?.stdout;
        Ok(bench)
    }

    fn build_and_run(&self, sources: &[&str], arguments: &[&str]) -> Result<Outcome> {
        let executable = self.folder.path().join("program");
        let mut gcc = clean("gcc", self.folder.path());
        gcc.args(["-O0", "-ffp-contract=off"]).args(sources).arg("-o").arg(&executable);
        run(gcc.args(["-lOpenCL", "-lm"]))?.succeeded()?;
        self.run_program(arguments)
    }

    fn run_program(&self, arguments: &[&str]) -> Result<Outcome> {
        let mut program = on_device_unoptimised(&self.folder.path().join("program"));
        run(program.args(arguments).env("STENCIL_STRICT", "1").env("STENCIL_VERBOSE", "1"))?.succeeded()
    }

    /// Rewrites and runs; what the rewritten program says.
    fn rewritten(&self, options: &[&str]) -> Result<Outcome> {
        run(tool(self.folder.path()).args(options).arg("two_regions.c"))?.succeeded()?;
        let outcome = self.build_and_run(&["two_regions.ocl.c", "two_regions.stencil.c"], &[])?;
        check_same_bytes("stdout", &self.expected, &outcome.stdout)?;
        Ok(outcome)
    }
}

/// The line about the first call of a nest, e.g. `plan cpu, 7 steps in 2 launches`.
fn plan_line(outcome: &Outcome, nest: usize) -> Result<String> {
    let name = format!("two_regions_stencil_{nest}: ");
    let line = outcome.stderr.lines().find_map(|line| line.split_once(&name)).context(outcome.describe())?.1;
    Ok(line.split(", kernels").next().unwrap_or_default().to_owned())
}

fn check_plan(outcome: &Outcome, nest: usize, expected: &str) -> Result<()> {
    let line = plan_line(outcome, nest)?;
    ensure!(line.starts_with(expected), "`{expected}` expected, not `{line}`");
    Ok(())
}

/// Seven steps: a launch of four, one of two, and one of one.
fn check_beside() -> Result<()> {
    let outcome = Bench::new(FOUR_STEPS)?.rewritten(&[])?;
    check_plan(&outcome, 1, "plan tuned_1, 7 steps in 3 launches")?;
    check_plan(&outcome, 2, "plan cpu, ")
}

fn check_flags() -> Result<()> {
    let bench = Bench::new("[[plan")?;
    check_plan(&bench.rewritten(&["--no-tuning"])?, 1, "plan cpu, ")?;
    fs::write(bench.folder.path().join("other.toml"), FOUR_STEPS)?;
    check_plan(&bench.rewritten(&["--tuning", "other.toml"])?, 1, "plan tuned_1, ")?;
    let missing = run(tool(bench.folder.path()).args(["--tuning", "missing.toml", "two_regions.c"]))?;
    missing.exited_with(1)?.check_says("cannot read missing.toml")?;
    let both = run(tool(bench.folder.path()).args(["--tuning", "other.toml", "--no-tuning", "two_regions.c"]))?;
    both.exited_with(2)?;
    Ok(())
}

fn check_precedence() -> Result<()> {
    let bench = Bench::new(FOUR_STEPS)?;
    check_plan(&bench.rewritten(&["--time-tile", "2"])?, 1, "plan tuned_1, 7 steps in 4 launches")?;
    let source = bench.folder.path().join("two_regions.c");
    let text = fs::read_to_string(&source)?;
    fs::write(&source, text.replacen("#pragma stencil", "#pragma stencil time_tile(3)", 1))?;
    check_plan(&bench.rewritten(&[])?, 1, "plan tuned_1, 7 steps in 3 launches")?;
    check_plan(&bench.rewritten(&["--time-tile", "7"])?, 1, "plan tuned_1, 7 steps in 1 launches")
}

/// A part of a name wins over a kind, wherever they stand; devices of other names do not count.
fn check_devices() -> Result<()> {
    let device = |device: &str| FOUR_STEPS.replace("cpu", device);
    let plans = [device("H200"), device("cpu"), device("gpu"), device("PTHREAD"), device("pthread-")].concat();
    let bench = Bench::new(&plans)?;
    let outcome = bench.rewritten(&[])?;
    check_plan(&outcome, 1, "plan tuned_4 for PTHREAD, ")?;
    let program = bench.folder.path().join("program");
    for name in ["tuned_1", "tuned_2", "tuned_3", "gpu"] {
        let mut command = on_device_unoptimised(&program);
        let outcome = run(command.env("STENCIL_PLAN", name).env("STENCIL_STRICT", "1").env("STENCIL_VERBOSE", "1"))?;
        // The second nest has no plans but the model's.
        ensure!(outcome.stderr.contains(&format!("plan {name}")), "{}", outcome.describe());
    }
    Ok(())
}

/// The device under test, with so many 10^9 bytes a second.
fn measured_device(memory: f64) -> String {
    format!(
        "[[device]]\nname = 'pthread'\nkind = 'cpu'\ngbytes_per_second = {memory:?}\nsingle_gflops = 220.0\ndouble_gflops = 112.0\n"
    )
}

/// Where arithmetic takes far longer than memory, no tile pays. A device as fast as the one that the model was fitted to gets
/// the plan for its kind.
fn check_measured() -> Result<()> {
    let device = measured_device;
    let bench = Bench::new(&device(1e6))?;
    let outcome = bench.rewritten(&[])?;
    check_plan(&outcome, 1, "plan measured_1 for pthread, ")?;
    check_plan(&outcome, 2, "plan measured_1 for pthread, ")?;
    let tuned = format!("{}{FOUR_STEPS}", device(1e6)).replace("'cpu'\nstrategy", "'pthread'\nkind = 'cpu'\nstrategy");
    fs::write(bench.folder.path().join("two_regions.stencil.toml"), tuned)?;
    check_plan(&bench.rewritten(&[])?, 1, "plan tuned_1 for pthread, ")?;
    check_plan(&Bench::new(&device(32.0))?.rewritten(&[])?, 1, "plan cpu, ")
}

/// What the tuning files of the examples say was measured, and what the model says of their plans.
fn check_expected() -> Result<()> {
    let mut count = 0;
    for entry in fs::read_dir(root().join("ebisu"))? {
        let source = entry?.path();
        if source.extension().is_none_or(|extension| extension != "c") {
            continue;
        }
        let tuning: toml::Table = fs::read_to_string(source.with_extension("stencil.toml"))?.parse()?;
        let plans = tuning["plan"].as_array().context("plans")?;
        for (number, plan) in (1..).zip(plans) {
            let real = format!("-DREAL={}", plan["element"].as_str().context("a type")?);
            let folder = tempfile::tempdir()?;
            let words = ["--dump", "plan", "--fp", "contract", "--cflag", &real];
            let told = run(tool(folder.path()).args(words).arg(&source))?.succeeded()?;
            let dumped = String::from_utf8(told.stdout)?;
            let name = format!("tuned_{number}");
            let lines = dumped.lines().map(serde_json::from_str).collect::<Result<Vec<serde_json::Value>, _>>()?;
            let line = lines.iter().find(|line| line["plan"] == name.as_str()).context(dumped.clone())?;
            let expected = line["expected_gcells_per_second"].as_f64().context(dumped.clone())?;
            let measured = plan["gcells_per_second"].as_float().context("a rate")?;
            let ratio = expected / measured;
            ensure!((0.85..1.25).contains(&ratio), "{}, {name}: {expected}, not {measured}", source.display());
            count += 1;
        }
    }
    // The tool's own plan for `j2d25pt` in single precision needs none beside it.
    ensure!(count == 17, "{count} plans instead of two for each of nine stencils, and one for `j2d25pt`");
    Ok(())
}

fn check_sizes() -> Result<()> {
    let sized = |device: &str, sizes: &str| format!("{}sizes = {{ {sizes} }}\n", FOUR_STEPS.replace("cpu", device));
    let any = FOUR_STEPS.replace("cpu", "pthread");
    let plans = [
        any,
        sized("pthread", "n = 100"),
        sized("Pthread", "n = 1000"),
        sized("pthread", "n = 1000, steps = 70"),
        sized("cpu", "n = 31"),
    ];
    let bench = Bench::new(&plans.concat())?;
    bench.rewritten(&[])?;
    for (arguments, expected) in
        [(["31", "7"], "plan tuned_2 for"), (["900", "7"], "plan tuned_3 for"), (["1100", "71"], "plan tuned_3 for")]
    {
        check_plan(&bench.run_program(&arguments)?, 1, expected).with_context(|| format!("{arguments:?}"))?;
    }
    fs::write(bench.folder.path().join("two_regions.stencil.toml"), sized("cpu", "n = 1000, steps = 70"))?;
    check_plan(&bench.rewritten(&[])?, 1, "plan tuned_1, ")
}

fn check_modes() -> Result<()> {
    let bench = Bench::new(&format!("{FOUR_STEPS}fp = 'contract'\n"))?;
    check_plan(&bench.rewritten(&["--fp", "strict"])?, 1, "plan cpu, ")?;
    run(tool(bench.folder.path()).args(["--fp", "contract", "two_regions.c"]))?.succeeded()?;
    let driver = fs::read_to_string(bench.folder.path().join("two_regions.stencil.c"))?;
    ensure!(driver.contains("\"tuned_1\""), "the plan is not in the driver");
    Ok(())
}

/// Work-groups larger than any device takes.
fn check_unfit() -> Result<()> {
    let bench = Bench::new(&FOUR_STEPS.replace("[8]", "[65536]"))?;
    check_plan(&bench.rewritten(&[])?, 1, "plan cpu, ")
}

fn check_unused() -> Result<()> {
    let bench = Bench::new(&FOUR_STEPS.replace("stencil_1", "stencil_3"))?;
    let outcome = run(tool(bench.folder.path()).arg("two_regions.c"))?.succeeded()?;
    outcome.check_says("warning[tuning-unused]: two_regions.stencil.toml:1 is for the nest `two_regions_stencil_3`")
}

fn check_dependencies() -> Result<()> {
    let bench = Bench::new(FOUR_STEPS)?;
    run(tool(bench.folder.path()).args(["-MMD", "-MF", "rules.d", "two_regions.c"]))?.succeeded()?;
    let makefile = "two_regions.ocl.c:\n\t@echo remade\ninclude rules.d\n";
    fs::write(bench.folder.path().join("Makefile"), makefile)?;
    let target = "two_regions.ocl.c";
    run(clean("make", bench.folder.path()).args(["-q", target]))?.succeeded()?;
    run(clean("make", bench.folder.path()).args(["-q", "-W", "two_regions.stencil.toml", target]))?.exited_with(1)?;
    let overwritten = run(tool(bench.folder.path()).args(["two_regions.c", "-o", "two_regions.stencil.toml"]))?;
    overwritten.exited_with(2)?.check_says("two_regions.stencil.toml is an input")
}

fn check_wrapper() -> Result<()> {
    let bench = Bench::new(FOUR_STEPS)?;
    let mut wrapper = tool(bench.folder.path());
    wrapper.args(["cc", "gcc", "-O0", "-ffp-contract=off", "-MD", "-MP", "two_regions.c", "-o", "program"]);
    run(with_quick_gcc(wrapper.args(["-lm"])))?.succeeded()?;
    let outcome = bench.run_program(&[])?;
    check_same_bytes("stdout", &bench.expected, &outcome.stdout)?;
    ensure!(outcome.stderr.contains("plan tuned_1, 7 steps in 3 launches"), "{}", outcome.describe());
    let rules =
        fs::read_dir(bench.folder.path())?.flatten().find(|entry| entry.path().extension().is_some_and(|e| e == "d"));
    let rules = fs::read_to_string(rules.context("no dependency file")?.path())?;
    ensure!(rules.contains("two_regions.stencil.toml"), "{rules}");
    Ok(())
}

fn search(bench: &Bench, words: &[&str]) -> Result<Outcome> {
    search_in(bench.folder.path(), "two_regions.c", words)
}

fn search_in(folder: &Path, source: &str, words: &[&str]) -> Result<Outcome> {
    let mut tool = tool(folder);
    tool.env("STENCIL_DEVICE", std::env::var("TESTSUITE_DEVICE").unwrap_or("cpu".into()));
    tool.args(["tune", source, "--search", "random", "--seed", "5", "--budget", "1"]).args(words);
    leave_unoptimised(&mut tool);
    run(with_quick_gcc(&mut tool))
}

/// The journal of an interrupted search is one with fewer lines. One of its plans is made the best by far, so that it
/// must be kept, whatever this machine measures.
fn check_search() -> Result<()> {
    let by_hand = "# by hand\n[[plan]]\nnest = 'two_regions_stencil_1'\ndevice = 'H200'\n";
    let bench = Bench::new(by_hand)?;
    let words = ["--nest", "two_regions_stencil_2", "--size", "n=301", "--size", "steps=9"];
    let first = search(&bench, &words)?.succeeded()?;
    let printed = String::from_utf8(first.stdout.clone())?;
    ensure!(printed.contains("1 of 15 plans ran"), "{}", first.describe());
    let path = bench.folder.path().join("two_regions.stencil.tune.jsonl");
    let count = fs::read_to_string(&path)?.lines().count();
    let plan = make_best(&path)?;
    // The plan that was tried may have been clearly better already.
    fs::write(bench.folder.path().join("two_regions.stencil.toml"), by_hand)?;
    let second = search(&bench, &words)?.succeeded()?;
    let printed = String::from_utf8(second.stdout.clone())?;
    ensure!(printed.contains(&format!("best: {plan}, 123456.500 GCells/s")), "{}", second.describe());
    ensure!(fs::read_to_string(&path)?.lines().count() == count, "plans were measured again or not at all");
    let tuning = fs::read_to_string(bench.folder.path().join("two_regions.stencil.toml"))?;
    ensure!(tuning.starts_with(by_hand) && tuning.contains("sizes = { n = 301, steps = 9 }"), "{tuning}");
    check_plan(&bench.rewritten(&[])?, 2, "plan tuned_2 for ")
}

/// Leaves in a journal nothing but the one plan that was tried, and makes it the best by far. Returns its name.
fn make_best(path: &Path) -> Result<String> {
    let journal = fs::read_to_string(path)?;
    let lines: Vec<serde_json::Value> = journal.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let is_candidate =
        |line: &&serde_json::Value| line["plan"] != "own plan" && line["outcome"]["measured"]["median"].is_f64();
    ensure!(lines.iter().filter(is_candidate).count() == 1, "{journal}");
    let mut best = lines.iter().find(is_candidate).context("no plan was measured")?.clone();
    best["outcome"]["measured"]["median"] = 123_456.5.into();
    fs::write(path, format!("{best}\n"))?;
    Ok(best["plan"].as_str().context("a plan")?.to_owned())
}

/// The plan that the file has stays, unless another is faster by more than the noise of both. What was measured is replaced by
/// numbers that leave no doubt.
fn check_search_keeps() -> Result<()> {
    let present = format!("{FOUR_STEPS}sizes = {{ n = 301, steps = 9 }}\n");
    let bench = Bench::new(&present)?;
    let words = ["--nest", "two_regions_stencil_1", "--size", "n=301,steps=9"];
    search(&bench, &words)?.succeeded()?;
    let path = bench.folder.path().join("two_regions.stencil.tune.jsonl");
    let journal = fs::read_to_string(&path)?;
    let tuning = bench.folder.path().join("two_regions.stencil.toml");
    for (median, said) in [(1090.0, "nothing is clearly better than the plan of the tuning file: "), (1110.0, "best: ")]
    {
        let mut lines = String::new();
        for line in journal.lines() {
            let mut line: serde_json::Value = serde_json::from_str(line)?;
            let is_present = line["plan"].as_str().is_some_and(|plan| plan.starts_with("local, time_tile 4, tile 32"));
            let of = |median: f64, spread: f64| serde_json::json!({ "median": median, "spread": spread });
            if line["outcome"]["measured"].is_object() {
                line["outcome"]["measured"] = match (is_present, &line["plan"] == "own plan") {
                    (true, _) => of(1000.0, 20.0),
                    (_, true) => of(900.0, 1.0),
                    _ => of(median, 100.0),
                };
            }
            lines += &format!("{line}\n");
        }
        fs::write(&path, &lines)?;
        fs::write(&tuning, &present)?;
        let outcome = search(&bench, &words)?.succeeded()?;
        let printed = String::from_utf8(outcome.stdout.clone())?;
        ensure!(printed.contains("the plan of the tuning file: 1000.000 GCells/s (± 2.0 %)"), "{}", outcome.describe());
        ensure!(printed.contains(said), "`{said}` expected\n{}", outcome.describe());
        let is_kept = fs::read_to_string(&tuning)? == present;
        ensure!(is_kept == said.starts_with("nothing"), "{}", outcome.describe());
    }
    Ok(())
}

/// What the rewritten program would do without tuned plans is the plan to beat, and its device's rates are what is expected.
fn check_search_on_measured() -> Result<()> {
    let bench = Bench::new(&measured_device(1e6))?;
    let told = run(tool(bench.folder.path()).args(["--dump", "plan", "two_regions.c"]))?.succeeded()?;
    let lines = String::from_utf8(told.stdout)?;
    let plans = lines.lines().map(serde_json::from_str).collect::<Result<Vec<serde_json::Value>, _>>()?;
    let measured = plans.iter().find(|plan| plan["plan"] == "measured_1").context(lines.clone())?;
    let expected = measured["expected_gcells_per_second"].as_f64().context("a rate")?;
    let words = ["--nest", "two_regions_stencil_1", "--size", "n=301", "--size", "steps=9"];
    let outcome = search(&bench, &words)?.succeeded()?;
    let printed = String::from_utf8(outcome.stdout.clone())?;
    let own = printed.lines().find(|line| line.starts_with("the tool's own plan: ")).context(outcome.describe())?;
    ensure!(own.ends_with(&format!(", model {expected:.3}")), "{expected} is not what is expected\n{printed}");
    let strategy = measured["strategy"].as_str().context("a strategy")?;
    let journal = fs::read_to_string(bench.folder.path().join("two_regions.stencil.tune.jsonl"))?;
    ensure!(journal.contains(&format!("\"own plan, {strategy}")), "{journal}");
    Ok(())
}

fn check_search_sizes() -> Result<()> {
    let bench = Bench::new("")?;
    let missing = search(&bench, &["--size", "steps=9"])?.exited_with(1)?;
    missing.check_says("values are needed to measure this nest: n\n")?;
    missing.check_says("as in --size n=1000\n")?;
    let unknown = search(&bench, &["--size", "n=301,steps=9,m=3"])?.exited_with(2)?;
    unknown.check_says("--size m: no nest uses a variable of that name")?;
    let nest = search(&bench, &["--size", "n=301,steps=9", "--nest", "other"])?.exited_with(1)?;
    nest.check_says("no nest is `other` in two_regions.c")
}

/// The length of a plane follows from the sizes that its declaration names.
fn check_computed_sizes() -> Result<()> {
    const PLANES: &str = "void f(int nx, int ny, int nz, int steps, double *restrict a, double *restrict b) {
    const unsigned long plane = nx * ny;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int k = 1; k < nz; k++)
            for (int j = 0; j < ny; j++)
                for (int i = 0; i < nx; i++) a[k * plane + j * nx + i] = b[(k - 1) * plane + j * nx + i];
        for (int k = 1; k < nz; k++)
            for (int j = 0; j < ny; j++)
                for (int i = 0; i < nx; i++) b[k * plane + j * nx + i] = a[k * plane + j * nx + i];
    }
}
";
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("planes.c"), PLANES)?;
    let missing = search_in(folder.path(), "planes.c", &["--size", "nz=9,steps=9"])?.exited_with(1)?;
    missing.check_says("values are needed to measure this nest: ny, nx\n")?;
    let words = ["--size", "nx=20,ny=10,nz=9,steps=9"];
    search_in(folder.path(), "planes.c", &words)?.succeeded()?;
    make_best(&folder.path().join("planes.stencil.tune.jsonl"))?;
    search_in(folder.path(), "planes.c", &words)?.succeeded()?;
    let tuning = fs::read_to_string(folder.path().join("planes.stencil.toml"))?;
    ensure!(tuning.contains("plane = 200"), "{tuning}");
    Ok(())
}

/// A sum of three cells over `k` stays what it is for 3 and grows without end for less.
fn check_lost_numbers() -> Result<()> {
    const SUM: &str = "void f(int n, int steps, float *restrict a, float *restrict b, float k) {
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) b[i] = (a[i - 1] + a[i] + a[i + 1]) / k;
        for (int i = 1; i < n - 1; i++) a[i] = b[i];
    }
}
";
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("sum.c"), SUM)?;
    let note = |given: &[&str]| -> Result<Option<String>> {
        let words = [&["--size", "n=301,steps=300", "--restart"], given].concat();
        let printed = String::from_utf8(search_in(folder.path(), "sum.c", &words)?.succeeded()?.stdout)?;
        Ok(printed.lines().find(|line| line.starts_with("results ")).map(str::to_owned))
    };
    let made_up = "results overflow with the numbers made up for k: give better ones, as in --size k=0.5";
    ensure!(note(&[])?.as_deref() == Some(made_up), "numbers that overflow are not told");
    ensure!(note(&["--size", "k=3.0"])?.is_none(), "numbers that stay are told");
    Ok(())
}
