//! The floating-point mode that follows from the compiler's flags.
//!
//! No flag alone decides it: gcc fuses `a * b + c` with GNU dialects and from `-O2` on, clang within an expression with
//! any dialect and at any level, both only for targets that can, and `on` means `off` to gcc. So the compiler is asked: it
//! compiles a few functions with the user's flags, and its assembly text shows what it does.

use anyhow::Result;
use std::ffi::OsString;
use std::path::Path;

use super::command::CommandLine;
use super::flags::Kind;
use super::flags::writes_a_file;
use super::run::output_of;
use crate::options::FpMode;
use crate::source::Diagnostic;

const PROBE: &str = include_str!("probe.c");

/// What the compiler does with floating-point numbers, and what tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deduced {
    /// The mode for the device.
    pub mode: FpMode,
    /// The flag that decided, for a note to the user; empty if nothing relaxes the arithmetic.
    pub reason: String,
    /// What the device cannot follow, if there is such a thing.
    pub obstacle: Option<&'static str>,
}

impl Deduced {
    /// The notes that say how numbers are treated, if not strictly.
    pub fn notes(&self) -> Vec<Diagnostic> {
        let freedom = match self.mode {
            FpMode::Strict => None,
            FpMode::Contract => Some("fuse a * b + c, as the compiler does"),
            FpMode::Fast => Some("reorder and approximate arithmetic, as the compiler may"),
        };
        let note = freedom.map(|freedom| {
            let message = format!("the device may {freedom} with {}", self.reason);
            let help =
                "for results that do not depend on it, write `stencil-rewrite cc --fp strict` before the compiler";
            Diagnostic::note("fp-mode", message, Default::default()).with_help(help)
        });
        let warning = self.obstacle.map(|obstacle| {
            Diagnostic::warning(
                "fp-mode",
                format!("{obstacle}; the device does not, so results differ"),
                Default::default(),
            )
            .with_help("take the flag away, or on x86 add `-msse2 -mfpmath=sse`")
        });
        note.into_iter().chain(warning).collect()
    }
}

/// The warning for a compiler that cannot be asked.
pub fn unknown() -> Diagnostic {
    let message = "the compiler does not show whether it fuses a * b + c; the device does not";
    Diagnostic::warning("fp-mode", message, Default::default())
        .with_help("choose with `stencil-rewrite cc --fp strict` or `--fp contract` before the compiler")
}

/// Asks the compiler, with a file in `folder`. `None` if it does not answer.
///
/// # Errors
/// When the compiler cannot be run or the folder cannot be written.
pub fn deduce(line: &CommandLine, folder: &Path) -> Result<Option<Deduced>> {
    let probe = folder.join("probe.c");
    std::fs::write(&probe, PROBE)?;
    let is_asked = |argument: &&super::command::Argument| {
        argument.kind == Kind::Flag && !argument.words[0].eq("-P") && !writes_a_file(&argument.words[0])
    };
    let flags: Vec<&OsString> = line.arguments.iter().filter(is_asked).flat_map(|argument| &argument.words).collect();
    let mut command = line.compiler.clone();
    command.extend(flags.iter().copied().cloned());
    command.extend(["-w", "-g0", "-fno-lto", "-S", "-o", "-", "-x", "c"].map(Into::into));
    command.push(probe.into());
    let Some(assembly) = output_of(&command)? else { return Ok(None) };
    let flags: Vec<String> = flags.iter().map(|flag| flag.to_string_lossy().into_owned()).collect();
    Ok(read_assembly(&flags, &String::from_utf8_lossy(&assembly)))
}

fn read_assembly(flags: &[String], assembly: &str) -> Option<Deduced> {
    let [double, float, sum, quotient] =
        ["double", "float", "sum", "quotient"].map(|name| instructions(assembly, name));
    if [&double, &float, &sum, &quotient].iter().any(|function| function.is_empty()) {
        return None;
    }
    let has =
        |function: &[&str], parts: &[&str]| function.iter().any(|line| parts.iter().any(|part| line.contains(part)));
    let is_fast = has_label(assembly, "fast_math") || !has(&sum, &["sub"]) || !has(&quotient, &["div"]);
    let is_fused = [&double, &float].iter().any(|function| has(function, &FUSED));
    let (mode, deciding): (_, &[&str]) = match (is_fast, is_fused) {
        (true, _) => (FpMode::Fast, &FAST_FLAGS),
        (false, true) => (FpMode::Contract, &CONTRACTING_FLAGS),
        (false, false) => (FpMode::Strict, &[]),
    };
    let obstacle = if has_label(assembly, "excess_precision") {
        Some("the compiler computes with more precision than the numbers have")
    } else if last_of(flags, "-fsingle-precision-constant", "-fno-single-precision-constant") {
        Some("the compiler rounds constants to single precision")
    } else {
        None
    };
    Some(Deduced { mode, reason: reason(flags, deciding), obstacle })
}

