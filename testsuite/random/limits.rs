//! Legal programs that the tool is known to refuse.

use super::folds::FoldPlace;
use super::model::{Base, Condition, Expr, Field, Form, Item, Program, Subscript, Sweep, TimeForm, Total, Wall};
use super::ways::{Turn, WallWay};

/// A refusal that is no failure.
pub struct Limit {
    /// The rule that the tool names.
    pub rule: &'static str,
    /// Why the tool cannot do it.
    pub reason: &'static str,
    /// Whether it explains the refusal of this program.
    explains: fn(&Program) -> bool,
}

/// Keep this list short: each entry is a promise that the tool does not keep yet.
pub const LIMITS: &[Limit] = &[
    Limit {
        rule: "never-executed",
        reason: "a statement whose condition holds nowhere is refused as a mistake",
        explains: |program| program.sweeps().flat_map(|sweep| &sweep.statements).any(|s| s.guard.is_some()),
    },
    Limit {
        rule: "too-many-dimensions",
        reason: "slots that do not change with the step are a dimension of their own, the fifth here",
        explains: |program| program.rank == 4 && program.fields.iter().any(|field| field.slots > 1),
    },
    Limit {
        rule: "too-many-dimensions",
        reason: "rows of steps and parts of elements are dimensions, the fifth here",
        explains: |program| {
            program.fields.iter().any(|field| field.dims.len() + usize::from(field.packing.is_some()) > 4)
        },
    },
    Limit {
        rule: "written-twice",
        reason: "a history has a row for each value of the loop's variable",
        explains: skips_rows_of_history,
    },
    Limit {
        rule: "rotation",
        reason: "a history has a row for each value of the loop's variable",
        explains: skips_rows_of_history,
    },
    Limit {
        rule: "scalar-carried",
        reason: "a history has a row for each value of the loop's variable",
        explains: skips_rows_of_history,
    },
    Limit {
        rule: "written-twice",
        reason: "a record of some steps may have no elements for the others",
        explains: records_some_steps,
    },
    Limit {
        rule: "rotation",
        reason: "a record of some steps may have no elements for the others",
        explains: records_some_steps,
    },
    Limit {
        rule: "scalar-carried",
        reason: "a record of some steps may have no elements for the others",
        explains: records_some_steps,
    },
    Limit {
        rule: "no-parallel-storage",
        reason: "slots chosen by a step that is counted down: which one is first depends on the number of steps",
        explains: |program| program.time == Some(TimeForm::Down) && program.fields.iter().any(|field| field.slots > 1),
    },
    Limit {
        rule: "gauss-seidel",
        reason: "`n / 2` is a number of its own, which may be negative, so slots of a flat array may overlap",
        explains: |program| has_halves(program) && has_flat_slots(program),
    },
    Limit {
        rule: "negative-remainder",
        reason: "`n / 2` is a number of its own, which may be negative",
        explains: has_halves,
    },
    Limit {
        rule: "element-may-not-exist",
        reason: "`n / 2` is a number of its own, which may be larger than `n`",
        explains: has_halves,
    },
    Limit {
        rule: "outside-array",
        reason: "`n / 2` is a number of its own, which may be larger than `n`",
        explains: has_halves,
    },
    Limit {
        rule: "gauss-seidel",
        reason: "`n / 2` is a number of its own, which may be negative, and so may remainders of places behind it",
        explains: |program| has_halves(program) && has_parity(program),
    },
    Limit {
        rule: "outer-loop-carries",
        reason: "the remainder of an unsigned sum, which may wrap around, says nothing about places",
        explains: has_unsigned_parity,
    },
    Limit {
        rule: "outer-loop-carries",
        reason: "rows of a flat history whose unsigned length times the step may wrap around",
        explains: |program| {
            let is_row = |field: &Field| field.form.is_flat();
            !program.setting.index.is_signed() && stores_each_step(program) && program.fields.iter().any(is_row)
        },
    },
    Limit {
        rule: "subscript",
        reason: "what fills an array of subscripts in a function of its own may not be all that changes it",
        explains: |program| program.setting.wall_way == WallWay::Table && program.setting.is_function,
    },
    Limit {
        rule: "not-affine",
        reason: "the remainder of an unsigned sum, which may wrap around, says nothing about places",
        explains: has_unsigned_parity,
    },
    Limit {
        rule: "element-may-not-exist",
        reason: "where a condition is about the place and about the step, what its other side uses is a question of the step",
        explains: |program| guards(program).any(|guard| matches!(guard, Condition::Both(..))),
    },
    Limit {
        rule: "pointer-type",
        reason: "rows whose length is a member of a structure have another length in a function that gets the structure",
        explains: |program| has_rows_of_member_lengths(program) && program.clone().routines_mut().next().is_some(),
    },
    Limit {
        rule: "array-size",
        reason: "a size that is a member of a structure whose address a function gets may have changed",
        explains: |program| has_rows_of_member_lengths(program) && hands_structure_on(program),
    },
    Limit {
        rule: "too-complex",
        reason: "walls on all sides of several neighbours are more pieces than the analysis takes",
        explains: has_many_walls,
    },
    Limit {
        rule: "subscript",
        reason: "a slot that a rule chooses which starts anywhere is no dimension of a flat array",
        explains: turns_in_flat_array,
    },
    Limit {
        rule: "gauss-seidel",
        reason: "a slot that a rule chooses which starts anywhere is no dimension of a flat array",
        explains: turns_in_flat_array,
    },
    Limit {
        rule: "outer-loop-carries",
        reason: "`n / 2` is a number of its own, which may be negative, so slots of a flat array may overlap",
        explains: |program| has_halves(program) && has_flat_slots(program),
    },
    Limit {
        rule: "no-parallel-storage",
        reason: "a field whose pointers change places is updated in place from its own neighbours",
        explains: updates_rotated_field_in_place,
    },
    Limit { rule: "kept-step", reason: RECORDED, explains: folds_beside_rules },
    Limit { rule: "scalar-carried", reason: RECORDED, explains: folds_beside_rules },
    Limit { rule: "scalar-live-out", reason: RECORDED, explains: folds_beside_rules },
    Limit { rule: "outer-loop-carries", reason: RECORDED, explains: folds_beside_rules },
    Limit { rule: "rotation", reason: RECORDED, explains: folds_beside_rules },
    Limit {
        rule: "kept-step",
        reason: "of three buffers that change places one more element is used from the second step on",
        explains: |program| {
            folds(program) && program.items.iter().any(|item| matches!(item, Item::Rotate(it) if it.len() > 2))
        },
    },
    Limit {
        rule: "written-twice",
        reason: "what a pointer leads to is no scalar that is folded",
        explains: |program| program.folds.iter().any(|fold| fold.place == FoldPlace::Pointer),
    },
    Limit {
        rule: "unsupported-target",
        reason: "a function hands on a pointer to a scalar that is folded",
        explains: hands_folds_on,
    },
    Limit {
        rule: "scalar-carried",
        reason: "a function hands on a pointer to a scalar that is folded",
        explains: hands_folds_on,
    },
    Limit {
        rule: "no-parallel-storage",
        reason: "what is folded is stored behind a statement that overwrites what it is made of",
        explains: |program| program.sweeps().any(|sweep| !sweep.foldings.is_empty() && !sweep.statements.is_empty()),
    },
    Limit {
        rule: "outside-array",
        reason: "how far a loop of unknown length goes beside a wall nothing says",
        explains: has_measured_loops,
    },
    Limit { rule: "local-array", reason: MEASURED, explains: has_measured_loops },
    Limit { rule: "scalar-carried", reason: MEASURED, explains: has_measured_loops },
    Limit { rule: "gauss-seidel", reason: FLAT_SLOTS, explains: folds_beside_flat_slots },
    Limit { rule: "outer-loop-carries", reason: FLAT_SLOTS, explains: folds_beside_flat_slots },
    Limit { rule: "written-twice", reason: RECORDED, explains: folds_beside_rules },
];

