//! The variables that a nest names, by their declarations: a name means what it means at the present place, a handle
//! the same everywhere.

use super::pragma::WrittenClauses;
use super::reader::Reader;
use super::symbols::Variable;
use crate::ir::{self, Handle, HostValue};
use crate::options::Clauses;

impl<'t> Reader<'_, '_, 't> {
    /// The variable that `name` stands for at the present place, if it stands for one.
    pub fn host_value(&mut self, name: &str) -> Option<Handle<HostValue>> {
        let variable = self.scope.variable(name)?;
        let value = self.nest.values.variable(variable.identity(self.unit.source.id(), name));
        self.variables.entry(value).or_insert_with(|| variable.clone());
        Some(value)
    }

    /// A variable that the user does not declare: no declarator begins where the nest does.
    pub fn undeclared(&mut self, name: String) -> Handle<HostValue> {
        let declared_at = self.node.start_byte();
        self.nest.values.variable(ir::Variable { file: self.unit.source.id(), declared_at, name })
    }

    /// The variable that a clause calls `name`, or one that nothing else is if there is none.
    pub fn clause_variable(&mut self, name: &str) -> Handle<HostValue> {
        self.host_value(name).unwrap_or_else(|| self.undeclared(name.to_owned()))
    }

    /// Clauses with the variables that they name at the nest.
    pub fn clauses(&mut self, written: WrittenClauses) -> Clauses {
        let mut variables = |names: Vec<String>| names.iter().map(|name| self.clause_variable(name)).collect();
        Clauses { scratch: variables(written.scratch), restrict: variables(written.restrict), ..written.clauses }
    }

    /// What the declaration of a variable says; `None` if the user declares none.
    pub fn declaration_of(&self, value: Handle<HostValue>) -> Option<&Variable<'t>> {
        self.variables.get(&value)
    }

    /// Whether a variable is declared before the nest.
    pub fn is_from_outside(&self, value: Handle<HostValue>) -> bool {
        self.declaration_of(value).is_some_and(|variable| !variable.is_inside)
    }

    /// Whether a variable holds a number.
    pub fn is_scalar(&self, value: Handle<HostValue>) -> bool {
        self.declaration_of(value).is_some_and(|variable| variable.ty.number().is_some())
    }

    /// Variables in the order of their names, which does not depend on what was read first.
    pub fn by_name(&self, variables: impl IntoIterator<Item = Handle<HostValue>>) -> Vec<Handle<HostValue>> {
        let mut variables: Vec<_> = variables.into_iter().collect();
        variables.sort_by_key(|variable| (self.name(*variable), *variable));
        variables
    }

    /// How the user writes the variable of a root.
    pub fn root_name(&self, root: usize) -> &str {
        self.name(self.roots[root].variable)
    }

    /// How the user writes a value.
    pub fn name(&self, value: Handle<HostValue>) -> &str {
        self.nest.values.text(value)
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, read_all};
    use crate::ir::{HostValue, Nest, ParamValue};

    /// The array that the nest writes, and its only floating-point parameter.
    fn written_and_factor(nest: &Nest) -> [&HostValue; 2] {
        let array = nest.accesses[nest.step.statements[0].write].array;
        let factor = nest.params.iter().find_map(|(_, param)| match param.value {
            ParamValue::Variable(variable) if param.ty.is_float() => Some(variable),
            _ => None,
        });
        [nest.arrays[array].buffers[0].variable, factor.unwrap()].map(|value| &nest.values[value])
    }

    #[test]
    fn functions_have_variables_of_their_own_and_share_those_of_the_file() {
        let body = "{\n#pragma stencil\nfor (int i = 0; i < n; i++) u[i] = c * i;\n}\n";
        let one = format!("extern double c;\nvoid f(int n, double *u) {body}");
        let nests = read_all(&format!("{one}double c = 2;\nvoid g(int n, double *u) {body}"));
        let [one, other] = [0, 1].map(|index| written_and_factor(nests[index].as_ref().unwrap()));
        assert_eq!((&one[0].variable.name, &other[0].variable.name), (&"u".to_owned(), &"u".to_owned()));
        assert_ne!(one[0], other[0]);
        assert_eq!(one[1], other[1], "both declarations are of one `c`");
    }

    #[test]
    fn an_inner_variable_leaves_the_outer_one_of_its_name_alone() {
        let body = "#pragma stencil\nfor (int i = 0; i < n; i++) {
            double s = a[i]; { double s = a[i + n]; b[i] = s; } if (i > 1) { double s = 3; s = s + 1; } a[i] = s + 1; }";
        let nest = read(&function("int n, double *a, double *b", body));
        let named = nest.values.handles().filter(|value| nest.values.text(*value) == "s");
        assert_eq!(named.count(), 3);
        let text = nest.to_string();
        assert!(
            text.contains("local double s.0 = a[(long long)i]") && text.contains("a[(long long)i] = (s.0 + (double)1)"),
            "{text}"
        );
    }
}
