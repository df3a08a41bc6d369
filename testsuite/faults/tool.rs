//! The tool's own calls of OpenCL: `stencil-rewrite devices` ends with a list or with a message.

use std::fs;

use anyhow::{Context, Result, ensure};

use super::bench::{Report, shim};
use super::errors::Function;
use crate::command::{Outcome, run, tool};

/// Every call fails with every error, in both formats.
pub fn check_tool() -> Result<()> {
    for arguments in [&["devices"][..], &["devices", "--message-format", "json"]] {
        let (outcome, report) = list(arguments, "")?;
        outcome.succeeded()?;
        ensure!(report.count("clGetDeviceInfo") > 0, "the tool does not call OpenCL through the shim");
        for wish in wishes(&report) {
            let check = || {
                let (outcome, report) = list(arguments, &wish)?;
                ensure!(report.has_struck, "the fault did not strike\n{}", outcome.describe());
                check_outcome(outcome, &wish)
            };
            check().with_context(|| format!("FAULTS={wish}"))?;
        }
    }
    Ok(())
}

/// Each call with each error, alone and as the first of all calls from there on.
fn wishes(report: &Report) -> Vec<String> {
    let mut wishes = Vec::new();
    let mut before = 0;
    for (name, count) in &report.calls {
        let errors = Function::find(name).map(Function::errors).unwrap_or_default();
        for call in 1..=*count {
            before += 1;
            wishes.push(format!("*:{before}:lost:{}", errors[before % errors.len()]));
            wishes.push(format!("{name}:{call}:after:{}", errors[call % errors.len()]));
            wishes.extend(errors.iter().map(|error| format!("{name}:{call}:instead:{error}")));
        }
    }
    wishes
}

fn list(arguments: &[&str], wish: &str) -> Result<(Outcome, Report)> {
    let folder = tempfile::tempdir()?;
    let counts = folder.path().join("counts");
    let mut command = tool(folder.path());
    command.env("LD_PRELOAD", shim()?).env("FAULTS", wish).env("FAULTS_COUNTS", &counts);
    let outcome = run(command.args(arguments))?;
    let text = fs::read_to_string(&counts).with_context(|| outcome.describe())?;
    Ok((outcome, Report::read(&text)?))
}

/// Errors by which OpenCL says that there is no platform or no device.
const NOTHING_FOUND: [&str; 2] = [":-1001", ":-1"];

/// A list and silence, or one line that names the function and the error, or says that there is no device.
fn check_outcome(outcome: Outcome, wish: &str) -> Result<()> {
    if outcome.code == Some(0) {
        ensure!(outcome.stderr.is_empty(), "silence expected\n{}", outcome.describe());
        return Ok(());
    }
    let outcome = outcome.exited_with(1)?;
    ensure!(outcome.stderr.lines().count() == 1, "one line expected\n{}", outcome.describe());
    if NOTHING_FOUND.iter().any(|error| wish.ends_with(error)) && outcome.stderr.contains("no OpenCL device") {
        return Ok(());
    }
    outcome.check_says("OpenCL: cl")?;
    outcome.check_says("failed (error ")
}
