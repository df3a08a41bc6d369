//! What the project is made of: where `unsafe` stands, and whose code it takes in.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use cargo_metadata::{CargoOpt, Metadata, MetadataCommand};
use libtest_mimic::Trial;

use crate::case::project;
use crate::command::{clean, run};
use crate::trials_of;

pub fn trials() -> Vec<Trial> {
    trials_of(
        "sources",
        &[
            ("unsafe_code_stands_in_two_places", check_unsafe_places),
            ("lints_want_every_unsafe_block_explained", check_lints),
            ("dependencies_have_known_licences", check_licences),
            ("dependencies_come_from_the_registry", check_registry),
            ("dependencies_come_in_one_version", check_versions),
            ("isl_is_compiled_for_any_processor", check_isl_flags),
        ],
    )
}

/// The folders whose code may be `unsafe`; all others are under the lint `unsafe_code`.
const UNSAFE_FOLDERS: [&str; 2] = ["isl-bindings", "src/device"];

/// Licences that ask for no more than their text. An expression of a package needs one of them, or all that `AND` joins.
const LICENCES: [&str; 5] = ["MIT", "Apache-2.0", "Unlicense", "Zlib", "Unicode-3.0"];

const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Packages that are there in two versions, because `ocl` has not moved on, and of tests `petgraph`.
const TWICE: [&str; 7] = ["bitflags", "foldhash", "hashbrown", "num-traits", "syn", "thiserror", "thiserror-impl"];

/// All Rust files below a folder.
pub fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && !path.ends_with("target") {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(files)
}

/// The lint forbids `unsafe` wherever no attribute allows it; so it is enough to look for such attributes.
fn check_unsafe_places() -> Result<()> {
    let mut seen = 0;
    for folder in ["src", "testsuite", "isl-bindings"] {
        for file in rust_files(&project().join(folder))? {
            let text = fs::read_to_string(&file)?;
            let name = file.strip_prefix(project())?;
            let is_allowed = UNSAFE_FOLDERS.iter().any(|folder| name.starts_with(folder));
            let lifts_lint =
                ["allow", "warn", "expect"].iter().any(|level| text.contains(&format!("{level}(unsafe_code")));
            ensure!(is_allowed || !lifts_lint, "{} lifts the lint `unsafe_code`", name.display());
            seen += 1;
        }
    }
    ensure!(seen > 100, "only {seen} files were looked at");
    Ok(())
}

fn check_lints() -> Result<()> {
    let manifest = fs::read_to_string(project().join("Cargo.toml"))?;
    for line in ["unsafe_code = \"deny\"", "undocumented_unsafe_blocks = \"deny\"", "\n[lints]\nworkspace = true"] {
        ensure!(manifest.contains(line), "Cargo.toml does not say {line}");
    }
    let manifest = fs::read_to_string(project().join("isl-bindings/Cargo.toml"))?;
    ensure!(
        manifest.contains("undocumented_unsafe_blocks = \"deny\""),
        "isl-bindings explains its unsafe code no more"
    );
    Ok(())
}

/// What cargo knows of all packages that are built on this platform, of the versions in `Cargo.lock`. Those of other
/// platforms are left out, for a machine that has built the tests has not downloaded them and may be without network.
fn metadata() -> Result<Metadata> {
    let mut rustc = clean("rustc", project());
    let host = run(rustc.args(["--print", "host-tuple"]))?.succeeded()?;
    let host = String::from_utf8(host.stdout)?.trim().to_string();
    let mut command = MetadataCommand::new();
    command.manifest_path(project().join("Cargo.toml")).features(CargoOpt::AllFeatures);
    command.other_options(["--locked".to_string(), "--filter-platform".to_string(), host]);
    command.exec().context("cargo metadata")
}

/// Whether the licences that are listed satisfy an SPDX expression without nested parentheses.
fn is_permitted(expression: &str) -> bool {
    let is_listed = |name: &str| LICENCES.contains(&name.trim());
    let has_choice = |part: &str| part.trim_matches(['(', ')']).split(" OR ").any(is_listed);
    expression.replace('/', " OR ").split(" AND ").all(has_choice)
}

fn check_licences() -> Result<()> {
    ensure!(is_permitted("MIT/Apache-2.0") && is_permitted("(GPL-3.0 OR MIT) AND Zlib"), "the rule is broken");
    ensure!(!is_permitted("GPL-3.0") && !is_permitted("MIT AND GPL-3.0") && !is_permitted(""), "the rule is broken");
    for package in metadata()?.packages {
        let licence = package.license.as_deref().unwrap_or_default();
        ensure!(is_permitted(licence), "{} {} has the licence `{licence}`", package.name, package.version);
    }
    Ok(())
}

fn check_registry() -> Result<()> {
    let metadata = metadata()?;
    let own: BTreeSet<_> = metadata.workspace_members.iter().collect();
    for package in &metadata.packages {
        let source = package.source.as_ref().map(|source| source.repr.as_str());
        ensure!(own.contains(&package.id) || source == Some(REGISTRY), "{} comes from {source:?}", package.name);
    }
    let lock = fs::read_to_string(project().join("Cargo.lock"))?;
    let (sources, checksums) = (lock.matches("\nsource = ").count(), lock.matches("\nchecksum = ").count());
    ensure!(sources > 0 && sources == checksums, "{sources} packages have a source, {checksums} a checksum");
    Ok(())
}

fn check_versions() -> Result<()> {
    let mut versions = BTreeMap::new();
    for package in metadata()?.packages {
        *versions.entry(package.name.to_string()).or_insert(0) += 1;
    }
    let several: Vec<&str> = versions.iter().filter(|(_, count)| **count > 1).map(|(name, _)| name.as_str()).collect();
    ensure!(several == TWICE, "in several versions: {several:?}");
    Ok(())
}

/// Without these flags isl's configure script asks for those of the machine that it runs on.
fn check_isl_flags() -> Result<()> {
    let site = project().join("isl-bindings/config.site");
    let mut shell = clean("sh", project());
    shell.args(["-ec", ". \"$0\"; echo \"$CFLAGS|$CFLAGS_FOR_BUILD\""]).arg(site);
    let default = run(shell.env_remove("CFLAGS").env_remove("CFLAGS_FOR_BUILD"))?.succeeded()?;
    ensure!(default.stdout == b"-O2|-O2\n", "{}", default.describe());
    let wanted = run(shell.env("CFLAGS", "-O1 -g"))?.succeeded()?;
    ensure!(wanted.stdout == b"-O1 -g|-O2\n", "{}", wanted.describe());
    Ok(())
}
