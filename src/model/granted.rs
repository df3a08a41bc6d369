//! What was asked for and cannot be had, and why nests get no time tiles by themselves.

use super::estimate::tuning_of;
use super::plan::{KernelPlan, by};
use super::profile::Profile;
use super::strategies::{points_per_item, strategy, strategy_of};
use crate::ir::Nest;
use crate::options::{DeviceKindName, TunedPlan, Tuning};
use crate::poly::Recurrences;
use crate::source::Diagnostic;
use crate::tile::{Obstacle, Reaches, obstacle};

/// A warning for each wish that no plan grants, a note for one that some plan does not, and a note for a time loop that
/// gets no time tiles though nothing is asked for; `reaches` are those of [`compute_reaches`](crate::tile::compute_reaches).
pub fn note_ungranted(
    nest: &Nest,
    recurrences: &Recurrences,
    reaches: Option<&Reaches<'_>>,
    tuning: &Tuning,
    tuned: &[TunedPlan],
    plans: &[KernelPlan],
) -> Vec<Diagnostic> {
    let is_tiled = plans.iter().all(|plan| !plan.tiles.is_empty());
    let hindrance = if is_tiled || reaches.is_some() { None } else { Some(find_hindrance(nest, recurrences)) };
    let subject = Subject { nest, recurrences, hindrance, rank: recurrences.rank() };
    let mut notes = Vec::new();
    for (wish, plan) in tuned.iter().zip(plans) {
        let of_wish = subject.ungranted(&wish.tuning, &[plan]);
        notes.extend(of_wish.into_iter().map(|note| note.with_help(format!("{} asks for it", wish.place))));
    }
    let of_kinds: Vec<&KernelPlan> = plans[plans.len() - 2..].iter().collect();
    notes.extend(subject.ungranted(tuning, &of_kinds));
    notes.extend(subject.note_without_tiles(tuning, &of_kinds));
    notes
}

struct Subject<'a> {
    nest: &'a Nest,
    recurrences: &'a Recurrences,
    /// What keeps the nest from time tiles of any kind.
    hindrance: Option<Obstacle>,
    rank: usize,
}

/// A wish that a plan does not grant.
#[derive(Clone, PartialEq, Eq)]
struct Shortfall {
    asked: String,
    got: String,
    why: String,
    /// Whether it matters even if another plan grants the wish.
    is_vital: bool,
}

/// Why no reaches could be computed.
fn find_hindrance(nest: &Nest, recurrences: &Recurrences) -> Obstacle {
    let because = |reason: &str| Obstacle { reason: reason.into(), read: None };
    if !nest.clock.has_steps() {
        return because("it has no time loop");
    }
    if let Some(obstacle) = obstacle(recurrences) {
        return obstacle;
    }
    if recurrences.storage.fields.iter().any(|field| field.is_written && field.rank > 4) {
        return because("tiles have at most four dimensions");
    }
    because("a sweep reads cells further away than any tile reaches")
}

