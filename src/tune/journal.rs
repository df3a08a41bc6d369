//! What was measured, a JSON object a line, so that an interrupted search goes on where it stopped.

use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use super::rate::Rate;

/// What came of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// How fast it is.
    Measured(Rate),
    /// Why it was left out.
    Skipped(String),
}

#[derive(Serialize, Deserialize)]
struct Line {
    /// What was measured: program, sizes, mode and device.
    subject: String,
    plan: String,
    outcome: Outcome,
}

/// The outcomes for one subject, in memory and in a file.
#[derive(Debug)]
pub struct Journal {
    file: File,
    subject: String,
    known: HashMap<String, Outcome>,
}

impl Journal {
    /// Where the journal of a tuning file is: `legacy.stencil.tune.jsonl` for `legacy.stencil.toml`.
    pub fn path_for(tuning: &Path) -> PathBuf {
        tuning.with_extension("tune.jsonl")
    }

    /// Opens the journal at `path`, which need not be there yet. Lines about other subjects, and those that an
    /// interruption cut off, are passed over.
    ///
    /// # Errors
    /// When the file can be neither read nor made.
    pub fn open(path: &Path, subject: String) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let mut known = HashMap::new();
        let mut is_whole = true;
        for line in BufReader::new(&file).split(b'\n') {
            let line: Option<Line> = serde_json::from_slice(&line?).ok();
            is_whole = line.is_some();
            known.extend(line.filter(|line| line.subject == subject).map(|line| (line.plan, line.outcome)));
        }
        if !is_whole {
            file.write_all(b"\n")?;
        }
        Ok(Self { file, subject, known })
    }

    /// What is known of a plan.
    pub fn find(&self, plan: &str) -> Option<&Outcome> {
        self.known.get(plan)
    }

    /// Adds what came of a plan.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, plan: &str, outcome: &Outcome) -> io::Result<()> {
        let line = Line { subject: self.subject.clone(), plan: plan.to_owned(), outcome: outcome.clone() };
        let mut text = serde_json::to_vec(&line)?;
        text.push(b'\n');
        self.file.write_all(&text)?;
        self.known.insert(line.plan, line.outcome);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_outlive_an_interruption_in_the_middle_of_a_line() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.tune.jsonl");
        let measured = |median| Outcome::Measured(Rate { median, spread: 0.25 });
        let mut journal = Journal::open(&path, "one".into()).expect("a journal");
        journal.add("p", &measured(1.5)).expect("a line");
        journal.add("q", &Outcome::Skipped("too slow".into())).expect("a line");
        let text = std::fs::read(&path).expect("a file");
        std::fs::write(&path, &text[..text.len() - 5]).expect("a file");
        let mut journal = Journal::open(&path, "one".into()).expect("a journal");
        assert_eq!((journal.find("p"), journal.find("q")), (Some(&measured(1.5)), None));
        journal.add("r", &measured(2.0)).expect("a line");
        assert_eq!(Journal::open(&path, "one".into()).expect("a journal").find("r"), Some(&measured(2.0)));
        assert_eq!(Journal::open(&path, "other".into()).expect("a journal").find("p"), None);
    }
}
