//! What the user chose, beyond what the pragmas say.

mod clauses;

use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::ir::ScalarType;
use crate::source::Preprocessor;

use crate::settings::Setting;

pub use clauses::{Clauses, FpMode, Order, StrategyName};

/// Choices that hold for a whole run of the tool.
#[derive(Clone, Debug)]
pub struct Options {
    /// Tuning flags; they win over clauses.
    pub tuning: Tuning,
    /// Plans of the tuning file; flags and clauses win over them.
    pub tuned: Vec<TunedPlan>,
    /// Devices of the tuning file.
    pub measured: Vec<MeasuredDevice>,
    /// The floating-point mode where neither a flag nor a clause names one.
    pub default_fp: FpMode,
    /// Whether the original nests are dropped, so that a failure of the device ends the program.
    pub no_fallback: bool,
    /// Whether a nest that cannot be rewritten stays as it is, with a warning.
    pub keep_unsupported: bool,
    /// The only kind of device that there are kernels for; `None`: there are kernels for both.
    pub kernels_for: Option<DeviceKindName>,
    /// Whether drivers have the runtime's interface only, and the runtime is elsewhere.
    pub has_runtime_apart: bool,
    /// Whether host functions take all steps on the host, for tests of the text that does.
    pub takes_steps: bool,
    /// Whether the tool may write copies of [`beside`](Self::beside), which lend their variables to nests.
    pub copies_beside: bool,
    /// Other files of the program, whose functions nests may call.
    pub beside: Vec<PathBuf>,
    /// How the input is preprocessed.
    pub preprocessor: Preprocessor,
}

/// How a nest is to be run; `None` and empty where nothing is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tuning {
    /// Kernel strategy.
    pub strategy: Option<StrategyName>,
    /// Time steps per kernel launch.
    pub time_tile: Option<u32>,
    /// Cells of a tile, fastest dimension first.
    pub tile: Vec<u32>,
    /// Shape of a work-group in work-items, fastest dimension first.
    pub work_group: Vec<u32>,
    /// Points per work-item along the fastest dimension.
    pub per_item: Option<u32>,
    /// Floating-point mode.
    pub fp: Option<FpMode>,
}

/// A plan of a tuning file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TunedPlan {
    /// The nest: the generated function's name if the results have the names that the tool chooses.
    pub nest: String,
    /// Number of the plan in its file, from 1.
    pub number: usize,
    /// Where it stands, e.g. `legacy.stencil.toml:3`.
    pub place: String,
    /// The devices it is for.
    pub device: Wanted,
    /// The floating-point mode it is for; `None`: all.
    pub fp: Option<FpMode>,
    /// The type of the elements it is for, see [`Nest::element`](crate::ir::Nest::element); `None`: all.
    pub element: Option<ScalarType>,
    /// Values of the nest's integer parameters that it is for; those that are not named do not matter.
    pub sizes: BTreeMap<String, i64>,
    /// What it asks for.
    pub tuning: Tuning,
}

/// A device of a tuning file.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredDevice {
    /// Its name, or a part.
    pub name: String,
    /// Its kind.
    pub kind: DeviceKindName,
    /// What it can do at most.
    pub rates: Rates,
}

/// What a device can do at most, in a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// Bytes from and to its memory.
    pub memory: f64,
    /// Operations on `float`, a fused multiplication and addition being two.
    pub single: f64,
    /// Operations on `double`, if it has any.
    pub double: Option<f64>,
}

impl Rates {
    /// In units of 10^9, by the names that tuning files and listings have for them.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let double = self.double.map(|rate| ("double_gflops", rate));
        let rates = [Some(("gbytes_per_second", self.memory)), Some(("single_gflops", self.single)), double];
        rates.into_iter().flatten().map(|(name, rate)| (name, giga(rate)))
    }
}

impl Serialize for Rates {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.named())
    }
}

/// In units of 10^9, to three figures behind the point.
pub fn giga(rate: f64) -> f64 {
    (1e-6 * rate).round() / 1e3
}

