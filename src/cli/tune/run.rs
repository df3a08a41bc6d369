//! What holds for all nests of a search.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::cli::args::{Budget, TuneArguments};
use crate::cli::exit::UsageError;
use crate::cli::rewrite::read_source;
use crate::cli::task::{is_standard_input, split_command, tuning_beside, without_dash};
use crate::options::{MeasuredDevice, Options, StrategyName, TunedPlan, Tuning};
use crate::pipeline;
use crate::source::{Diagnostic, Preprocessor, SourceFile};
use crate::tune::MeasuredNest;
use crate::tune::measure::Runner;
use crate::tune::search::Method;

/// A run of `tune`.
pub struct Run {
    pub source: SourceFile,
    pub options: Options,
    /// Devices that were measured before.
    pub devices: Vec<MeasuredDevice>,
    /// The plans that the tuning file has.
    pub present: Vec<TunedPlan>,
    pub values: BTreeMap<String, String>,
    pub tuning: PathBuf,
    pub runner: Runner,
    pub method: Method,
    pub budget: Budget,
    pub seed: u64,
}

impl Run {
    pub fn new(arguments: &TuneArguments) -> Result<Self> {
        if is_standard_input(&arguments.file) {
            return Err(UsageError("plans are kept for a file; standard input is none".into()).into());
        }
        let source = read_source(&without_dash(&arguments.file))?;
        let compiler = split_command(arguments.cc.clone().or_else(|| std::env::var_os("CC")));
        let device = arguments.device.clone().or_else(|| std::env::var_os("STENCIL_DEVICE"));
        Ok(Self {
            tuning: arguments.tuning.clone().unwrap_or_else(|| tuning_beside(source.path())),
            source,
            options: Options {
                tuning: Tuning::default(),
                tuned: Vec::new(),
                measured: Vec::new(),
                default_fp: arguments.fp.unwrap_or_default(),
                no_fallback: false,
                keep_unsupported: false,
                kernels_for: None,
                has_runtime_apart: false,
                takes_steps: false,
                copies_beside: true,
                beside: arguments.with.clone(),
                preprocessor: Preprocessor { compiler: compiler.clone(), flags: arguments.cflag.clone() },
            },
            devices: Vec::new(),
            present: Vec::new(),
            values: arguments.size.iter().cloned().collect(),
            runner: Runner::new(compiler, device)?,
            method: arguments.search.into(),
            budget: arguments.budget,
            seed: arguments.seed,
        })
    }

    /// Programs that measure the nests with one plan; `device` is the one that runs them, if it is known and was measured.
    pub fn programs(
        &self,
        tuning: &Tuning,
        only: Option<&str>,
        device: Option<&MeasuredDevice>,
    ) -> Result<Vec<MeasuredNest>, Vec<Diagnostic>> {
        let measured = device.into_iter().cloned().collect();
        let options = Options { tuning: tuning.clone(), measured, ..self.options.clone() };
        pipeline::write_measured(&options, &self.source, only, &self.values)
    }

    pub fn check_names(&self, nests: &[MeasuredNest], nest: Option<&str>) -> Result<()> {
        if nests.is_empty() {
            let what =
                nest.map_or_else(|| "no nest can be rewritten".to_owned(), |nest| format!("no nest is `{nest}`"));
            bail!("{what} in {}", self.source.path().display());
        }
        let is_known = |name: &String| nests.iter().any(|nest| nest.parameters.contains(name));
        match self.values.keys().find(|name| !is_known(name)) {
            None => Ok(()),
            Some(name) => Err(UsageError(format!("--size {name}: no nest uses a variable of that name")).into()),
        }
    }
}

/// One launch a step, with which all plans must agree.
pub fn direct_tuning() -> Tuning {
    Tuning { strategy: Some(StrategyName::Direct), ..Tuning::default() }
}