/// Parts of the names of fused instructions: `vfmadd231sd`, `vfnmsub132ss`, `fmadd`, `fmla`, `vfma.f64`, `xsmaddadp`, `madbr`.
const FUSED: [&str; 6] = ["madd", "msub", "fmla", "fmls", "vfma", "madb"];

/// Beginnings of the flags that may have decided, the most telling ones first.
const CONTRACTING_FLAGS: [&str; 7] =
    ["-ffp-contract=", "-ffp-model=", "-mfma", "-march=", "-mcpu=", "-mavx512", "-mfpu="];
const FAST_FLAGS: [&str; 6] =
    ["-ffast-math", "-Ofast", "-funsafe-math", "-ffp-model=", "-fassociative-math", "-freciprocal-math"];

fn reason(flags: &[String], prefixes: &[&str]) -> String {
    if prefixes.is_empty() {
        return String::new();
    }
    let found = prefixes.iter().find_map(|prefix| flags.iter().rfind(|flag| flag.starts_with(prefix)));
    found.map_or_else(|| "its default settings".into(), String::clone)
}

/// The instructions of one function of the probe.
fn instructions<'t>(assembly: &'t str, name: &str) -> Vec<&'t str> {
    let lines = assembly.lines().skip_while(|line| !is_label(line, name)).skip(1);
    let body = lines.take_while(|line| !(line.contains("stencil_probe_") && line.trim_end().ends_with(':')));
    body.map(str::trim_start).filter(|line| line.starts_with(|first: char| first.is_ascii_alphabetic())).collect()
}

fn has_label(assembly: &str, name: &str) -> bool {
    assembly.lines().any(|line| is_label(line, name))
}

/// Whether the line is the label of that part of the probe; some systems put an underscore before names.
fn is_label(line: &str, name: &str) -> bool {
    let label = line.split_once(':').map_or("", |(label, _)| label);
    label.trim_start_matches('_').strip_prefix("stencil_probe_") == Some(name)
}

