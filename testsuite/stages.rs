//! What the stages of the tool make of a few nests, as `--dump` prints it.

use anyhow::{Result, ensure};
use libtest_mimic::Trial;

use crate::case::{Case, read_cases, suite};
use crate::command::{run, tool};
use crate::golden::{check_golden, check_no_orphans};
use crate::trial;

pub fn trials() -> Vec<Trial> {
    let cases = read_cases(&suite("stages"));
    let mut trials = Vec::new();
    let mut goldens = Vec::new();
    for case in cases {
        for stage in case.words("dump") {
            goldens.push(golden_name(&case, &stage));
            let case = case.clone();
            trials.push(trial(format!("stages::{}::{stage}", case.name()), move || check(&case, &stage)));
        }
    }
    let orphans = move || check_no_orphans(&suite("stages"), ".txt", &goldens);
    trials.push(trial("stages::has_no_orphans".to_string(), orphans));
    trials
}

fn golden_name(case: &Case, stage: &str) -> String {
    format!("{}.{stage}.txt", case.name())
}

fn check(case: &Case, stage: &str) -> Result<()> {
    case.check_directives(&["dump", "flags"])?;
    let mut command = tool(case.folder());
    command.args(["--dump", stage]).args(case.words("flags")).arg(case.path.file_name().unwrap_or_default());
    let outcome = run(&mut command)?.succeeded()?;
    let printed = String::from_utf8(outcome.stdout)?;
    ensure!(!printed.trim().is_empty(), "the dump of {stage} is empty");
    check_golden(&case.folder().join(golden_name(case, stage)), &printed)
}
