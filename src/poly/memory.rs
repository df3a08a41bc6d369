//! Which array element every read and write of a nest touches, and when.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use isl_bindings::{Context, DimKind, Map, Set, UnionMap};

use super::known::KnownSets;
use super::read_groups::{ReadGroup, Reads, read_groups};
use super::texts::Texts;
use super::{Affine, AffineRole, Names, NonAffine, Refusal, Result};
use crate::ir::{Access, Array, BinaryOp, Expr, ExprKind, Handle, Loop, Nest, Statement};

/// A domain of more pieces is worth an attempt to join them.
const MANY_PIECES: usize = 8;

/// The accesses of a nest as integer maps.
pub struct Memory<'a> {
    /// The nest.
    pub nest: &'a Nest,
    /// Names in its sets.
    pub names: &'a Names,
    /// Where the sets live.
    pub context: Context,
    /// For each statement its write, `[p] -> { S3[t, i, j] -> A0[b, x, y] }`.
    pub writes: Vec<Map>,
    /// For each group of reads that some statement needs, by its first one, its map, `[p] -> { R5[t, i] -> A0[b, x, y] }`;
    /// behind the loops the instances of a group of several have the offsets, `R5[t, i, o]`.
    pub reads: BTreeMap<Handle<Access>, Map>,
    /// The arrays that the nest writes, in order.
    pub written: Vec<Handle<Array>>,
    /// For each statement the accesses whose values it needs, once each.
    pub reads_of: Vec<Vec<Handle<Access>>>,
    /// What isl has found of sets of cells.
    pub known: KnownSets,
    /// What texts in isl's notation mean that are met again.
    pub texts: Texts,
    groups: BTreeMap<Handle<Access>, ReadGroup>,
    evaluations: BTreeMap<(usize, Handle<Access>), Map>,
    /// The maps of accesses by what they say of elements and of instances in isl's notation: many accesses touch the same.
    maps: RefCell<BTreeMap<(String, String), Map>>,
    depth: usize,
}

impl<'a> Memory<'a> {
    /// The accesses of `nest`.
    ///
    /// # Errors
    /// A subscript, bound or guard that is not affine where it has to be.
    pub fn new(context: &Context, nest: &'a Nest, names: &'a Names, reads: Reads) -> Result<Self> {
        let depth = nest.accesses.iter().map(|(_, access)| access.loops.len()).max().unwrap_or(0);
        let mut written: Vec<_> = nest.step.statements.iter().map(|s| nest.accesses[s.write].array).collect();
        written.sort();
        written.dedup();
        let reads_of: Vec<_> = nest.step.statements.iter().map(|statement| reads_of(nest, statement)).collect();
        let mut memory = Self {
            nest,
            names,
            context: context.clone(),
            writes: Vec::new(),
            reads: BTreeMap::new(),
            written,
            known: KnownSets::default(),
            texts: Texts::new(context),
            groups: groups(Affine { nest, names }, &reads_of, reads),
            reads_of,
            evaluations: BTreeMap::new(),
            maps: RefCell::default(),
            depth,
        };
        for (index, statement) in nest.step.statements.iter().enumerate() {
            let map = memory.access_map(&format!("S{index}"), statement.write)?;
            memory.writes.push(map);
            let reads: Vec<_> = memory.groups_of(index).map(ReadGroup::first).collect();
            for read in reads {
                memory.add_read(index, read)?;
            }
        }
        Ok(memory)
    }

    /// The groups of reads that a statement needs, each by its first read.
    pub fn groups_of(&self, statement: usize) -> impl Iterator<Item = &ReadGroup> {
        self.reads_of[statement].iter().filter_map(|read| self.groups.get(read))
    }