/// Whether the flag is given and not taken back after that.
fn last_of(flags: &[String], flag: &str, opposite: &str) -> bool {
    flags.iter().rfind(|other| *other == flag || *other == opposite).is_some_and(|last| last == flag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::cc::run::process;

    /// Asks the real compiler; `None` if it does not take the flags.
    fn deduced(compiler: &str, flags: &str) -> Option<Deduced> {
        let line = format!("{compiler} {flags} -c a.c");
        let line = CommandLine::parse(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>());
        let folder = tempfile::tempdir().expect("a temporary folder");
        deduce(&line, folder.path()).expect("a compiler")
    }

    fn mode(compiler: &str, flags: &str) -> Option<FpMode> {
        deduced(compiler, flags).map(|deduced| deduced.mode)
    }

    #[test]
    fn fast_arithmetic_is_the_users_choice() {
        for compiler in ["gcc", "clang"] {
            for flags in [
                "-Ofast",
                "-O0 -ffast-math",
                "-O2 -ffast-math -ffp-contract=off",
                "-O2 -funsafe-math-optimizations",
                "-O2 -fassociative-math -fno-signed-zeros -fno-trapping-math",
                "-O2 -freciprocal-math",
            ] {
                assert_eq!(mode(compiler, flags), Some(FpMode::Fast), "{compiler} {flags}");
            }
            for flags in ["-O2 -ffast-math -fno-fast-math", "-Ofast -O2", "-O2 -ffinite-math-only", "-O3"] {
                assert_eq!(mode(compiler, flags), Some(FpMode::Strict), "{compiler} {flags}");
            }
        }
    }

    /// The loop of a stencil.
    #[cfg(target_arch = "x86_64")]
    const LOOP: &str = "void f(int n, const double *restrict a, const double *restrict b, double *restrict c)\n{\n    \
        for (int i = 1; i < n; i++)\n        c[i] = a[i - 1] * b[i] + c[i];\n}\n";

    /// Whether the compiler fuses in the loop of [`LOOP`], as `objdump` shows; `None` if it does not take the flags.
    #[cfg(target_arch = "x86_64")]
    fn is_fused(compiler: &str, flags: &str) -> Option<bool> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (source, object) = (folder.path().join("a.c"), folder.path().join("a.o"));
        std::fs::write(&source, LOOP).expect("a written file");
        let words = [compiler].into_iter().chain(flags.split_whitespace()).chain(["-w", "-c", "-o"]);
        let command: Vec<OsString> = words.map(OsString::from).chain([object.clone().into(), source.into()]).collect();
        if !process(&command).output().expect("a compiler").status.success() {
            return None;
        }
        let listing = output_of(&["objdump".into(), "-d".into(), object.into()]).expect("objdump").expect("a listing");
        let listing = String::from_utf8_lossy(&listing).into_owned();
        Some(["vfmadd", "vfmsub", "vfnmadd", "vfnmsub"].iter().any(|name| listing.contains(name)))
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn contraction_is_what_the_compiler_emits() {
        let targets = [
            "",
            "-mfma",
            "-march=haswell",
            "-march=haswell -mno-fma",
            "-mno-fma -march=haswell",
            "-march=skylake-avx512 -mno-fma",
            "-mfma4",
            "-mavx2",
        ];
        let dialects = [
            "",
            "-std=c99",
            "-std=c17",
            "-std=gnu99",
            "-std=c99 -std=gnu99",
            "-ffp-contract=off",
            "-ffp-contract=on",
            "-ffp-contract=fast",
            "-ffp-contract=fast-honor-pragmas",
            "-std=c99 -ffp-contract=on",
            "-std=c99 -ffp-contract=fast",
            "-ffp-contract=fast -std=c99",
            "-ffp-contract=off -ffp-contract=fast",
            "-ffp-contract=fast -ffp-contract=off",
            "-ffast-math -fno-fast-math",
            "-ffp-contract=off -ffast-math -fno-fast-math",
            "-ffp-model=strict",
            "-ffp-model=precise",
            "-Xclang -ffp-contract=off",
            "-fno-expensive-optimizations",
        ];
        let levels = ["-O0", "-O1", "-O3", "-Os", "-Og"];
        let rest = ["", "-std=c99", "-ffp-contract=on", "-ffp-contract=fast"];
        let by_target = targets.iter().flat_map(|target| rest.iter().map(move |rest| format!("-O2 {target} {rest}")));
        let by_level = levels.iter().flat_map(|level| rest.iter().map(move |rest| format!("{level} -mfma {rest}")));
        let by_dialect = dialects.iter().map(|dialect| format!("-O2 -mfma {dialect}"));
        let rows: Vec<String> = by_target.chain(by_level).chain(by_dialect).collect();
        let mut seen = std::collections::BTreeSet::new();
        for compiler in ["gcc", "clang"] {
            for flags in &rows {
                let is_fused = is_fused(compiler, flags);
                let expected = is_fused.map(|fused| if fused { FpMode::Contract } else { FpMode::Strict });
                assert_eq!(mode(compiler, flags), expected, "{compiler} {flags}");
                seen.insert((compiler, is_fused));
            }
        }
        assert_eq!(seen.len(), 6, "each compiler fuses, does not, and refuses some flags: {seen:?}");
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn what_the_device_cannot_follow_is_told() {
        assert!(deduced("gcc", "-O2 -mfpmath=387").is_some_and(|deduced| deduced.obstacle.is_some()));
        assert!(deduced("gcc", "-O2 -fsingle-precision-constant").is_some_and(|deduced| deduced.obstacle.is_some()));
        assert!(deduced("gcc", "-O2 -mavx2").is_some_and(|deduced| deduced.notes().is_empty()));
    }

    #[test]
    fn the_reason_is_the_flag_that_decided() {
        let flags = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(reason(&flags("-O2 -march=native -mtune=x"), &CONTRACTING_FLAGS), "-march=native");
        assert_eq!(reason(&flags("-ffp-contract=on -mfma"), &CONTRACTING_FLAGS), "-ffp-contract=on");
        assert_eq!(reason(&flags("-O2"), &CONTRACTING_FLAGS), "its default settings");
        assert_eq!(reason(&flags("-Ofast"), &FAST_FLAGS), "-Ofast");
        assert_eq!(reason(&flags("-O2"), &[]), "");
    }

    #[test]
    fn a_compiler_that_shows_nothing_is_no_answer() {
        assert_eq!(deduced("true", "-O2"), None);
        assert_eq!(deduced("false", "-O2"), None);
    }
}
