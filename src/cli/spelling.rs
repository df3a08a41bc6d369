//! Compilers spell long options with one dash; the argument parser wants two.

use clap::{Arg, Command, CommandFactory};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use super::args::Arguments;

/// Compiler flags that take a value, joined or as the next argument.
const WITH_VALUE: [&str; 9] =
    ["-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot", "-I", "-D", "-U"];

/// Beginnings of compiler flags that go to the preprocessor unchanged: what they choose shows in its macros.
const ALONE: [&str; 8] = ["-std=", "-ansi", "-nostdinc", "-undef", "-O", "-f", "-m", "-pthread"];

/// Flags of the preprocessor under which it leaves macros as they are, so that a nest would be misread.
const UNEXPANDED: [&str; 2] = ["-fdirectives-only", "-fpreprocessed"];

/// Beginnings of compiler flags that do not change what the source means; people paste them with the others.
const WITHOUT_MEANING: [&str; 5] = ["-g", "-W", "-w", "-pedantic", "-pipe"];

/// Dependency options and their long names; the last two take a value.
const DEPENDENCIES: [(&str, &str); 5] = [
    ("-MMD", "--user-dependencies"),
    ("-MD", "--dependencies"),
    ("-MP", "--phony-targets"),
    ("-MF", "--dependency-file"),
    ("-MT", "--dependency-target"),
];

/// Options of the tool that take the next argument as their value, which is then not taken for an option.
fn own_with_value() -> Vec<String> {
    let command = Arguments::command();
    let forms = std::iter::once(&command).chain(command.get_subcommands());
    let options = forms.flat_map(Command::get_arguments).filter(|option| option.get_action().takes_values());
    let short = |option: &Arg| option.get_short().map(|name| format!("-{name}"));
    let long = |option: &Arg| option.get_long().map(|name| format!("--{name}"));
    options.flat_map(|option| short(option).into_iter().chain(long(option))).collect()
}

/// Turns `-DX`, `-D X`, `-std=c99` into `--cflag=...`, in order, and `-MF x` into `--dependency-file=x`.
///
/// What follows `--`, and the command line of a wrapped compiler, is left as it is.
pub fn to_long_options(mut arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let own_with_value = own_with_value();
    let mut result = Vec::from_iter(arguments.next());
    while let Some(argument) = arguments.next() {
        let is_wrapper = argument == "cc" && result.len() == 1;
        if argument == "--" || is_wrapper {
            result.push(argument);
            result.extend(arguments);
            break;
        }
        if own_with_value.iter().any(|option| argument == option.as_str()) {
            result.push(argument);
            result.extend(arguments.next());
        } else if let Some((option, rest)) = dependency_option(&argument) {
            let value = match rest {
                _ if !option.contains("dependency-") => None,
                [] => arguments.next(),
                joined => Some(OsString::from_vec(joined.to_vec())),
            };
            result.push(joined(option, value.as_deref()));
        } else if WITH_VALUE.iter().any(|flag| argument == *flag) {
            result.push(joined("--cflag", Some(&argument)));
            result.extend(arguments.next().map(|value| joined("--cflag", Some(&value))));
        } else if is_compiler_flag(&argument) {
            result.push(joined("--cflag", Some(&argument)));
        } else if !has_no_meaning(&argument) {
            result.push(argument);
        }
    }
    result
}

fn dependency_option(argument: &OsStr) -> Option<(&'static str, &[u8])> {
    let bytes = argument.as_bytes();
    DEPENDENCIES.iter().find_map(|(short, long)| {
        let rest = bytes.strip_prefix(short.as_bytes())?;
        (rest.is_empty() || matches!(*short, "-MF" | "-MT")).then_some((*long, rest))
    })
}

fn is_compiler_flag(argument: &OsStr) -> bool {
    let is_passed = begins_with_one(argument, &WITH_VALUE)
        || begins_with_one(argument, &ALONE)
        || argument.as_bytes().starts_with(b"-Wp,");
    is_passed && !UNEXPANDED.iter().any(|flag| argument == *flag)
}

fn has_no_meaning(argument: &OsStr) -> bool {
    begins_with_one(argument, &WITHOUT_MEANING)
}

fn begins_with_one(argument: &OsStr, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|beginning| argument.as_bytes().starts_with(beginning.as_bytes()))
}

fn joined(option: &str, value: Option<&OsStr>) -> OsString {
    let mut result = OsString::from(option);
    if let Some(value) = value {
        result.push("=");
        result.push(value);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(line: &str) -> String {
        let words = to_long_options(line.split(' ').map(OsString::from));
        words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn compiler_flags_keep_their_order() {
        assert_eq!(
            spelled("s -DA=1 -U A -include x.h -isystemd -std=c99 f.c"),
            "s --cflag=-DA=1 --cflag=-U --cflag=A --cflag=-include --cflag=x.h --cflag=-isystemd --cflag=-std=c99 f.c"
        );
    }

    #[test]
    fn flags_of_a_build_reach_the_preprocessor_or_mean_nothing() {
        assert_eq!(
            spelled("s -O2 -g3 -Wall -Wp,-DA -w -pedantic -pipe -fopenmp -march=native -pthread f.c"),
            "s --cflag=-O2 --cflag=-Wp,-DA --cflag=-fopenmp --cflag=-march=native --cflag=-pthread f.c"
        );
        for foreign in ["-c", "-S", "-E", "-lm", "-Lx", "-shared", "-fdirectives-only"] {
            assert_eq!(spelled(&format!("s {foreign}")), format!("s {foreign}"));
        }
    }

    #[test]
    fn dependency_options_have_long_names() {
        assert_eq!(spelled("s -MD -MF a.d -MTx"), "s --dependencies --dependency-file=a.d --dependency-target=x");
        assert_eq!(spelled("s -MMD -MP"), "s --user-dependencies --phony-targets");
    }

    #[test]
    fn values_files_and_wrapped_compilers_are_left_alone() {
        assert_eq!(spelled("s -o -Dout -- -Dfile.c"), "s -o -Dout -- -Dfile.c");
        assert_eq!(spelled("s --explain -Dx --nest -Ox --color -g"), "s --explain -Dx --nest -Ox --color -g");
        assert_eq!(spelled("s cc gcc -DX -MD"), "s cc gcc -DX -MD");
    }
}
