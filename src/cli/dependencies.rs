//! Dependency files for make, as the compiler itself writes them.

use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::files::NewFile;
use super::plan::{DependencyPlan, UnitPlan};
use crate::source::Preprocessor;

/// The dependency file of `unit`: its four files, or the targets that were asked for, depend on the input and on what
/// it includes.
///
/// # Errors
/// When the compiler cannot be run or refuses the input.
pub fn dependency_file(plan: &DependencyPlan, preprocessor: &Preprocessor, unit: &UnitPlan) -> Result<NewFile> {
    let path = plan.file_of(unit);
    let mut targets: Vec<OsString> = Vec::new();
    for target in &plan.targets {
        targets.extend(["-MT".into(), target.clone()]);
    }
    if targets.is_empty() {
        targets = unit.outputs().iter().rev().flat_map(|output| ["-MQ".into(), output.into()]).collect();
    }
    let content = ask_compiler(preprocessor, &unit.input, plan.has_system_headers, &targets)?;
    Ok(NewFile { path, content })
}

fn ask_compiler(
    preprocessor: &Preprocessor,
    input: &Path,
    has_system_headers: bool,
    targets: &[OsString],
) -> Result<Vec<u8>> {
    let (program, arguments) = preprocessor.compiler.split_first().context("no compiler is given")?;
    let output = Command::new(program)
        .args(arguments)
        .args(&preprocessor.flags)
        .arg(if has_system_headers { "-M" } else { "-MM" })
        .args(targets)
        .arg(input)
        .output()
        .with_context(|| format!("cannot run {}", PathBuf::from(program).display()))?;
    if !output.status.success() {
        bail!("no dependencies of {}: {}", input.display(), String::from_utf8_lossy(&output.stderr).trim_end());
    }
    Ok(output.stdout)
}
