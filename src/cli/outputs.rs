//! Which files belong to an input.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// One input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileTask {
    /// The user's file; never starts with a dash. [`STANDARD_INPUT`](crate::source::STANDARD_INPUT) for what is read there.
    pub input: PathBuf,
    /// Whether the source is read on standard input.
    pub is_standard_input: bool,
    /// Name of the unit: the stem of its outputs, in characters that an include line can hold.
    pub stem: String,
    /// The rewritten file.
    pub host: PathBuf,
    /// The host driver.
    pub driver: PathBuf,
    /// The header that declares the driver's functions.
    pub header: PathBuf,
    /// The kernels.
    pub kernels: PathBuf,
    /// The tuning file, if there is one.
    pub tuning: Option<PathBuf>,
}

/// What the dependency options ask for.
#[derive(Debug, PartialEq, Eq)]
pub struct DependencyRequest {
    /// Whether system headers are listed (`-MD`) or not (`-MMD`).
    pub has_system_headers: bool,
    /// Whether each header gets a rule without prerequisites (`-MP`).
    pub has_phony_targets: bool,
    /// `-MF`; otherwise it is named after the rewritten file.
    pub file: Option<PathBuf>,
    /// `-MT`; otherwise the unit's four files.
    pub targets: Vec<OsString>,
}

impl FileTask {
    /// The four files in the order in which they are put in place: the one that needs the others last.
    pub fn outputs(&self) -> [&Path; 4] {
        [&self.kernels, &self.header, &self.driver, &self.host]
    }
}

impl DependencyRequest {
    /// Where the dependency file of `unit` is written.
    pub fn file_of(&self, unit: &FileTask) -> PathBuf {
        self.file.clone().unwrap_or_else(|| unit.host.with_extension("d"))
    }
}