/// The devices that a plan is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Their kind: what it leaves open is chosen for devices of this kind.
    pub kind: DeviceKindName,
    /// Part of their names, regardless of case; `None`: all devices of the kind.
    pub name_part: Option<String>,
}

/// A kind of device as tuning files spell it; everything but a CPU counts as a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeviceKindName {
    /// `cpu`
    Cpu,
    /// `gpu`
    Gpu,
}

impl DeviceKindName {
    /// `cpu` or `gpu`
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
        }
    }
}

impl Wanted {
    /// Whether it is for a device with this name by its own.
    pub fn is_named(&self, name: &str) -> bool {
        self.name_part.as_ref().is_some_and(|part| mentions(name, part))
    }
}

impl MeasuredDevice {
    /// Whether it is the device of a kind and with this name.
    pub fn is(&self, kind: DeviceKindName, name: &str) -> bool {
        self.kind == kind && mentions(name, &self.name)
    }
}

/// Whether a device's name has the part, regardless of case.
fn mentions(name: &str, part: &str) -> bool {
    name.to_ascii_lowercase().contains(&part.to_ascii_lowercase())
}

impl TunedPlan {
    /// Whether both are for the same calls on the same devices.
    pub fn is_for_same(&self, other: &Self) -> bool {
        let lower = |part: &Option<String>| part.as_ref().map(|part| part.to_ascii_lowercase());
        let key =
            |plan: &Self| (plan.nest.clone(), lower(&plan.device.name_part), plan.fp, plan.element, plan.sizes.clone());
        key(self) == key(other) && (self.device.name_part.is_some() || self.device.kind == other.device.kind)
    }
}

impl Tuning {
    /// The same with what it leaves open taken from `other`.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        let longer = |own: &Vec<u32>, other: &Vec<u32>| if own.is_empty() { other.clone() } else { own.clone() };
        Self {
            strategy: self.strategy.or(other.strategy),
            time_tile: self.time_tile.or(other.time_tile),
            tile: longer(&self.tile, &other.tile),
            work_group: longer(&self.work_group, &other.work_group),
            per_item: self.per_item.or(other.per_item),
            fp: self.fp.or(other.fp),
        }
    }
}

/// What is asked for with one setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked<'t> {
    /// One of the setting's own words.
    Word(&'static str),
    /// A number.
    Number(u32),
    /// Numbers, fastest dimension first.
    Numbers(&'t [u32]),
}

impl Tuning {
    /// The settings that make a plan, as people read them.
    pub const PLAN: [Setting; 5] =
        [Setting::Strategy, Setting::TimeTile, Setting::Tile, Setting::PerItem, Setting::WorkGroup];

    /// What is asked for with `setting`.
    pub fn asked(&self, setting: Setting) -> Option<Asked<'_>> {
        let list = |numbers| Some(Asked::Numbers(numbers)).filter(|_| !numbers.is_empty());
        match setting {
            Setting::Strategy => self.strategy.map(|strategy| Asked::Word(strategy.name())),
            Setting::TimeTile => self.time_tile.map(Asked::Number),
            Setting::Tile => list(&self.tile),
            Setting::PerItem => self.per_item.map(Asked::Number),
            Setting::WorkGroup => list(&self.work_group),
            Setting::Fp => self.fp.map(|mode| Asked::Word(mode.name())),
            Setting::Reduction
            | Setting::Name
            | Setting::Scratch
            | Setting::Restrict
            | Setting::Extent
            | Setting::Value
            | Setting::Pure
            | Setting::HostReads
            | Setting::HostWrites => None,
        }
    }

    fn flags(&self) -> Vec<String> {
        use Setting::{Fp, PerItem, Strategy, Tile, TimeTile, WorkGroup};
        let flag = |setting: Setting| Some(format!("--{} {}", setting.flag(), self.asked(setting)?.separated_by(",")));
        [Strategy, TimeTile, Tile, WorkGroup, PerItem, Fp].into_iter().filter_map(flag).collect()
    }
}

