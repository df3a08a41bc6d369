//! The listing of the machine's own devices, which has the CPU device that all other tests run on.

use std::fs;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use serde_json::Value;

use crate::case::suite;
use crate::command::{Outcome, run, tool};
use crate::trials_of;

pub fn trials() -> Vec<Trial> {
    trials_of(
        "devices",
        &[
            ("text_names_the_cpu_device", check_text),
            ("json_describes_the_cpu_device", check_json),
            ("no_device_is_a_failure", check_no_device),
            ("what_is_measured_is_kept", check_measured),
            ("only_what_is_measured_can_be_kept", check_nothing_measured),
        ],
    )
}

/// Runs `devices` with these arguments in a new folder.
fn list(arguments: &[&str]) -> Result<Outcome> {
    let folder = tempfile::tempdir()?;
    run(tool(folder.path()).arg("devices").args(arguments))?.succeeded()
}

fn check_text() -> Result<()> {
    let outcome = list(&[])?;
    let text = String::from_utf8(outcome.stdout)?;
    for part in [": cpu ", "Portable Computing Language", "PoCL", "plan              cpu"] {
        ensure!(text.contains(part), "no `{part}` in\n{text}");
    }
    Ok(())
}

fn check_json() -> Result<()> {
    let outcome = list(&["--message-format", "json"])?;
    let text = String::from_utf8(outcome.stdout)?;
    let devices: Vec<Value> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let is_pocl = |device: &&Value| device["platform"] == "Portable Computing Language";
    let pocl = devices.iter().find(is_pocl).with_context(|| format!("no PoCL device in\n{text}"))?;
    ensure!(pocl["kind"] == "cpu" && pocl["plan"] == "cpu", "no CPU: {pocl}");
    ensure!(pocl["double_precision"] == true, "no double precision: {pocl}");
    for number in ["local_memory_bytes", "work_group_size", "global_memory_bytes", "compute_units"] {
        ensure!(pocl[number].as_u64().is_some_and(|value| value > 0), "no {number}: {pocl}");
    }
    for (index, device) in devices.iter().enumerate() {
        ensure!(device["index"] == index, "index {index} expected: {device}");
    }
    Ok(())
}

/// The file is one that the tool takes up.
fn check_measured() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("heat.c");
    fs::copy(suite("accept/copy_back_all.c"), &source)?;
    let words = ["devices", "--measure", "--tuning", "heat.stencil.toml", "--message-format", "json"];
    let outcome = run(tool(folder.path()).args(words))?.succeeded()?;
    let listed = String::from_utf8(outcome.stdout)?;
    let first: Value = serde_json::from_str(listed.lines().next().context("no device")?)?;
    for rate in ["gbytes_per_second", "single_gflops", "double_gflops"] {
        ensure!(first[rate].as_f64().is_some_and(|rate| rate > 0.01), "no {rate}: {first}");
    }
    let kept = fs::read_to_string(folder.path().join("heat.stencil.toml"))?;
    ensure!(kept.starts_with("[[device]]\nname = ") && kept.contains("double_gflops = "), "{kept}");
    run(tool(folder.path()).arg("-I").arg(suite("accept/include")).arg("heat.c"))?.succeeded()?;
    Ok(())
}

fn check_nothing_measured() -> Result<()> {
    let folder = tempfile::tempdir()?;
    run(tool(folder.path()).args(["devices", "--tuning", "heat.stencil.toml"]))?.exited_with(2)?;
    ensure!(!folder.path().join("heat.stencil.toml").exists(), "a file without rates");
    Ok(())
}

/// Loaders look for drivers where these variables say; an empty folder has none.
fn check_no_device() -> Result<()> {
    for (format, said) in [("human", "stencil-rewrite: no OpenCL device"), ("json", "\"code\":\"device\"")] {
        let folder = tempfile::tempdir()?;
        let mut command = tool(folder.path());
        command.args(["devices", "--message-format", format]).env_remove("OCL_ICD_FILENAMES");
        command.env("OCL_ICD_VENDORS", folder.path()).env("OPENCL_VENDOR_PATH", folder.path());
        let outcome = run(&mut command)?.exited_with(1)?;
        ensure!(outcome.stdout.is_empty() && outcome.stderr.lines().count() == 1, "{}", outcome.describe());
        outcome.check_says(said)?;
    }
    Ok(())
}