    fn add_read(&mut self, statement: usize, read: Handle<Access>) -> Result<()> {
        let name = format!("R{}", read.index());
        if !self.reads.contains_key(&read) {
            let map = self.access_map(&name, read)?;
            self.reads.insert(read, map);
        }
        let instance_of = |statement: usize| self.instance(self.nest.step.statements[statement].write);
        let instance = instance_of(statement);
        let is_alike =
            |other: &usize| self.evaluations.contains_key(&(*other, read)) && instance_of(*other) == instance;
        let evaluation = match (0..statement).find(is_alike) {
            Some(other) => self.evaluations[&(other, read)].set_tuple_name(DimKind::In, &format!("S{statement}"))?,
            None => {
                let instance = [instance, self.offsets(read)].concat().join(", ");
                let text = format!("{{ S{statement}[{instance}] -> {name}[{}] }}", self.instance(read).join(", "));
                Map::parse(&self.context, &text)?.intersect_range(&self.reads[&read].domain()?)?
            }
        };
        self.evaluations.insert((statement, read), evaluation);
        Ok(())
    }

    /// The elements that the program touches by an access whose map is `map`, `[p] -> { A0[b, x, y] }`: none if the
    /// conditions on the step that were taken from it never hold.
    pub fn elements(&self, access: Handle<Access>, map: &Map) -> Result<Set> {
        let tuple = map.tuple_name(DimKind::In)?.unwrap_or_default();
        let mut domain = map.domain()?;
        for &condition in &self.nest.accesses[access].steps {
            // Of what sets cannot tell as C does any step may be one.
            if !self.affine().is_signed(condition) || self.rounds_negative(access, [condition], &domain)?.is_some() {
                continue;
            }
            let Ok(condition) = self.affine().condition(condition) else { continue };
            let instance = self.instance(access).join(", ");
            let text = format!("{}{{ {tuple}[{instance}] : {condition} }}", self.names.prefix());
            domain = domain.intersect(&Set::parse(&self.context, &text)?)?;
        }
        Ok(map.intersect_domain(&domain)?.range()?)
    }

    /// Reads of arrays that the nest writes.
    pub fn reads_of_written(&self) -> impl Iterator<Item = (Handle<Access>, &Map)> {
        let is_written = |read: Handle<Access>| self.written.contains(&self.nest.accesses[read].array);
        self.reads.iter().map(|(read, map)| (*read, map)).filter(move |(read, _)| is_written(*read))
    }

    /// Instances at which `access` is evaluated, `[p] -> { tuple[t, i, j] }`.
    fn domain(&self, tuple: &str, access: Handle<Access>) -> Result<Set> {
        let text = format!(
            "{}{{ [{}] : {} }}",
            self.names.prefix(),
            self.instance(access).join(", "),
            self.constraints(access)?
        );
        let domain = self.texts.set(&text)?.set_tuple_name(tuple)?;
        let domain = if domain.n_basic_set()? > MANY_PIECES { domain.coalesce()? } else { domain };
        self.check_rounding(access, &domain)?;
        Ok(domain)
    }

    /// The element that `access` touches, `[p] -> { tuple[t, i, j] -> A0[b, x, y] }`.
    fn access_map(&self, tuple: &str, access: Handle<Access>) -> Result<Map> {
        let affine = self.affine();
        let Access { array, buffer, subscripts, .. } = &self.nest.accesses[access];
        let mut element = Vec::new();
        for &part in buffer.iter().chain(subscripts) {
            element.push(affine.expression(part).map_err(|error| Refusal::NotAffine {
                access,
                part: error,
                role: AffineRole::Subscript,
            })?);
        }
        for (d, offset) in self.wide(access).zip(self.offsets(access)) {
            let place = element.len() - subscripts.len() + d;
            element[place] = format!("({} + {offset})", element[place]);
        }
        if buffer.is_none() {
            element.insert(0, "0".into());
        }
        let instance = self.instance(access).join(", ");
        let relation = format!("[{instance}] -> A{}[{}] }}", array.index(), element.join(", "));
        let key = (relation, self.constraints(access)?);
        if let Some(known) = self.maps.borrow().get(&key) {
            let map = known.set_tuple_name(DimKind::In, tuple)?;
            self.check_rounding(access, &map.domain()?)?;
            return Ok(map);
        }
        let text = format!("{}{{ {tuple}{}", self.names.prefix(), key.0);
        let map = Map::parse(&self.context, &text)?.intersect_domain(&self.domain(tuple, access)?)?;
        self.maps.borrow_mut().insert(key, map.clone());
        Ok(map)
    }

