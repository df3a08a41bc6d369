//! A nest that is measured, and what the model expects of it.

use std::collections::BTreeMap;

use super::values::Values;
use crate::back::{NestToWrite, write_measuring};
use crate::ir::ScalarType;
use crate::model::{Estimate, KernelPlan, Profile};
use crate::options::{DeviceKindName, FpMode, Options, Tuning};

/// A program that measures a nest, and what the model expects of it.
#[derive(Clone, Debug)]
pub struct MeasuredNest {
    /// The nest's name in tuning files.
    pub name: String,
    /// The program, in C99; all it needs is OpenCL 1.2 and the C library.
    pub text: String,
    /// Rank of the grid.
    pub rank: usize,
    /// The floating-point mode.
    pub fp: FpMode,
    /// Type of the elements, see [`Nest::element`](crate::ir::Nest::element).
    pub element: Option<ScalarType>,
    /// Whether the pragma says how to run the nest.
    pub has_tuning_clauses: bool,
    /// All parameters.
    pub parameters: Vec<String>,
    /// The integer parameters with their values.
    pub sizes: BTreeMap<String, i64>,
    /// Steps that it takes with these; `None` if that is not known before it runs.
    pub steps: Option<i64>,
    /// The plans that GPUs and CPUs take.
    pub expected: [ExpectedPlan; 2],
}

/// A plan of a program, and what the model says of it.
#[derive(Clone, Debug, Default)]
pub struct ExpectedPlan {
    /// Its name.
    pub name: String,
    /// What is expected of it.
    pub estimate: Estimate,
}

impl MeasuredNest {
    /// A nest with these values of its parameters. Of the devices that were measured the options have the one that is to run
    /// it, or none.
    pub fn new(plan: &NestToWrite<'_>, options: &Options, values: &Values<'_>) -> Self {
        let nest = plan.nest();
        Self {
            name: plan.place.name.clone(),
            text: write_measuring(plan, values.known()),
            rank: plan.rank(),
            fp: plan.fp,
            element: nest.element(),
            has_tuning_clauses: Tuning { fp: None, ..Tuning::from(plan.clauses) } != Tuning::default(),
            parameters: values.parameters(),
            sizes: values.sizes(),
            steps: values.steps(),
            expected: [DeviceKindName::Gpu, DeviceKindName::Cpu].map(|kind| ExpectedPlan::new(plan, options, kind)),
        }
    }
}

impl ExpectedPlan {
    fn new(plan: &NestToWrite<'_>, options: &Options, kind: DeviceKindName) -> Self {
        let nest = plan.nest();
        let device = options.measured.iter().find(|device| device.kind == kind);
        let profile = device.map_or_else(|| Profile::of(kind).clone(), |d| Profile::of_measured(d, nest.element()));
        // The plan that only a measured device has stands before that for its kind.
        let choice = plan.choices.iter().find(|choice| choice.profile.is_gpu == profile.is_gpu);
        let Some(choice) = choice else { return Self::default() };
        let choice = KernelPlan { profile, ..choice.clone() };
        let estimate = Estimate::new(&choice, nest, plan.recurrences(), plan.fp);
        Self { name: choice.name, estimate }
    }
}