impl Subject<'_> {
    /// What plans that were made from one wish do not grant.
    fn ungranted(&self, asked: &Tuning, plans: &[&KernelPlan]) -> Vec<Diagnostic> {
        let mut found: Vec<(Shortfall, Vec<String>)> = Vec::new();
        for plan in plans {
            for shortfall in joined(self.shortfalls(asked, plan)) {
                match found.iter_mut().find(|(other, _)| *other == shortfall) {
                    Some((_, devices)) => devices.push(devices_of(plan)),
                    None => found.push((shortfall, vec![devices_of(plan)])),
                }
            }
        }
        let lacking = |asked: &str| -> usize {
            found.iter().filter(|(other, _)| other.asked == asked).map(|(_, devices)| devices.len()).sum()
        };
        let diagnostic = |(shortfall, devices): &(Shortfall, Vec<String>)| {
            let Shortfall { asked, got, why, is_vital } = shortfall;
            let message = format!("{} get {got} instead of {asked}", devices.join(" and "));
            let note = match *is_vital || lacking(asked) == plans.len() {
                true => Diagnostic::warning("not-granted", message, self.nest.pragma),
                false => Diagnostic::note("not-granted", message, self.nest.pragma),
            };
            self.labelled(note.because(why.clone()))
        };
        found.iter().map(diagnostic).collect()
    }

    /// With the place of the dependence that keeps the nest from time tiles, if that is the reason.
    fn labelled(&self, diagnostic: Diagnostic) -> Diagnostic {
        let hindrance = self.hindrance.as_ref().filter(|hindrance| hindrance.reason == diagnostic.primary.message);
        match hindrance.and_then(|hindrance| hindrance.read) {
            Some(read) => diagnostic.with_label(self.nest.accesses.span(read), "this read is in its way"),
            None => diagnostic,
        }
    }

    fn note_without_tiles(&self, asked: &Tuning, plans: &[&KernelPlan]) -> Option<Diagnostic> {
        if !self.nest.clock.has_steps() || asked.strategy.is_some() || asked.time_tile.is_some() {
            return None;
        }
        let without: Vec<String> =
            plans.iter().filter(|plan| plan.tiles.is_empty()).map(|plan| devices_of(plan)).collect();
        let why = self.why_no_tiles(asked);
        let message = format!("no time tiles for {}", without.join(" and "));
        (!without.is_empty())
            .then(|| self.labelled(Diagnostic::note("no-time-tiles", message, self.nest.pragma).because(why)))
    }

    /// Why a plan has no tiles.
    fn why_no_tiles(&self, asked: &Tuning) -> String {
        let without = asked.strategy.filter(|asked| !strategy(*asked).has_tiles());
        match (without, &self.hindrance) {
            (Some(asked), _) => format!("the strategy `{}` has none", asked.name()),
            (None, Some(hindrance)) => hindrance.reason.clone(),
            (None, None) => "no tile that fits is expected to be faster than single steps".into(),
        }
    }

    /// What one plan does not grant.
    fn shortfalls(&self, asked: &Tuning, plan: &KernelPlan) -> Vec<Shortfall> {
        let granted = tuning_of(plan);
        let parts = [
            self.strategy(asked, &granted),
            self.time_tile(asked, plan),
            self.length("tile", "cells", &asked.tile, self.rank),
            self.tile(asked, &granted, plan),
            self.per_item(asked, plan),
            self.length("work-group", "work-items", &asked.work_group, self.rank.min(3)),
            self.work_group(asked, plan),
            self.local_memory(asked, plan),
        ];
        parts.into_iter().flatten().collect()
    }

    fn strategy(&self, asked: &Tuning, granted: &Tuning) -> Option<Shortfall> {
        let (wanted, got) = (asked.strategy?, granted.strategy?);
        let why = match (wanted, got) {
            _ if wanted == got => return None,
            _ if !strategy(got).has_tiles() => self.why_no_tiles(asked),
            _ => strategy(wanted)
                .obstacle(self.nest, self.recurrences)
                .unwrap_or_else(|| "no tile of that strategy fits the registers of a device".into()),
        };
        let got = if strategy(got).has_tiles() { format!("`{}`", got.name()) } else { SINGLE.to_owned() };
        Some(Shortfall { asked: format!("the strategy `{}`", wanted.name()), got, why, is_vital: true })
    }

    fn time_tile(&self, asked: &Tuning, plan: &KernelPlan) -> Option<Shortfall> {
        let (steps, levels) = (asked.time_tile?, plan.tiles.first().map_or(1, |tile| tile.levels));
        if steps as usize == levels {
            return None;
        }
        let (got, why) = match plan.tiles.is_empty() {
            true => (SINGLE.to_owned(), self.why_no_tiles(asked)),
            false => (format!("{levels} steps"), "no tile of that depth fits".into()),
        };
        let asked = format!("a time tile of {steps} step{}", if steps == 1 { "" } else { "s" });
        Some(Shortfall { asked, got, why, is_vital: true })
    }

    /// More numbers than the nest has dimensions.
    fn length(&self, what: &str, unit: &str, asked: &[u32], most: usize) -> Option<Shortfall> {
        let used = asked.get(..most).filter(|_| asked.len() > most)?;
        Some(Shortfall {
            asked: format!("a {what} of {} {unit}", by(asked)),
            got: by(used),
            why: format!("the nest writes arrays of {} dimension{}", self.rank, if self.rank == 1 { "" } else { "s" }),
            is_vital: true,
        })
    }

    fn tile(&self, asked: &Tuning, granted: &Tuning, plan: &KernelPlan) -> Option<Shortfall> {
        let wanted = &asked.tile[..asked.tile.len().min(self.rank)];
        let has_open_width = self.rank > 1 && strategy_of(plan).has_open_width();
        let is_open = |d: usize, extent: u32| d == 0 && extent == 1 && has_open_width;
        let is_granted =
            |(d, extent): (usize, &u32)| granted.tile.get(d) == Some(&(*extent).max(1)) || is_open(d, *extent);
        if wanted.iter().enumerate().all(is_granted) {
            return None;
        }
        let (got, why) = match plan.tiles.is_empty() {
            true => (SINGLE.to_owned(), self.why_no_tiles(asked)),
            false => (
                format!("{} cells", by(&granted.tile)),
                "the width of a streamed tile follows from its depth and per_item, its other sides from the work-group"
                    .into(),
            ),
        };
        Some(Shortfall { asked: format!("a tile of {} cells", by(wanted)), got, why, is_vital: false })
    }

    fn per_item(&self, asked: &Tuning, plan: &KernelPlan) -> Option<Shortfall> {
        let wanted = i64::from(asked.per_item?);
        let columns = plan.tiles.first().and_then(|tile| tile.core.last().copied());
        let (points, why) = match columns {
            None => (1, self.why_no_tiles(asked)),
            Some(columns) => {
                let items = i64::from(plan.tile_work_group[0].max(1));
                (points_per_item(&plan.storage, columns, items), strategy_of(plan).why_per_item().to_owned())
            }
        };
        let asked = format!("{wanted} point{} per work-item", if wanted == 1 { "" } else { "s" });
        (points != wanted).then(|| Shortfall { asked, got: format!("{points} points"), why, is_vital: false })
    }

    fn work_group(&self, asked: &Tuning, plan: &KernelPlan) -> Option<Shortfall> {
        let (got, why) = strategy_of(plan).fixed_work_group(&plan.storage, self.rank)?;
        let used = self.rank.min(3);
        let wanted: Vec<u32> = asked.work_group.iter().take(used).copied().collect();
        if wanted.iter().zip(got).all(|(wanted, got)| (*wanted).max(1) == got) {
            return None;
        }
        let asked = format!("a work-group of {} work-items", by(&wanted));
        Some(Shortfall { asked, got: by(&got[..used]), why: why.to_owned(), is_vital: false })
    }

    /// A tile that was asked for and is too large for the devices that the tool knows.
    fn local_memory(&self, asked: &Tuning, plan: &KernelPlan) -> Option<Shortfall> {
        let tile = plan.tiles.first()?;
        let bytes = strategy_of(plan).local_bytes(self.nest, self.recurrences, tile);
        let [gpu, cpu] = [DeviceKindName::Gpu, DeviceKindName::Cpu].map(|kind| Profile::of(kind).local_maximum);
        let is_asked = asked.time_tile.is_some() || !asked.tile.is_empty() || asked.per_item.is_some();
        (is_asked && bytes > plan.profile.local_maximum).then(|| Shortfall {
            asked: format!("a tile that needs {bytes} bytes of local memory"),
            got: SINGLE.to_owned(),
            why: format!("unless they have so much; GPUs often have {gpu} bytes, CPUs {cpu}"),
            is_vital: true,
        })
    }
}