    /// When `access` is evaluated, `{ tuple[t, i] -> [t, c1, i, c2, 0, 0] }`; all schedules of a nest have one length.
    pub fn schedule(&self, tuple: &str, access: Handle<Access>) -> Result<UnionMap> {
        let nest = self.nest;
        let Access { loops, position, .. } = &nest.accesses[access];
        let mut times = Vec::new();
        if !nest.clock.has_steps() {
            times.push(self.time_name());
        }
        for (level, count) in position.iter().enumerate() {
            if level > 0 {
                let this = loops[level - 1];
                let sign = if nest.loops[this].step < 0 && !nest.clock.counts(this) { "-" } else { "" };
                times.push(format!("{sign}{}", self.names.loop_variable(this)));
            }
            if self.is_ordered_by(level) {
                times.push(count.to_string());
            }
        }
        times.resize(self.schedule_length(), "0".into());
        let text = format!("{{ {tuple}[{}] -> [{}] }}", self.instance(access).join(", "), times.join(", "));
        Ok(UnionMap::parse(&self.context, &text)?)
    }

    /// Whether the accesses differ in that number of their positions; numbers that all share only slow isl down.
    fn is_ordered_by(&self, level: usize) -> bool {
        let mut counts = self.nest.accesses.iter().map(|(_, access)| access.position.get(level).copied().unwrap_or(0));
        let first = counts.next();
        counts.any(|count| Some(count) != first)
    }

    /// Dimensions of all schedules: the step, the loops of the deepest access, and the numbers that order them.
    fn schedule_length(&self) -> usize {
        1 + self.depth + (0..=self.depth).filter(|level| self.is_ordered_by(*level)).count()
    }

    /// A moment after the last step, `[p] -> { tuple[...] -> [time_steps, 0, ...] }` for a tuple of `dims` dimensions.
    pub fn schedule_after(&self, tuple: &str, dims: usize) -> Result<UnionMap> {
        let instance: Vec<String> = (0..dims).map(|d| format!("c{d}__")).collect();
        let mut times = vec![self.names.steps().to_string()];
        times.resize(self.schedule_length(), "0".into());
        let text = format!("{}{{ {tuple}[{}] -> [{}] }}", self.names.prefix(), instance.join(", "), times.join(", "));
        Ok(UnionMap::parse(&self.context, &text)?)
    }

    /// From a statement's instances to the evaluations of one of its groups of reads, `[p] -> { S3[t, i, j] -> R5[t, i] }`, both
    /// with the offsets of the group.
    pub fn evaluation(&self, statement: usize, read: Handle<Access>) -> &Map {
        &self.evaluations[&(statement, read)]
    }

    /// The name of the time dimension.
    pub fn time_name(&self) -> String {
        match self.nest.clock.time() {
            Some(time) => self.names.loop_variable(time).to_string(),
            None => "one_step".to_string(),
        }
    }

    /// `t, i, j`: the time step and the loops around `access`, outermost first; behind them the offsets of its group.
    pub fn instance(&self, access: Handle<Access>) -> Vec<String> {
        let loops = &self.nest.accesses[access].loops;
        let space = self.nest.clock.space(loops);
        let loops = space.map(|this| self.names.loop_variable(this).to_string());
        std::iter::once(self.time_name()).chain(loops).chain(self.offsets(access)).collect()
    }

    /// The reads that are one relation with `access`, it among them.
    pub fn members_of(&self, access: Handle<Access>) -> Vec<Handle<Access>> {
        let group = self.groups.get(&access);
        group.map_or_else(|| vec![access], |group| group.members.iter().map(|(member, _)| *member).collect())
    }

    /// The dimensions of the array in which the reads of a group differ.
    fn wide(&self, access: Handle<Access>) -> impl Iterator<Item = usize> {
        self.groups.get(&access).into_iter().flat_map(ReadGroup::wide)
    }

