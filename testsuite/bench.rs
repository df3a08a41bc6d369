//! The bench of the examples: a quick run of all its parts, and the numbers that it shares with a table for people.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use serde_json::Value;

use crate::bench_program::suite::STENCILS;
use crate::bench_program::verbose::{Registers, Run};
use crate::command::{clean, run, tool};
use crate::examples::root;
use crate::program::leave_unoptimised;
use crate::trials_of;

/// The first argument that makes the bench of this program.
pub const WORD: &str = "stencils";

pub fn trials() -> Vec<Trial> {
    trials_of(
        "bench",
        &[
            ("quick_run_writes_everything", check_quick_run),
            ("own_choices_stand_beside_tuned_plans", check_own_choice),
            ("costs_of_boundaries_stand_in_the_table", check_boundaries),
            ("wrong_arguments_are_told", check_arguments),
            ("suite_agrees_with_the_table_of_the_examples", check_suite),
            ("reports_of_programs_are_read", check_reading),
            ("registers_are_read", check_registers),
        ],
    )
}

fn bench(folder: &Path) -> Result<std::process::Command> {
    let mut command = clean(std::env::current_exe()?, folder);
    command.env("BENCH_TOOL", tool(folder).get_program()).env("BENCH_EXAMPLES", root()).arg(WORD);
    leave_unoptimised(&mut command);
    Ok(command)
}

fn check_quick_run() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut command = bench(folder.path())?;
    command.args(["--quick", "--only=j2d5pt,jacobi-1d-3pt", "--type=single", "--repeat=2", "--device=cpu"]);
    // Checked and timed kernels are the same then, and PoCL compiles them once.
    command.arg("--fp=strict");
    command.args([
        "--plan=--strategy=local",
        "--plan=--time-tile=2",
        "--plan=--per-item=64",
        "--explore=jacobi-1d-3pt",
        "--depths=1,2",
        "--items=64",
    ]);
    command.args(["--json=bench.json", "--markdown=page.md", "--plots=plots"]);
    let outcome = run(&mut command)?.succeeded()?;
    let table = String::from_utf8_lossy(&outcome.stdout).into_owned();
    ensure!(table.contains("GCells/s  model  GFLOP/s"), "no table\n{table}");
    check_report(&serde_json::from_str(&read(folder.path(), "bench.json")?)?)?;
    check_page(&read(folder.path(), "page.md")?)?;
    for plot in ["time-tiling-single", "depth-jacobi-1d-3pt-single"] {
        check_plot(&read(folder.path(), &format!("plots/{plot}.svg"))?).context(plot)?;
    }
    check_reread(folder.path(), &table)
}

fn read(folder: &Path, file: &str) -> Result<String> {
    fs::read_to_string(folder.join(file)).with_context(|| file.to_owned())
}

fn check_report(report: &Value) -> Result<()> {
    let lines = report["lines"].as_array().context("no lines")?;
    let series: Vec<&str> = lines.iter().filter_map(|line| line["series"].as_str()).collect();
    ensure!(series == ["default", "direct", "default", "direct", "explored", "explored"], "{series:?}");
    ensure!(report["failures"].as_array().is_some_and(Vec::is_empty), "failures in {report}");
    ensure!(report["device"]["driver_version"].as_str().is_some_and(|text| !text.is_empty()), "no driver in {report}");
    ensure!(report["roofs"][0]["bytes_per_second"].as_f64().is_some_and(|rate| rate > 0.0), "no roof in {report}");
    lines.iter().try_for_each(check_line)
}

