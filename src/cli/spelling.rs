//! Compilers spell long options with one dash; the argument parser wants two.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Compiler flags that take a value, joined or as the next argument.
const WITH_VALUE: [&str; 9] =
    ["-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot", "-I", "-D", "-U"];

/// Compiler flags that stand alone or are followed by a value after `=`.
const ALONE: [&str; 4] = ["-std=", "-ansi", "-nostdinc", "-undef"];

/// Dependency options and their long names; the last two take a value.
const DEPENDENCIES: [(&str, &str); 4] = [
    ("-MMD", "--user-dependencies"),
    ("-MD", "--dependencies"),
    ("-MF", "--dependency-file"),
    ("-MT", "--dependency-target"),
];

/// Options of the tool whose value is the next argument, so that it is not taken for an option.
const OWN_WITH_VALUE: [&str; 21] = [
    "-o",
    "-d",
    "--output",
    "--directory",
    "--fp",
    "--message-format",
    "--dump",
    "--strategy",
    "--time-tile",
    "--tile",
    "--work-group",
    "--per-item",
    "--tuning",
    "--size",
    "--nest",
    "--search",
    "--budget",
    "--seed",
    "--device",
    "--cc",
    "--cflag",
];

/// Turns `-DX`, `-D X`, `-std=c99` into `--cflag=...`, in order, and `-MF x` into `--dependency-file=x`.
///
/// What follows `--`, and the command line of a wrapped compiler, is left as it is.
pub fn to_long_options(mut arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut result = Vec::from_iter(arguments.next());
    while let Some(argument) = arguments.next() {
        let is_wrapper = argument == "cc" && result.len() == 1;
        if argument == "--" || is_wrapper {
            result.push(argument);
            result.extend(arguments);
            break;
        }
        if OWN_WITH_VALUE.iter().any(|option| argument == *option) {
            result.push(argument);
            result.extend(arguments.next());
        } else if let Some((option, rest)) = dependency_option(&argument) {
            let value = match rest {
                _ if option.ends_with("dependencies") => None,
                [] => arguments.next(),
                joined => Some(OsString::from_vec(joined.to_vec())),
            };
            result.push(joined(option, value.as_deref()));
        } else if WITH_VALUE.iter().any(|flag| argument == *flag) {
            result.push(joined("--cflag", Some(&argument)));
            result.extend(arguments.next().map(|value| joined("--cflag", Some(&value))));
        } else if is_compiler_flag(&argument) {
            result.push(joined("--cflag", Some(&argument)));
        } else {
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
    let starts_with = |flag: &&str| argument.as_bytes().starts_with(flag.as_bytes());
    WITH_VALUE.iter().any(starts_with) || ALONE.iter().any(starts_with)
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
    fn dependency_options_have_long_names() {
        assert_eq!(spelled("s -MD -MF a.d -MTx"), "s --dependencies --dependency-file=a.d --dependency-target=x");
        assert_eq!(spelled("s -MMD"), "s --user-dependencies");
    }

    #[test]
    fn values_files_and_wrapped_compilers_are_left_alone() {
        assert_eq!(spelled("s -o -Dout -- -Dfile.c"), "s -o -Dout -- -Dfile.c");
        assert_eq!(spelled("s cc gcc -DX -MD"), "s cc gcc -DX -MD");
    }
}