    /// The names of the offsets in these dimensions.
    fn offsets(&self, access: Handle<Access>) -> Vec<String> {
        self.wide(access).map(|d| format!("o{d}__")).collect()
    }

    fn constraints(&self, access: Handle<Access>) -> Result<String> {
        let Access { loops, guards, .. } = &self.nest.accesses[access];
        let time = self.time_name();
        let mut all = vec![format!("0 <= {time} < {}", self.names.steps())];
        for this in self.nest.clock.space(loops) {
            let not_affine = |part| Refusal::NotAffine { access, part, role: AffineRole::LoopBound };
            all.push(self.loop_constraint(this).map_err(not_affine)?);
        }
        for &guard in guards {
            let text = self.affine().condition(guard).map_err(|error| Refusal::NotAffine {
                access,
                part: error,
                role: AffineRole::Condition,
            })?;
            all.push(format!("({text})"));
        }
        if let Some(ReadGroup { lo, hi, .. }) = self.groups.get(&access) {
            all.extend(self.wide(access).map(|d| format!("{} <= o{d}__ <= {}", lo[d], hi[d])));
        }
        Ok(all.join(" and "))
    }

    /// The values of the variable of a loop over space.
    pub fn loop_constraint(&self, this: Handle<Loop>) -> std::result::Result<String, NonAffine> {
        let Loop { first, relation, bound, step, .. } = &self.nest.loops[this];
        let variable = self.names.loop_variable(this);
        let first = self.affine().expression(*first)?;
        let bound = self.affine().expression(*bound)?;
        let relation = order_of(*relation, *step);
        let begin = if *step > 0 { ">=" } else { "<=" };
        let stride = match step.abs() {
            1 => String::new(),
            stride => format!(" and ({variable} - {first}) mod {stride} = 0"),
        };
        Ok(format!("{variable} {begin} {first} and {variable} {relation} {bound}{stride}"))
    }

    /// Rejects `/` and `%` of operands that may be negative, where C truncates and isl floors.
    fn check_rounding(&self, access: Handle<Access>, domain: &Set) -> Result<()> {
        let Access { loops, guards, subscripts, buffer, .. } = &self.nest.accesses[access];
        let bounds = loops.iter().flat_map(|l| [self.nest.loops[*l].first, self.nest.loops[*l].bound]);
        let exprs = bounds.chain(guards.iter().chain(subscripts).chain(buffer).copied());
        let Some(operand) = self.rounds_negative(access, exprs, domain)? else { return Ok(()) };
        Err(Refusal::NegativeRemainder(operand))
    }

    /// An operand of `/` or `%` in one of the expressions that may be negative somewhere in `domain`.
    fn rounds_negative(
        &self,
        access: Handle<Access>,
        exprs: impl IntoIterator<Item = Handle<Expr>>,
        domain: &Set,
    ) -> Result<Option<Handle<Expr>>> {
        let affine = self.affine();
        let mut operands = Vec::new();
        for expr in exprs {
            affine.nonnegative_operands(expr, &mut operands);
        }
        operands.retain(|operand| !self.is_checked(access, *operand));
        if operands.is_empty() {
            return Ok(None);
        }
        let domain = &self.while_time_runs(access, domain)?;
        let tuple = domain.tuple_name()?.unwrap_or_default();
        for operand in operands {
            let Ok(text) = affine.expression(operand) else { continue };
            let negative =
                format!("{}{{ {tuple}[{}] : {text} < 0 }}", self.names.prefix(), self.instance(access).join(", "));
            if !self.texts.set(&negative)?.is_disjoint(domain)? {
                return Ok(Some(operand));
            }
        }
        Ok(None)
    }

    /// Whether the driver sees that `operand` is not negative wherever the access is made, before it starts.
    fn is_checked(&self, access: Handle<Access>, operand: Handle<Expr>) -> bool {
        let Access { loops, guards, .. } = &self.nest.accesses[access];
        let mut value = operand;
        while let ExprKind::Convert(inner) = self.nest.exprs[value].kind {
            value = inner;
        }
        self.nest.range_checks.iter().any(|check| {
            [operand, value].contains(&check.value)
                && check.least >= 0
                && check.loops.iter().all(|this| loops.contains(this))
                && check.guards.iter().all(|guard| guards.contains(guard))
        })
    }

