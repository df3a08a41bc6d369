//! The floating-point mode that follows from the compiler's flags.

use crate::ir::FpMode;

/// What the compiler may do with floating-point numbers, and why we think so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deduced {
    /// The mode for the device.
    pub mode: FpMode,
    /// The flag or macro that decided, for a note to the user; empty if nothing relaxes the arithmetic.
    pub reason: String,
}

/// Takes the flags in order and what `-dM -E` prints with them.
///
/// The compiler's own macros tell about fast arithmetic and about a target that can fuse `a * b + c`, whatever flag,
/// file or default chose it; only contraction has no macro. Contraction is off in the strict dialects of C and without
/// optimisation, as gcc has it.
pub fn deduce(flags: &[String], macros: &str) -> Deduced {
    if is_defined(macros, "__FAST_MATH__") {
        return Deduced { mode: FpMode::Fast, reason: "-ffast-math".into() };
    }
    if let Some(flag) = last_of(flags, "-funsafe-math-optimizations", "-fno-unsafe-math-optimizations") {
        return Deduced { mode: FpMode::Fast, reason: flag };
    }
    let can_fuse = ["__FP_FAST_FMA", "__FP_FAST_FMAF", "__FMA__", "__ARM_FEATURE_FMA"];
    let can_fuse = can_fuse.iter().any(|name| is_defined(macros, name));
    if can_fuse && contracts(flags, macros) {
        let is_target = |flag: &&String| ["-march=", "-mcpu=", "-mfma"].iter().any(|prefix| flag.starts_with(prefix));
        let reason = flags.iter().rfind(is_target).map_or("the compiler's default target", String::as_str);
        return Deduced { mode: FpMode::Contract, reason: reason.to_owned() };
    }
    Deduced { mode: FpMode::Strict, reason: String::new() }
}

fn contracts(flags: &[String], macros: &str) -> bool {
    match flags.iter().rev().find_map(|flag| flag.strip_prefix("-ffp-contract=")) {
        Some(choice) => choice != "off" && is_defined(macros, "__OPTIMIZE__"),
        None => is_defined(macros, "__OPTIMIZE__") && !is_defined(macros, "__STRICT_ANSI__"),
    }
}

/// The flag if it is given and not taken back after that.
fn last_of(flags: &[String], flag: &str, opposite: &str) -> Option<String> {
    let last = flags.iter().rfind(|other| *other == flag || *other == opposite)?;
    (last == flag).then(|| flag.to_owned())
}

fn is_defined(macros: &str, name: &str) -> bool {
    macros.lines().any(|line| line.strip_prefix("#define ").and_then(|rest| rest.split(' ').next()) == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::cc::run::output_of;
    use std::ffi::OsString;

    /// Asks the real compiler.
    fn mode(flags: &str) -> FpMode {
        let flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
        let mut command: Vec<OsString> = vec!["cc".into()];
        command.extend(flags.iter().map(Into::into));
        command.extend(["-dM", "-E", "-x", "c", "/dev/null"].map(Into::into));
        let macros = output_of(&command).expect("a compiler").expect("macros");
        deduce(&flags, &String::from_utf8(macros).expect("macros are text")).mode
    }

    #[test]
    fn fast_arithmetic_is_the_users_choice() {
        assert_eq!(mode("-Ofast"), FpMode::Fast);
        assert_eq!(mode("-O2 -ffast-math"), FpMode::Fast);
        assert_eq!(mode("-O2 -ffast-math -fno-fast-math"), FpMode::Strict);
        assert_eq!(mode("-O2 -funsafe-math-optimizations"), FpMode::Fast);
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn contraction_needs_a_target_and_permission() {
        assert_eq!(mode("-O2"), FpMode::Strict);
        assert_eq!(mode("-O2 -march=haswell"), FpMode::Contract);
        assert_eq!(mode("-O2 -mfma"), FpMode::Contract);
        assert_eq!(mode("-mfma"), FpMode::Strict);
        assert_eq!(mode("-O2 -mfma -ffp-contract=off"), FpMode::Strict);
        assert_eq!(mode("-O2 -mfma -ffp-contract=off -ffp-contract=fast"), FpMode::Contract);
        assert_eq!(mode("-O2 -mfma -std=c99"), FpMode::Strict);
        assert_eq!(mode("-O2 -mfma -std=gnu99"), FpMode::Contract);
    }

    #[test]
    fn the_reason_is_the_flag_that_decided() {
        let flags = ["-O2".to_owned(), "-march=native".to_owned()];
        let macros = "#define __FMA__ 1\n#define __OPTIMIZE__ 1\n";
        assert_eq!(deduce(&flags, macros), Deduced { mode: FpMode::Contract, reason: "-march=native".into() });
    }
}
