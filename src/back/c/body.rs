//! Statements of kernels.

use super::position::position;
use super::{Arithmetic, Dialect};
use crate::index::{Condition, Index};
use crate::ir::ScalarType;
use crate::kernel::{Bits, Kernel, Statement, Subject};
use crate::text::Writer;

/// What the statements of a kernel are written with.
pub struct Body<'a> {
    /// The dialect.
    pub dialect: &'a dyn Dialect,
    /// What the kernel computes.
    pub subject: &'a Subject<'a>,
    /// The kernel.
    pub kernel: &'a Kernel,
}

impl Body<'_> {
    /// Statements, one after the other.
    pub fn write(&self, writer: &mut Writer, body: &[Statement]) {
        body.iter().for_each(|statement| self.write_statement(writer, statement));
    }

    fn write_statement(&self, writer: &mut Writer, statement: &Statement) {
        match statement {
            Statement::Comment(text) => writer.line(format_args!("/* {} */", text.replace("*/", "* /"))),
            Statement::Position { name, layout, base, cell } => {
                let cell: Vec<String> = cell.iter().map(|x| self.index(x)).collect();
                writer.line(format_args!(
                    "const {} {name} = {};",
                    self.dialect.position_type(),
                    position(*layout, base, &cell)
                ));
            }
            Statement::Int { name, value } => writer.line(format_args!("const int {name} = {};", self.index(value))),
            Statement::Bool { name, value } => {
                writer.line(format_args!("const bool {name} = {};", self.condition(value)))
            }
            Statement::Way { name, value } => {
                let is_open = Condition::Named(self.dialect.may_choose().into());
                let value = self.condition(&Condition::All(vec![is_open, value.clone()]));
                writer.line(format_args!("const bool {name} = {value};"));
            }
            Statement::Long { name, value } => {
                writer.line(format_args!("const {} {name} = {};", self.type_name(ScalarType::I64), self.index(value)))
            }
            Statement::Buffer { name, element, number, buffers } => {
                let (last, others) = buffers.split_last().expect("there is a buffer to choose");
                let choices = others
                    .iter()
                    .enumerate()
                    .map(|(k, buffer)| format!("{} == {k} ? {buffer} : ", self.arithmetic().factor(number)));
                let declared = self.dialect.read_pointer(*element, name);
                writer.line(format_args!("{declared} = {}{last};", choices.collect::<String>()));
            }
            Statement::Mask { name, bits } => {
                writer.line(format_args!("{} {name} = 0;", self.dialect.mask_type()));
                for (bit, holds) in bits.iter().enumerate() {
                    writer.line(format_args!("{name} |= {} ? {:#x}u : 0;", self.condition(holds), 1_u32 << bit));
                }
            }
            Statement::MaskIf { name, condition: holds, masks, otherwise } => {
                let masks = masks.iter().map(bits).collect::<Vec<_>>().join(" & ");
                let value = match self.condition(holds).as_str() {
                    "1" => masks,
                    holds => format!("{holds} ? {masks} : {otherwise:#x}u"),
                };
                writer.line(format_args!("const {} {name} = {value};", self.dialect.mask_type()));
            }
            Statement::Loop { variable, first, last, step, body } => {
                let (first, last) = (self.index(first), self.index(last));
                let increment = if *step == 1 { format!("{variable}++") } else { format!("{variable} += {step}") };
                let head = format!("for (int {variable} = {first}; {variable} <= {last}; {increment})");
                self.block(writer, head, body);
            }
            Statement::If { condition, body } => {
                self.block(writer, format!("if ({})", self.condition(condition)), body);
            }
            Statement::Choose { condition, then, otherwise } => {
                self.block(writer, format!("if ({})", self.condition(condition)), then);
                self.block(writer, "else".to_owned(), otherwise);
            }
            Statement::Unrolled { variable, count, body } => {
                self.dialect.write_unroll(writer);
                self.block(writer, format!("for (int {variable} = 0; {variable} < {count}; {variable}++)"), body);
            }
            Statement::Scope(body) => self.block(writer, String::new(), body),
            Statement::Registers { element, names } => {
                let names: Vec<String> = names.iter().map(|name| format!("{name} = 0")).collect();
                writer.line(format_args!("{} {};", self.type_name(*element), names.join(", ")));
            }
            Statement::Moves(moves) => {
                let moves: Vec<String> = moves.iter().map(|(to, from)| format!("{to} = {from};")).collect();
                writer.line(moves.join(" "));
            }
            Statement::SubGroup { lane, member } => {
                self.dialect.write_sub_group(writer, self.kernel, lane, member.as_deref())
            }
            Statement::Shuffles { element, shuffles } => {
                self.dialect.write_shuffles(writer, self.kernel, *element, shuffles)
            }
            Statement::LoadVector { element, to, from } => {
                self.dialect.write_load(writer, *element, to, &self.place(from))
            }
            Statement::Prefetch(from) => self.dialect.write_prefetch(writer, &self.place(from)),
            Statement::StoreVector { element, to, from, leaves_first } => {
                self.dialect.write_store(writer, *element, &self.place(to), from, *leaves_first);
            }
            Statement::Copy { to, from } => {
                writer.line(format_args!("{} = {};", self.place(to), self.place(from)));
            }
            Statement::Select { to, mask, bits, from } => {
                let (to, from) = (self.place(to), self.place(from));
                let holds = self.condition(&Condition::Bits { mask: mask.clone(), bits: *bits });
                writer.line(format_args!("{to} = {holds} ? {from} : {to};"));
            }
            Statement::Hold(levels) => self.dialect.write_hold(writer, levels),
            Statement::Fold { held, values, condition } => {
                self.dialect.write_fold(writer, held, values, &self.condition(condition));
            }
            Statement::GiveHeld { buffer, levels } => self.dialect.write_given(writer, buffer, levels),
            Statement::Compute(compute) => self.write_compute(writer, compute),
            Statement::Barrier => self.dialect.write_barrier(writer),
            Statement::NeighbourBarrier(member) => self.dialect.write_meeting(writer, self.kernel, &self.index(member)),
        }
    }

    fn block(&self, writer: &mut Writer, head: String, body: &[Statement]) {
        writer.block(head, |writer| self.write(writer, body));
    }

    pub(super) fn arithmetic(&self) -> &'static Arithmetic {
        self.dialect.arithmetic()
    }

    pub(super) fn index(&self, index: &Index) -> String {
        self.arithmetic().index(index)
    }

    pub(super) fn condition(&self, condition: &Condition) -> String {
        self.arithmetic().condition(condition)
    }

    pub(super) fn type_name(&self, ty: ScalarType) -> &'static str {
        (self.arithmetic().type_name)(ty)
    }
}

fn bits(mask: &Bits) -> String {
    match mask {
        Bits::Const(value) => format!("{value:#x}u"),
        Bits::Mask(name) => name.clone(),
        Bits::Not(inner) => match &**inner {
            Bits::Const(_) | Bits::Mask(_) => format!("~{}", bits(inner)),
            other => format!("~({})", bits(other)),
        },
        Bits::Lower(inner, places) => format!("{} >> {places}", bits(inner)),
        Bits::Spread(inner, pattern) => format!("{} * {pattern:#x}u", bits(inner)),
    }
}