const FLAT_SLOTS: &str = "steps that fold scalars are recorded, which know no rule for the slots of a flat array";

const RECORDED: &str = "steps that fold scalars are recorded, and those of rules and histories are not";

const MEASURED: &str = "what else is in the way of a nest with loops of unknown length is told as if these were";

/// The limit that explains why the tool refuses `program` by `rule`, if one does.
pub fn find_limit(program: &Program, rule: &str) -> Option<&'static Limit> {
    LIMITS.iter().find(|limit| limit.rule == rule && (limit.explains)(program))
}

/// Whether a loop over time that does not count up by one stores planes or lines of each step.
fn skips_rows_of_history(program: &Program) -> bool {
    let stores = program.sweeps().filter(|sweep| !sweep.loops.is_empty()).flat_map(|sweep| &sweep.statements);
    matches!(program.time, Some(TimeForm::Down | TimeForm::Twos)) && stores.into_iter().any(|it| it.target.names_step())
}

/// Whether elements of single steps, in no loop or in one over fewer axes than all, are stored under a condition on the step.
fn records_some_steps(program: &Program) -> bool {
    let sweeps = program.sweeps().filter(|sweep| sweep.loops.len() < program.rank);
    sweeps.flat_map(|sweep| &sweep.statements).any(|it| it.target.names_step() && it.guard.is_some())
}

