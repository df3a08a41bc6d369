//! The body of the function that takes steps.

use super::actions::{Action, actions_of_leg};
use super::blocks::{Blocks, Item};
use super::places::Places;
use super::scope::{DONE, StepScope};
use super::variables::{Declaration, Variables};
use crate::back::host::{HOST, declare_integers};
use crate::back::nest::NestToWrite;
use crate::index::Index;
use crate::ir::{Handle, Loop};
use crate::text::Writer;

/// The loop over the steps.
fn head() -> String {
    format!("for (long long {DONE} = count_first; {DONE} < count_first + count_steps; {DONE}++)")
}

/// Writes the body.
pub fn write(writer: &mut Writer, plan: &NestToWrite<'_>) {
    declare_integers(writer, plan);
    let texts: Vec<_> = (0..=plan.nest().step.gaps.len()).map(|leg| StepText::new(plan, leg)).collect();
    if texts.iter().all(StepText::is_empty) {
        writer.line("(void)bases;");
    }
    if let [text] = texts.as_slice() {
        return text.write(writer);
    }
    writer.block(head(), |writer| {
        for (leg, text) in texts.iter().enumerate() {
            writer.block(format_args!("if (first_leg <= {leg} && {leg} <= last_leg)"), |writer| {
                text.places.write_fixed(writer, &text.scope);
                text.write_step(writer);
            });
        }
    });
}

/// Declares the variable of the loop over time, where so many steps are done.
pub fn declare_time(scope: &StepScope<'_>, writer: &mut Writer, time: Handle<Loop>) {
    let Loop { first, step, .. } = scope.nest.loops[time];
    let value = scope.index_of(first).sum(Index::name(DONE).times(step));
    declare_index(scope, writer, time, &HOST.index(&value));
}

fn declare_index(scope: &StepScope<'_>, writer: &mut Writer, this: Handle<Loop>, value: &str) {
    let name = scope.names.loop_variable(this);
    writer.line(format_args!("const long long {name} = {value};"));
    writer.line(format_args!("(void){name};"));
}

/// All that the body, or a leg in it, is made from.
struct StepText<'a> {
    scope: StepScope<'a>,
    places: Places,
    blocks: Blocks,
    variables: Variables,
}

impl<'a> StepText<'a> {
    /// The text of one leg.
    fn new(plan: &'a NestToWrite<'_>, leg: usize) -> Self {
        let scope = StepScope::new(plan.program, plan.names());
        let actions = actions_of_leg(&scope, leg);
        let places = Places::new(&scope, &actions);
        let blocks = Blocks::new(&scope, actions);
        let variables = Variables::new(&scope, &blocks);
        Self { scope, places, blocks, variables }
    }

    /// Whether a step stores nothing but what is there.
    fn is_empty(&self) -> bool {
        self.blocks.items(0).is_empty()
    }

    fn write(&self, writer: &mut Writer) {
        self.places.write_fixed(writer, &self.scope);
        if self.scope.nest.clock.time().is_none() {
            writer.line("(void)count_first;");
            writer.line("(void)count_steps;");
            return self.write_block(writer, 0);
        }
        writer.block(head(), |writer| self.write_step(writer));
    }

    /// What is done in one step.
    fn write_step(&self, writer: &mut Writer) {
        if let Some(time) = self.scope.nest.clock.time() {
            declare_time(&self.scope, writer, time);
        }
        self.places.write_of_step(writer, &self.scope);
        self.write_block(writer, 0);
    }

    fn write_block(&self, writer: &mut Writer, block: usize) {
        for (place, item) in self.blocks.items(block).iter().enumerate() {
            self.variables.before((block, place)).iter().for_each(|it| self.declare(writer, *it));
            match item {
                Item::Act(action) => self.act(writer, *action),
                Item::If(condition, body) => self.write_if(writer, vec![&condition.text], *body),
                Item::Loop(this, body) => {
                    writer.block(self.scope.loop_head(*this), |writer| self.write_block(writer, *body));
                }
                Item::Record(this, body) => writer.block("", |writer| {
                    let time = self.scope.nest.clock.time().expect("records are kept of steps");
                    declare_index(&self.scope, writer, *this, self.scope.names.loop_variable(time));
                    self.write_block(writer, *body);
                }),
            }
        }
    }

    /// Conditions with nothing between them are one.
    fn write_if<'b>(&'b self, writer: &mut Writer, mut conditions: Vec<&'b str>, body: usize) {
        if let [Item::If(inner, inner_body)] = self.blocks.items(body)
            && self.variables.before((body, 0)).is_empty()
        {
            conditions.push(&inner.text);
            return self.write_if(writer, conditions, *inner_body);
        }
        let condition = match conditions.as_slice() {
            [one] => (*one).to_owned(),
            several => several.iter().map(|it| format!("({it})")).collect::<Vec<_>>().join(" && "),
        };
        writer.block(format_args!("if ({condition})"), |writer| self.write_block(writer, body));
    }

    fn declare(&self, writer: &mut Writer, declaration: Declaration) {
        let nest = self.scope.nest;
        match declaration {
            Declaration::Element(read) => {
                let ty = nest.arrays[nest.accesses[read].array].element.c_name();
                writer.line(format_args!("{ty} {} = 0;", self.scope.read_name(read)));
            }
            Declaration::Local(local) => {
                let (ty, name) = (nest.locals[local].ty.c_name(), self.scope.local_name(local));
                writer.line(format_args!("const {ty} {name} = {};", self.scope.early(local)));
            }
        }
    }

    fn act(&self, writer: &mut Writer, action: Action) {
        let element = self.places.element(&self.scope, action.access());
        match action {
            Action::Store(_, value) => writer.line(format_args!("{element} = {};", self.scope.value(value))),
            Action::Read(read) => {
                let array = &self.scope.nest.arrays[self.scope.nest.accesses[read].array];
                let is_declared = !self.variables.is_declared_where_read(read);
                let ty = if is_declared { String::new() } else { format!("const {} ", array.element.c_name()) };
                writer.line(format_args!("{ty}{} = {element};", self.scope.read_name(read)));
            }
        }
    }
}