fn check_line(line: &Value) -> Result<()> {
    let number = |value: &Value| value.as_f64().context(format!("a number is missing in {line}"));
    let times = line["kernel_seconds"].as_array().context("no times")?;
    let best = times.iter().filter_map(Value::as_f64).fold(f64::INFINITY, f64::min);
    let rate = 1e-9 * number(&line["cells"])? * number(&line["steps"])? / best;
    ensure!(
        times.len() == 2 && (number(&line["gcells_per_second"])? / rate - 1.0).abs() < 1e-9,
        "a wrong rate: {line}"
    );
    let commands: Vec<&str> = line["commands"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    ensure!(commands.len() == 3, "commands are missing: {line}");
    ensure!(commands[2].contains("STENCIL_DEVICE="), "{commands:?}");
    let depth = line["plan"]["kernels"][0]["time_tile"].as_u64();
    ensure!((depth == Some(0)) == (line["series"] == "direct"), "a wrong plan: {line}");
    Ok(())
}

fn check_page(page: &str) -> Result<()> {
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with('|')).collect();
    ensure!(rows.len() == 4 && rows[2].contains("j2d5pt") && rows[3].contains("jacobi-1d-3pt"), "{page}");
    ensure!(page.contains("100000 with 12 steps"), "no size in\n{page}");
    Ok(())
}

/// Both plots have something to show: bars or curves, and texts.
fn check_plot(text: &str) -> Result<()> {
    let document = roxmltree::Document::parse(text)?;
    let count = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count();
    ensure!(document.root_element().has_tag_name("svg"), "no SVG");
    ensure!(count("text") > 4 && count("rect") + count("polyline") > 2, "an empty plot\n{text}");
    Ok(())
}

/// What `--read` makes of the JSON is the same table.
fn check_reread(folder: &Path, table: &str) -> Result<()> {
    let outcome = run(bench(folder)?.arg("--read=bench.json"))?.succeeded()?;
    let again = String::from_utf8(outcome.stdout)?;
    ensure!(again.lines().count() == 4 && table.ends_with(&again), "{again}\n---\n{table}");
    Ok(())
}

/// `jacobi-1d-3pt` has no tuning file, so that there is nothing to compare.
fn check_own_choice() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut command = bench(folder.path())?;
    command.args(["--quick", "--own", "--only=j2d5pt,jacobi-1d-3pt", "--type=single", "--repeat=1", "--device=cpu"]);
    let outcome = run(command.args(["--fp=strict", "--json=bench.json"]))?.succeeded()?;
    let report: Value = serde_json::from_str(&read(folder.path(), "bench.json")?)?;
    let lines = report["lines"].as_array().context("no lines")?;
    let series: Vec<&str> = lines.iter().filter_map(|line| line["series"].as_str()).collect();
    ensure!(series == ["default", "own", "default"], "{series:?}");
    let (tuned, own) = (&lines[0]["gcells_per_second"], &lines[1]["gcells_per_second"]);
    let percent = 100.0 * own.as_f64().context("no rate")? / tuned.as_f64().context("no rate")?;
    let table = String::from_utf8_lossy(&outcome.stdout).into_owned();
    let rows: Vec<&str> = table.lines().filter(|line| line.contains(" single ")).collect();
    let is_told = |row: &&&str| row.contains(&format!(", {percent:.0} %"));
    ensure!(table.contains("own plan") && rows.iter().filter(is_told).count() == 1, "{percent} is not in\n{table}");
    Ok(())
}

/// Programs that take every tile for a full one are timed beside those that do not, where kernels tell them apart.
fn check_boundaries() -> Result<()> {
    for (strategy, is_measured) in [("stream", true), ("local", false)] {
        let folder = tempfile::tempdir()?;
        let mut command = bench(folder.path())?;
        command.args(["--quick", "--boundaries", "--only=j2d5pt", "--type=single", "--repeat=2", "--device=cpu"]);
        command.args([&format!("--plan=--strategy={strategy}"), "--plan=--time-tile=2", "--fp=strict"]);
        let outcome = run(command.arg("--json=bench.json"))?.succeeded()?;
        let report: Value = serde_json::from_str(&read(folder.path(), "bench.json")?)?;
        let line = &report["lines"][0];
        let count = line["unbounded_kernel_seconds"].as_array().map_or(0, Vec::len);
        ensure!(count == if is_measured { 2 } else { 0 }, "{count} times with {strategy}: {line}");
        let has_edited = line["commands"].to_string().contains("sed -i");
        let table = String::from_utf8_lossy(&outcome.stdout).into_owned();
        ensure!(
            has_edited == is_measured && table.contains("boundaries") == is_measured,
            "{strategy}: {line}\n{table}"
        );
    }
    Ok(())
}