    /// The part of `domain` in which the condition of a time loop that counts down holds: it bounds the loop variable
    /// from below, which the number of steps, a parameter of its own, does not.
    fn while_time_runs(&self, access: Handle<Access>, domain: &Set) -> Result<Set> {
        let Some(time) = self.nest.clock.time() else { return Ok(domain.clone()) };
        let Loop { first, relation, bound, step, .. } = &self.nest.loops[time];
        let (Ok(first), Some(bound)) = (self.affine().expression(*first), self.affine().constant(*bound)) else {
            return Ok(domain.clone());
        };
        if *step > 0 {
            return Ok(domain.clone());
        }
        let (tuple, variable) = (domain.tuple_name()?.unwrap_or_default(), self.time_name());
        let text = format!(
            "{}{{ {tuple}[{}] : {first} + {step} * {variable} {} {bound} }}",
            self.names.prefix(),
            self.instance(access).join(", "),
            order_of(*relation, *step)
        );
        Ok(domain.intersect(&Set::parse(&self.context, &text)?)?)
    }

    /// What the bounds of the time loop say of the number of steps, `[p] -> { : }`, where that matters.
    pub fn possible_steps(&self) -> Result<Set> {
        let universe = Set::parse(&self.context, "{ : }")?;
        if !self.nest.needs_possible_steps() {
            return Ok(universe);
        }
        let Some(Loop { first, relation, bound, step, .. }) = self.nest.clock.time().map(|it| &self.nest.loops[it])
        else {
            return Ok(universe);
        };
        let (Ok(first), Ok(bound)) = (self.affine().expression(*first), self.affine().expression(*bound)) else {
            return Ok(universe);
        };
        let (prefix, steps, relation) = (self.names.prefix(), self.names.steps(), order_of(*relation, *step));
        let text = format!("{prefix}{{ : {steps} <= 0 or {first} + {step} * ({steps} - 1) {relation} {bound} }}");
        Ok(Set::parse(&self.context, &text)?)
    }

    fn affine(&self) -> Affine<'a> {
        Affine { nest: self.nest, names: self.names }
    }
}

/// The order that a loop's condition states: one that runs until `!=` ends where `<` or `>` does, if it ends at all.
fn order_of(relation: BinaryOp, step: i64) -> &'static str {
    match (relation, step > 0) {
        (BinaryOp::NotEqual, true) => "<",
        (BinaryOp::NotEqual, false) => ">",
        (other, _) => other.symbol(),
    }
}

/// Whether some reads of a nest can be analysed together.
pub fn has_read_groups(nest: &Nest, names: &Names) -> bool {
    let reads_of: Vec<_> = nest.step.statements.iter().map(|statement| reads_of(nest, statement)).collect();
    !read_groups(Affine { nest, names }, &reads_of).is_empty()
}

/// The groups of all reads by their first ones.
fn groups(affine: Affine<'_>, reads_of: &[Vec<Handle<Access>>], reads: Reads) -> BTreeMap<Handle<Access>, ReadGroup> {
    let mut groups = match reads {
        Reads::Grouped => read_groups(affine, reads_of),
        Reads::Apart => Vec::new(),
    };
    let grouped: BTreeSet<_> = groups.iter().flat_map(|group| &group.members).map(|(read, _)| *read).collect();
    let alone = reads_of.iter().flatten().filter(|read| !grouped.contains(read));
    groups.extend(alone.map(|read| ReadGroup::single(affine.nest, *read)));
    groups.into_iter().map(|group| (group.first(), group)).collect()
}

/// The accesses that a statement's value needs, each once.
fn reads_of(nest: &Nest, statement: &Statement) -> Vec<Handle<Access>> {
    let mut found = Vec::new();
    for expr in nest.reachable([statement.value]) {
        if let ExprKind::Read(access) = nest.exprs[expr].kind
            && !found.contains(&access)
        {
            found.push(access);
        }
    }
    found
}