impl Asked<'_> {
    /// As text.
    pub fn separated_by(self, separator: &str) -> String {
        match self {
            Self::Word(word) => word.to_owned(),
            Self::Number(number) => number.to_string(),
            Self::Numbers(numbers) => numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(separator),
        }
    }
}

impl From<&Clauses> for Tuning {
    fn from(clauses: &Clauses) -> Self {
        Self {
            strategy: clauses.strategy,
            time_tile: clauses.time_tile,
            tile: clauses.tile.clone(),
            work_group: clauses.work_group.clone(),
            per_item: clauses.per_item,
            fp: clauses.fp,
        }
    }
}

impl Options {
    /// The flags that decide what is written, as one could type them; those that name folders are left out.
    pub fn flags(&self) -> Vec<String> {
        let mut flags = self.tuning.flags();
        if self.tuning.fp.is_none() && self.default_fp != FpMode::Strict {
            flags.push(format!("--fp {}", self.default_fp.name()));
        }
        flags.extend(self.no_fallback.then(|| "--no-fallback".to_owned()));
        flags.extend(self.kernels_for.map(|kind| format!("--kernels-for {}", kind.name())));
        flags.extend(self.keep_unsupported.then(|| "--keep-unsupported".to_owned()));
        flags.extend(self.takes_steps.then(|| "--take-steps".to_owned()));
        let mut words = self.preprocessor.flags.iter().map(|flag| flag.to_string_lossy().into_owned());
        while let Some(word) = words.next() {
            let value = if word == "-D" || word == "-U" { words.next() } else { None };
            let is_told = ["-D", "-U", "-std="].iter().any(|start| word.starts_with(start));
            flags.extend(is_told.then(|| word + &value.unwrap_or_default()));
        }
        flags
    }

    /// What is asked for a nest with these clauses: flags first, then clauses.
    pub fn tuning_for(&self, clauses: &Clauses) -> Tuning {
        self.tuning.or(&clauses.into())
    }

    /// The same with the tuned plans of one nest only.
    #[must_use]
    pub fn for_nest(&self, name: &str) -> Self {
        let mut options = self.clone();
        options.tuned.retain(|plan| plan.nest == name);
        options
    }

    /// The tuned plans for the mode and the elements of a nest with these clauses. They ask for what flags and clauses leave open, if these do not
    /// ask for another strategy, whose tiles and work-groups are of another kind; those for devices of one name come first.
    pub fn tuned_for(&self, clauses: &Clauses, elements: Option<ScalarType>) -> Vec<TunedPlan> {
        let fp = self.fp_for(clauses);
        let asked = self.tuning_for(clauses);
        let fits = |plan: &&TunedPlan| {
            plan.fp.is_none_or(|mode| mode == fp)
                && plan.element.is_none_or(|element| Some(element) == elements)
                && plan.tuning.strategy.is_none_or(|strategy| asked.strategy.unwrap_or(strategy) == strategy)
        };
        let merged = |plan: &TunedPlan| TunedPlan { tuning: asked.or(&plan.tuning), ..plan.clone() };
        let mut plans: Vec<TunedPlan> = self.tuned.iter().filter(fits).map(merged).collect();
        plans.sort_by_key(|plan| plan.device.name_part.is_none());
        plans
    }

    /// The floating-point mode of a nest with these clauses.
    pub fn fp_for(&self, clauses: &Clauses) -> FpMode {
        self.tuning.fp.or(clauses.fp).unwrap_or(self.default_fp)
    }