fn check_arguments() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let unknown = run(bench(folder.path())?.args(["--only", "j2d6pt"]))?.failed()?;
    unknown.check_says("no stencil `j2d6pt`; there are j2d5pt")?;
    let absent = run(bench(folder.path())?.args(["--device", "abacus"]))?.failed()?;
    absent.check_says("no such OpenCL device; there are: ")
}

/// Flops a point stand in the table of `examples/README.md` and in the suite; every program of the three folders is in
/// both, and the fields of the table are not more than the elements that a time tile moves.
fn check_suite() -> Result<()> {
    let page = fs::read_to_string(root().join("README.md"))?;
    for stencil in &STENCILS {
        ensure!(root().join(stencil.folder).join(format!("{}.c", stencil.name)).exists(), "no {}", stencil.name);
        let (_, section) = page.split_once(&format!("## `{}/`", stencil.folder)).context(stencil.folder)?;
        let start = format!("| `{}` |", stencil.name);
        let row = section.lines().find(|line| line.starts_with(&start)).context(stencil.name)?;
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        ensure!(cells[5] == stencil.flops.to_string(), "{} flops, but {row}", stencil.flops);
        ensure!(cells[4].parse::<u32>()? < stencil.transfers + 1, "{} transfers, but {row}", stencil.transfers);
    }
    let rows = |folder: &str| fs::read_dir(root().join(folder)).into_iter().flatten().flatten();
    let is_program = |name: &str| name.ends_with(".c");
    let files = ["ebisu", "holewinski", "awp"].into_iter().flat_map(rows);
    let programs = files.filter(|file| is_program(&file.file_name().to_string_lossy())).count();
    ensure!(programs == STENCILS.len(), "{programs} programs, {} in the suite", STENCILS.len());
    Ok(())
}

fn check_reading() -> Result<()> {
    let line = |kernels: &str| {
        format!(
            "a.c:8: f: plan gpu, 4 steps in 2 launches, kernels {kernels} ms, upload 3.000 ms, download 1.500 ms, 2.500 GCells/s\n"
        )
    };
    let run = Run::read(&format!("stencil: device X\n{}{}", line("10.000"), line("20.000")))?;
    ensure!((run.plan.as_str(), run.steps, run.launches) == ("gpu", 8, 4), "{run:?}");
    let close = |value: f64, expected: f64| (value / expected - 1.0).abs() < 1e-12;
    ensure!(close(run.kernel_seconds, 0.03) && close(run.upload_seconds, 0.006), "{run:?}");
    ensure!(close(run.download_seconds, 0.003) && close(run.cells, 75e6), "{run:?}");
    ensure!(Run::read("4 launches").is_err() && Run::read(&line("many")).is_err(), "nonsense is read");
    Ok(())
}

/// The form in which NVIDIA's compiler tells them.
fn check_registers() -> Result<()> {
    let log = "ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'f_steps8' for 'sm_90'
ptxas info    : Function properties for f_steps8
    16 bytes stack frame, 24 bytes spill stores, 32 bytes spill loads
ptxas info    : Used 128 registers, 420 bytes cmem[0]
ptxas info    : Compiling entry function 'f_sweep0' for 'sm_90'
ptxas info    : Used 18 registers, 400 bytes cmem[0]
";
    let found = |kernel| Registers::find(log, kernel).map(|registers| (registers.count, registers.spilled_bytes));
    ensure!(found("f_steps8") == Some((128, 24)), "{:?}", found("f_steps8"));
    ensure!(found("f_sweep0") == Some((18, 0)) && found("f_steps4").is_none(), "{:?}", found("f_sweep0"));
    Ok(())
}
