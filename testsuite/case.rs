//! A C file of the test suite and the directives in its first comment.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

/// One file, one test.
#[derive(Clone, Debug)]
pub struct Case {
    /// Absolute.
    pub path: PathBuf,
    /// `key: value` of the leading `//` lines, in order.
    directives: Vec<(String, String)>,
}

impl Case {
    pub fn read(path: PathBuf) -> Self {
        // Some cases are in Latin-1; a file that cannot be read fails when its test opens it.
        let text = fs::read(&path).unwrap_or_default();
        let directives = parse_directives(&String::from_utf8_lossy(&text));
        Self { path, directives }
    }

    /// The file's name without `.c`.
    pub fn name(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }

    /// The value of a directive, e.g. `5 7 ; 9 9` for `// args: 5 7 ; 9 9`.
    pub fn directive<'a>(&'a self, key: &'a str) -> Option<&'a str> {
        self.directives(key).next()
    }

    /// The values of a directive that may stand several times.
    pub fn directives<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        self.directives.iter().filter(move |(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// Fails if a line reads like a directive and is none of `known`: a misspelt one would be ignored otherwise.
    pub fn check_directives(&self, known: &[&str]) -> Result<()> {
        for (key, _) in &self.directives {
            let is_one_word = key.bytes().all(|byte| byte.is_ascii_lowercase());
            ensure!(!is_one_word || known.contains(&key.as_str()), "`// {key}:` is none of {known:?}");
        }
        Ok(())
    }

    /// The words of a directive; none without it.
    pub fn words(&self, key: &str) -> Vec<String> {
        split_words(self.directive(key).unwrap_or_default())
    }

    /// The command lines of the runs that `// args:` asks for: one without arguments when it is absent.
    pub fn runs(&self) -> Vec<Vec<String>> {
        self.directive("args").unwrap_or_default().split(';').map(split_words).collect()
    }
}

/// The cases of a folder, sorted by name.
pub fn read_cases(folder: &Path) -> Vec<Case> {
    find_c_files(folder).into_iter().map(Case::read).collect()
}

/// The C files directly in `folder`, sorted; none if there is no such folder.
pub fn find_c_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.path()).filter(|path| is_c_source(path)).collect();
    files.sort();
    files
}

/// The top folder of the project.
pub fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder of the test suite.
pub fn suite(folder: &str) -> PathBuf {
    project().join("testsuite").join(folder)
}

/// Outputs of the tool that someone left beside a case are no cases.
fn is_c_source(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".c") && !name.ends_with(".ocl.c") && !name.ends_with(".stencil.c")
}

fn parse_directives(text: &str) -> Vec<(String, String)> {
    let lines = text.lines().map_while(|line| line.trim().strip_prefix("//"));
    let pairs = lines.filter_map(|line| line.trim().split_once(':'));
    pairs.map(|(key, value)| (key.trim().to_string(), value.trim().to_string())).collect()
}

fn split_words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_string).collect()
}