    /// The order of sums of a nest with these clauses.
    pub fn order_for(&self, clauses: &Clauses) -> Order {
        let by_mode = if self.fp_for(clauses) == FpMode::Strict { Order::Original } else { Order::Any };
        clauses.reduction.unwrap_or(by_mode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(tuning: Tuning, tuned: Vec<TunedPlan>, default_fp: FpMode) -> Options {
        let preprocessor = Preprocessor { compiler: vec!["cc".into()], flags: Vec::new() };
        Options {
            tuning,
            tuned,
            measured: Vec::new(),
            default_fp,
            no_fallback: false,
            keep_unsupported: false,
            kernels_for: None,
            has_runtime_apart: false,
            takes_steps: false,
            copies_beside: false,
            beside: Vec::new(),
            preprocessor,
        }
    }

    #[test]
    fn flags_win_over_clauses_and_clauses_over_defaults() {
        let tuning = Tuning { time_tile: Some(4), tile: vec![32], ..Tuning::default() };
        let mut options = options(tuning, Vec::new(), FpMode::Contract);
        let clauses = Clauses { time_tile: Some(2), tile: vec![8, 8], per_item: Some(3), ..Clauses::default() };
        let chosen = options.tuning_for(&clauses);
        assert_eq!((chosen.time_tile, chosen.tile, chosen.per_item), (Some(4), vec![32], Some(3)));
        assert_eq!(options.fp_for(&clauses), FpMode::Contract);
        assert_eq!(options.fp_for(&Clauses { fp: Some(FpMode::Strict), ..clauses.clone() }), FpMode::Strict);
        options.tuning.fp = Some(FpMode::Fast);
        assert_eq!(options.fp_for(&Clauses { fp: Some(FpMode::Strict), ..clauses }), FpMode::Fast);
    }

    #[test]
    fn sums_keep_their_order_where_each_bit_counts_and_no_clause_gives_it_up() {
        let options = options(Tuning::default(), Vec::new(), FpMode::Strict);
        let order = |fp, reduction| options.order_for(&Clauses { fp, reduction, ..Clauses::default() });
        assert_eq!((order(None, None), order(None, Some(Order::Any))), (Order::Original, Order::Any));
        assert_eq!(order(Some(FpMode::Contract), None), Order::Any);
    }

    #[test]
    fn tuned_plans_fill_what_flags_and_clauses_leave_open() {
        let plan = |part: Option<&str>, fp, time_tile| TunedPlan {
            nest: "a".into(),
            number: 1,
            place: String::new(),
            device: Wanted { kind: DeviceKindName::Gpu, name_part: part.map(Into::into) },
            fp,
            element: (time_tile == 7).then_some(ScalarType::F32),
            sizes: BTreeMap::new(),
            tuning: Tuning { time_tile: Some(time_tile), tile: vec![64], per_item: Some(2), ..Tuning::default() },
        };
        let for_mode = plan(None, Some(FpMode::Fast), 5);
        let tuned = vec![plan(None, None, 4), for_mode, plan(Some("H200"), None, 6), plan(None, None, 7)];
        let options = options(Tuning { tile: vec![32], ..Tuning::default() }, tuned, FpMode::Strict);
        let depths = |options: &Options, clauses: &Clauses| -> Vec<Option<u32>> {
            options.tuned_for(clauses, None).iter().map(|plan| plan.tuning.time_tile).collect()
        };
        assert_eq!(depths(&options, &Clauses::default()), [Some(6), Some(4)]);
        assert_eq!(depths(&options, &Clauses { fp: Some(FpMode::Fast), ..Clauses::default() }).len(), 3);
        let clauses = Clauses { per_item: Some(8), time_tile: Some(9), ..Clauses::default() };
        let merged = options.tuned_for(&clauses, None).remove(0).tuning;
        assert_eq!((merged.time_tile, merged.tile, merged.per_item), (Some(9), vec![32], Some(8)));
        assert!(options.for_nest("b").tuned.is_empty());
        let mut options = options;
        options.tuned[0].tuning.strategy = Some(StrategyName::Stream);
        let clauses = Clauses { strategy: Some(StrategyName::Direct), ..Clauses::default() };
        assert_eq!(depths(&options, &clauses), [Some(6)], "a plan of another strategy than is asked for is none");
    }
}
