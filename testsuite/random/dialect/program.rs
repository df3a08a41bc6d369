//! Several units in one translation unit, with the flags of its compilers and the plan of its nests.
//!
//! Many nests share one process, one run of the tool and one driver: building these would take most of the time.

use std::ops::Range;

use super::draw::{LIBRARY, Random, draw_unit};
use super::model::Unit;
use super::types::{HIDDEN_TYPE, INTEGERS};
use super::write::write_unit;

/// Units of one program.
pub const UNITS: u64 = 12;

/// Compilers and standards; a new one joins by an entry.
const COMPILERS: [&str; 3] = ["gcc", "gcc", "clang"];
const STANDARDS: [&str; 9] = ["c99", "c11", "c17", "gnu99", "gnu11", "gnu17", "gnu17", "c2x", "gnu2x"];

#[derive(Clone, Debug)]
pub struct Program {
    /// The first unit's seed.
    pub seed: u64,
    pub units: Vec<Unit>,
    pub setting: Setting,
    pub plan: Plan,
}

/// How the original and what the tool writes are compiled.
#[derive(Clone, Debug)]
pub struct Setting {
    pub compiler: &'static str,
    pub standard: &'static str,
    /// The driver is large; clang compiles it sooner.
    pub driver_compiler: &'static str,
}

/// Which kernels run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Options of the tool.
    pub options: Vec<String>,
    /// The value of `STENCIL_PLAN`.
    pub profile: Option<&'static str>,
}

impl Program {
    /// The program of the seeds from `seed`, a multiple of [`UNITS`], on.
    pub fn draw(seed: u64) -> Self {
        let mut random = Random::new(seed ^ 0x5eed_0fca);
        let plan = draw_plan(&mut random, seed / UNITS);
        let setting = Setting {
            compiler: random.pick(&COMPILERS),
            standard: random.pick(&STANDARDS),
            driver_compiler: random.pick(&["clang", "clang", "clang", "gcc"]),
        };
        let units = (seed..seed + UNITS).filter_map(draw_unit).collect();
        Self { seed, units, setting, plan }
    }

    /// The same with one unit only.
    pub fn with_unit(&self, unit: &Unit) -> Self {
        Self { seed: unit.seed, units: vec![unit.clone()], ..self.clone() }
    }

    /// The same without some of its units.
    pub fn without_units(&self, unwanted: &[usize]) -> Self {
        let wanted = self.units.iter().enumerate().filter(|(index, _)| !unwanted.contains(index));
        Self { units: wanted.map(|(_, unit)| unit.clone()).collect(), ..self.clone() }
    }

    /// The text, and the lines of each unit, counted from 1.
    pub fn write(&self, title: &[String]) -> (String, Vec<Range<usize>>) {
        let mut text: String = title.iter().map(|line| format!("// {line}\n")).collect();
        text += include_str!("prelude.h");
        let units: Vec<String> =
            distinct(&self.units).iter().enumerate().map(|(number, unit)| write_unit(unit, number)).collect();
        let is_needed =
            |declaration: &str, name: &str| !declaration.is_empty() && units.iter().any(|unit| unit.contains(name));
        for named in INTEGERS.iter().filter(|named| is_needed(named.declaration, named.name)) {
            text += &format!("{}\n", named.declaration);
        }
        if is_needed("typedef", HIDDEN_TYPE) {
            text += &format!("typedef short {HIDDEN_TYPE};\n");
        }
        let mut lines = Vec::new();
        for unit in units {
            text += "\n";
            let first = text.lines().count() + 1;
            text += &unit;
            lines.push(first..text.lines().count() + 1);
        }
        text += "\nint main(int argc, char **argv)\n{\n";
        for number in 0..lines.len() {
            text += &format!("    RUN({number});\n");
        }
        text += "    return 0;\n}\n";
        (text, lines)
    }

    pub fn describe_plan(&self) -> String {
        let profile = self.plan.profile.map_or(String::new(), |profile| format!("STENCIL_PLAN={profile}"));
        let words: Vec<&str> = self
            .plan
            .options
            .iter()
            .map(String::as_str)
            .chain([profile.as_str()])
            .filter(|word| !word.is_empty())
            .collect();
        if words.is_empty() { "the tool's own plan".to_string() } else { words.join(" ") }
    }
}

/// The units with library names of their own given to one of them each: a file has each function once.
fn distinct(units: &[Unit]) -> Vec<Unit> {
    let mut taken: Vec<String> = Vec::new();
    let mut units = units.to_vec();
    for helper in units.iter_mut().flat_map(|unit| &mut unit.functions) {
        if LIBRARY.contains(&helper.name.as_str()) {
            if taken.contains(&helper.name) {
                helper.name = format!("{}_of_#", helper.name);
            } else {
                taken.push(helper.name.clone());
            }
        }
    }
    units
}

/// Programs take turns.
fn draw_plan(random: &mut Random, turn: u64) -> Plan {
    let own = Plan { options: Vec::new(), profile: None };
    match turn % 3 {
        0 => own,
        1 => Plan { profile: Some("gpu"), ..own },
        _ => Plan { options: draw_options(random), ..own },
    }
}

fn draw_options(random: &mut Random) -> Vec<String> {
    let strategy = random.pick(&["direct", "local", "stream", "rows", "rows"]);
    let mut words = vec!["--strategy".to_string(), strategy.to_string()];
    if strategy != "direct" {
        let deepest = if strategy == "rows" { 6 } else { 3 };
        words.extend(["--time-tile".to_string(), random.within(1, deepest).to_string()]);
    }
    if random.chance(50) && matches!(strategy, "local" | "rows") {
        let sizes: Vec<String> = (0..3).map(|_| random.within(2, 7).to_string()).collect();
        words.extend(["--tile".to_string(), sizes.join(",")]);
    }
    words
}