/// What a plan without tiles does.
const SINGLE: &str = "single steps";

/// Wishes that fail in the same way, as one.
fn joined(all: Vec<Shortfall>) -> Vec<Shortfall> {
    let mut found: Vec<Shortfall> = Vec::new();
    for shortfall in all {
        match found.iter_mut().find(|other| (&other.got, &other.why) == (&shortfall.got, &shortfall.why)) {
            Some(other) => {
                other.asked = format!("{} and {}", other.asked, shortfall.asked);
                other.is_vital |= shortfall.is_vital;
            }
            None => found.push(shortfall),
        }
    }
    found
}

fn devices_of(plan: &KernelPlan) -> String {
    match &plan.device {
        Some(name) => format!("devices called `{name}`"),
        None => if plan.profile.is_gpu { "GPUs" } else { "CPUs" }.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::choose::choose;
    use crate::options::{Order, StrategyName};
    use crate::source::Severity;
    use crate::testing::with_recurrences;
    use crate::tile::compute_reaches;

    const JACOBI: &str = "void f(int n, double a[n][n], double b[n][n])\n{\n#pragma stencil\n    \
        for (int t = 0; t < 9; t++) {\n        for (int i = 1; i < n - 1; i++)\n            \
        for (int j = 1; j < n - 1; j++)\n                b[i][j] = a[i][j - 1] + a[i - 1][j];\n        \
        for (int i = 1; i < n - 1; i++)\n            for (int j = 1; j < n - 1; j++)\n                \
        a[i][j] = b[i][j];\n    }\n}\n";

    /// Reads a cell whose distance grows, which no time tile can.
    const MIRROR: &str = "void f(int n, double *a, double *b)\n{\n#pragma stencil\n    \
        for (int t = 0; t < 9; t++) {\n        for (int i = 1; i < n - 1; i++)\n            \
        b[i] = a[n - 1 - i];\n        for (int i = 1; i < n - 1; i++)\n            a[i] = 2 * b[i];\n    }\n}\n";

    const LINE: &str = "void f(int n, double *a, double *b)\n{\n#pragma stencil\n    \
        for (int i = 1; i < n - 1; i++)\n        b[i] = a[i - 1];\n}\n";

    fn notes(text: &str, tuning: &Tuning) -> Vec<(Severity, String)> {
        let mut found = Vec::new();
        with_recurrences(text, |nest, recurrences| {
            let reaches = compute_reaches(nest, recurrences, Order::Original).expect("no trouble with isl");
            let plans = choose(nest, recurrences, reaches.as_ref(), tuning, &[], &[]).expect("plans");
            let notes = note_ungranted(nest, recurrences, reaches.as_ref(), tuning, &[], &plans);
            found = notes.into_iter().map(|n| (n.severity, format!("{}: {}", n.message, n.primary.message))).collect();
        });
        found
    }

    fn one(text: &str, tuning: &Tuning) -> (Severity, String) {
        let mut all = notes(text, tuning);
        assert_eq!(all.len(), 1, "{all:?}");
        all.remove(0)
    }

    #[test]
    fn what_is_granted_needs_no_word() {
        let local = Tuning {
            strategy: Some(StrategyName::Local),
            time_tile: Some(3),
            tile: vec![16, 4],
            work_group: vec![8, 2],
            per_item: Some(2),
            ..Tuning::default()
        };
        let stream = Tuning {
            strategy: Some(StrategyName::Stream),
            time_tile: Some(4),
            tile: vec![1, 20],
            work_group: vec![32, 2],
            per_item: Some(2),
            ..Tuning::default()
        };
        let rows =
            Tuning { strategy: Some(StrategyName::Rows), time_tile: Some(3), tile: vec![64, 16], ..Tuning::default() };
        for tuning in [Tuning::default(), local, stream, rows] {
            assert_eq!(notes(JACOBI, &tuning), [], "{tuning:?}");
        }
        assert_eq!(notes(LINE, &Tuning::default()), []);
    }

    #[test]
    fn a_strategy_that_cannot_be_had_is_a_warning_with_the_reason() {
        let tuning = Tuning { strategy: Some(StrategyName::Local), time_tile: Some(4), ..Tuning::default() };
        let (severity, text) = one(MIRROR, &tuning);
        assert_eq!(severity, Severity::Warning);
        assert!(text.starts_with(
            "GPUs and CPUs get single steps instead of the strategy `local` and a time tile of 4 steps: "
        ));
        assert!(text.contains("is not constant"), "{text}");
        let (_, text) = one(LINE, &tuning);
        assert!(text.contains("it has no time loop"), "{text}");
        let rows = Tuning { strategy: Some(StrategyName::Rows), ..Tuning::default() };
        let line = JACOBI.replace("[i - 1][j]", "[i][j + 1]");
        assert_eq!(notes(&line, &rows), []);
        let direct = Tuning { strategy: Some(StrategyName::Direct), time_tile: Some(4), ..Tuning::default() };
        assert!(one(JACOBI, &direct).1.contains("`direct` has none"));
    }

    #[test]
    fn sizes_that_are_ignored_are_told() {
        let tuning = Tuning { tile: vec![64, 8, 4, 2], strategy: Some(StrategyName::Local), ..Tuning::default() };
        let (severity, text) = one(JACOBI, &tuning);
        assert_eq!(severity, Severity::Warning);
        assert!(text.contains("GPUs and CPUs get 64 x 8 instead of a tile of 64 x 8 x 4 x 2 cells"), "{text}");
        let tuning = Tuning { tile: vec![4096, 4096], ..tuning };
        let (severity, text) = one(JACOBI, &tuning);
        assert_eq!(severity, Severity::Warning);
        assert!(text.contains("bytes of local memory"), "{text}");
        let tuning = Tuning { work_group: vec![8, 8], strategy: Some(StrategyName::Rows), ..Tuning::default() };
        assert!(one(JACOBI, &tuning).1.contains("a tile of rows is one work-item"));
        let tuning = Tuning { per_item: Some(3), strategy: Some(StrategyName::Stream), ..Tuning::default() };
        assert!(one(JACOBI, &tuning).1.contains("GPUs and CPUs get 4 points instead of 3 points per work-item"));
        let tuning = Tuning { work_group: vec![32, 2], ..Tuning::default() };
        assert_eq!(one(JACOBI, &tuning).0, Severity::Note, "GPUs get it");
    }

    #[test]
    fn a_nest_without_time_tiles_says_why() {
        let (severity, text) = one(MIRROR, &Tuning::default());
        assert_eq!(severity, Severity::Note);
        assert!(text.starts_with("no time tiles for GPUs and CPUs: the distance of a dependence"), "{text}");
    }
}
