//! The remedies that messages propose, tried: the program is mended as its author would, and the tool must accept it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::case::Case;
use crate::command::{clean, run, tool};

/// What messages say where no change to the program helps.
const NO_REMEDY: &str = "there is no way to have this rewritten yet";

/// What a warning says under `--keep-unsupported`.
const KEPT: &str = "the nest is left as it is";

const DIRECTIVE: &str = "// remedy: ";

/// A `// remedy:` line.
enum Remedy {
    /// `s/old/new/`: the next `old` behind the place of the edit before becomes `new`; with `g` all of them do.
    Edit { old: String, new: String, is_global: bool },
    /// `flags -DX`: for the tool and the compiler.
    Flags(Vec<String>),
    /// `none`: the message says that there is none.
    None,
}

/// Fails unless the `// remedy:` lines of `case` make a program of it that the tool accepts. `folder` holds the case's files,
/// and `stderr` is what the tool says of the case as it is.
pub fn check_remedies(case: &Case, folder: &Path, stderr: &str) -> Result<()> {
    for message in stderr.split("error[").skip(1) {
        ensure!(message.contains("= help: "), "a message names no remedy:\n{message}");
    }
    // Some cases are in Latin-1.
    let source: String = fs::read(&case.path)?.into_iter().map(char::from).collect();
    let remedies = read_remedies(&source)?;
    ensure!(!remedies.is_empty(), "no `{DIRECTIVE}` line says what the message's help leads to");
    let hopeless = remedies.iter().filter(|it| matches!(it, Remedy::None)).count();
    let said = stderr.matches(NO_REMEDY).count();
    ensure!(hopeless == said, "{hopeless} `{DIRECTIVE}none`, but {said} messages say that {NO_REMEDY}");
    let mended = mend(&source, &remedies)?;
    let name = case.path.file_name().unwrap_or_default();
    let bytes = mended.chars().map(|c| c as u8).collect::<Vec<_>>();
    fs::write(folder.join(name), bytes)?;
    let mut flags = case.words("flags");
    for remedy in remedies {
        if let Remedy::Flags(more) = remedy {
            flags.extend(more);
        }
    }
    check_accepted(folder, Path::new(name), &flags, hopeless).with_context(|| format!("the mended program:\n{mended}"))
}

/// The tool takes the program, but for `hopeless` nests that it must leave as they are, and the compiler takes it too.
fn check_accepted(folder: &Path, name: &Path, flags: &[String], hopeless: usize) -> Result<()> {
    let keep = (hopeless > 0).then_some("--keep-unsupported");
    let outcome = run(tool(folder).args(flags).args(keep).arg(name))?.succeeded()?;
    let kept = outcome.count_lines_with(KEPT);
    ensure!(kept == hopeless, "{kept} nests are left as they are, {hopeless} have no remedy\n{}", outcome.describe());
    ensure!(folder.join(name.with_extension("ocl.c")).exists(), "nothing was written\n{}", outcome.describe());
    let of_compiler = flags.iter().filter(|flag| flag.starts_with("-D") || flag.starts_with("-I"));
    run(clean("gcc", folder).args(["-fsyntax-only", "-w"]).args(of_compiler).arg(name))?.succeeded()?;
    Ok(())
}

fn read_remedies(source: &str) -> Result<Vec<Remedy>> {
    source.lines().filter_map(|line| line.strip_prefix(DIRECTIVE)).map(read_remedy).collect()
}

fn read_remedy(text: &str) -> Result<Remedy> {
    if text == "none" {
        return Ok(Remedy::None);
    }
    if let Some(flags) = text.strip_prefix("flags ") {
        return Ok(Remedy::Flags(flags.split_whitespace().map(str::to_string).collect()));
    }
    let edit = text.strip_prefix('s').and_then(|rest| Some((rest, rest.chars().next()?)));
    let Some((rest, delimiter)) = edit else { bail!("`{DIRECTIVE}{text}` is not understood") };
    let parts: Vec<String> = rest[1..].split(delimiter).map(|part| part.replace("\\n", "\n")).collect();
    match parts.as_slice() {
        [old, new, end] if end.is_empty() || end == "g" => {
            Ok(Remedy::Edit { old: old.clone(), new: new.clone(), is_global: end == "g" })
        }
        _ => bail!("`{DIRECTIVE}{text}` is not understood"),
    }
}

/// The program without its `// remedy:` lines and with their edits made.
fn mend(source: &str, remedies: &[Remedy]) -> Result<String> {
    let lines = source.split_inclusive('\n').filter(|line| !line.starts_with(DIRECTIVE));
    let mut text: String = lines.collect();
    let mut place = 0;
    for remedy in remedies {
        let Remedy::Edit { old, new, is_global } = remedy else { continue };
        let Some(at) = text[place..].find(old.as_str()) else {
            bail!("there is no further `{old}` to mend in\n{text}")
        };
        if *is_global {
            let rest = text[place..].replace(old.as_str(), new);
            text.replace_range(place.., &rest);
        } else {
            text.replace_range(place + at..place + at + old.len(), new);
            place += at + new.len();
        }
    }
    Ok(text)
}