/// Whether loops at a point have lengths that only a run of the program says.
pub fn has_measured_loops(program: &Program) -> bool {
    let statements = program.sweeps().flat_map(|sweep| &sweep.statements);
    let mut values = statements.flat_map(|it| [&it.value].into_iter().chain(&it.otherwise));
    values.any(|value| value.totals().into_iter().any(Total::is_measured))
}

fn folds(program: &Program) -> bool {
    !program.folds.is_empty()
}

fn folds_beside_rules(program: &Program) -> bool {
    folds(program) && program.time.is_some() && !program.can_be_recorded()
}

fn folds_beside_flat_slots(program: &Program) -> bool {
    folds(program) && has_flat_slots(program)
}

fn hands_folds_on(program: &Program) -> bool {
    let hands_on = |sweep: &Sweep| sweep.routine.is_some() && !sweep.foldings.is_empty();
    program.division.step.is_some() && program.sweeps().any(hands_on)
}

/// Whether an element is stored that belongs to the step.
fn stores_each_step(program: &Program) -> bool {
    program.sweeps().flat_map(|sweep| &sweep.statements).any(|it| it.target.names_step())
}

fn guards<'p>(program: &'p Program) -> impl Iterator<Item = &'p Condition> {
    let of_sweep = |sweep: &'p Sweep| {
        let statements = sweep.statements.iter().filter_map(|statement| statement.guard.as_ref());
        statements.chain(sweep.foldings.iter().filter_map(|folding| folding.guard.as_ref()))
    };
    program.sweeps().flat_map(of_sweep)
}

fn has_parity(program: &Program) -> bool {
    guards(program).any(|guard| matches!(guard, Condition::Parity { .. }))
}

fn has_unsigned_parity(program: &Program) -> bool {
    !program.setting.index.is_signed() && has_parity(program)
}

fn has_flat_slots(program: &Program) -> bool {
    program.fields.iter().any(|field| field.slots > 1 && field.form.is_flat())
}

fn turns_in_flat_array(program: &Program) -> bool {
    let starts_anywhere = program.setting.turn == Turn::Global || program.time == Some(TimeForm::Down);
    program.setting.turn != Turn::Step && starts_anywhere && has_flat_slots(program)
}

/// Whether subscripts of one sweep stop or go round in more ways than three.
fn has_many_walls(program: &Program) -> bool {
    program.sweeps().any(|sweep| {
        let mut walled = Vec::new();
        Item::Sweep(sweep.clone()).change_references(&mut |reference| {
            let new = reference.subscripts.iter().filter(|it| it.wall != Wall::Open && !walled.contains(*it));
            let new: Vec<Subscript> = new.copied().collect();
            walled.extend(new);
        });
        walled.len() > 3
    })
}

/// Whether arrays have rows whose lengths are members of the structure.
fn has_rows_of_member_lengths(program: &Program) -> bool {
    let has_sizes = program.setting.structure.is_some_and(|structure| structure.sizes.is_some());
    let has_rows = |field: &Field| {
        let levels = field.dims.len() + usize::from(field.slots > 1) + usize::from(field.packing.is_some());
        matches!(field.form, Form::Rows | Form::Variable) && levels > 1
    };
    has_sizes && program.fields.iter().any(has_rows)
}

/// Whether functions get the structure.
fn hands_structure_on(program: &Program) -> bool {
    program.setting.is_function || program.clone().routines_mut().next().is_some()
}

fn has_halves(program: &Program) -> bool {
    let mut bounds = program.sweeps().flat_map(|sweep| &sweep.loops).flat_map(|l| [l.low, l.high]);
    bounds.any(|bound| bound.base == Base::Half)
}

fn updates_rotated_field_in_place(program: &Program) -> bool {
    let is_rotated =
        |field: usize| program.items.iter().any(|item| matches!(item, Item::Rotate(fields) if fields.contains(&field)));
    let mut statements = program.sweeps().flat_map(|sweep| &sweep.statements);
    statements.any(|statement| {
        let target = &statement.target;
        let mut reads = statement.value.reads().into_iter().chain(statement.otherwise.iter().flat_map(Expr::reads));
        is_rotated(target.field) && reads.any(|read| read.field == target.field && read.subscripts != target.subscripts)
    })
}
