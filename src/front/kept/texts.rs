//! Text that functions of libraries read where pointers lead, or write there: rows of an array of characters may be such text.

use tree_sitter::Node;

use super::Need;
use super::host_code::{HostCode, Own};
use super::libraries::fills_text;
use super::needs::is_variable;
use crate::front::tree::{address_of, children, parameter_list, strip_parentheses};
use crate::front::types::CType;

impl<'t> HostCode<'_, '_, 't> {
    /// What a function of a library needs of text that it is given.
    pub fn need_of_text(&self, name: &str, arguments: &[Node<'t>], own: &Own) -> Need {
        let may_be_text = |it: &Node<'t>| self.may_be_text(*it, own);
        match arguments {
            _ if !self.has_characters => Need::Nothing,
            [first, ..] if fills_text(name) && may_be_text(first) => Need::All,
            _ if arguments.iter().any(may_be_text) => Need::Read,
            _ => Need::Nothing,
        }
    }

    /// Whether a function of the program gets any number of arguments, which nobody follows by their names.
    pub fn is_variadic(&self, name: &str) -> bool {
        let declarator = self.program().definition(name).and_then(|it| it.child_by_field_name("declarator"));
        let parameters = declarator.and_then(parameter_list).map(children).unwrap_or_default();
        parameters.iter().any(|it| it.kind() == "variadic_parameter")
    }

    /// Whether an argument may lead to characters that are not the function's own.
    fn may_be_text(&self, argument: Node<'t>, own: &Own) -> bool {
        let argument = strip_parentheses(argument);
        match argument.kind() {
            "conditional_expression" => ["consequence", "alternative"]
                .iter()
                .filter_map(|it| argument.child_by_field_name(it))
                .any(|branch| self.may_be_text(branch, own)),
            _ if self.leads_to_own(Some(argument), own) => false,
            _ if address_of(self.unit(), argument).is_some_and(is_variable) => false,
            _ => self.type_of_argument(argument).is_none_or(|ty| leads_to_characters(&ty)),
        }
    }

    fn type_of_argument(&self, node: Node<'t>) -> Option<CType<'t>> {
        self.type_at(node)
    }
}

/// Whether a pointer or a row of this type may lead to characters.
fn leads_to_characters(ty: &CType) -> bool {
    let (CType::Pointer(inner) | CType::Array(inner, _)) = ty else { return false };
    match &**inner {
        CType::Scalar(ty) => ty.size() == 1,
        CType::Array(..) => leads_to_characters(inner),
        CType::Pointer(_) | CType::Function(_) | CType::Structure(_) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use crate::front::Need;
    use crate::front::tests::{function, needs};

    /// What `code` needs behind the sweeps of a step over arrays of this type.
    fn need(ty: &str, code: &str) -> Vec<Need> {
        let sweeps = "for (int i = 1; i < n - 1; i++) b[i] = a[i - 1]; for (int i = 1; i < n - 1; i++) a[i] = b[i];";
        let body = format!(
            "char own[20]; int k = 0;\n#pragma stencil\nwhile (k < n) {{ k += 1 + k % 2;\n{sweeps}\n{code}\n}}"
        );
        let say = "static void say(const char *form, ...) { va_list all; va_start(all, form); vprintf(form, all); va_end(all); }";
        let before = format!("#include <stdio.h>\n#include <stdarg.h>\n{say}\n");
        needs(&(before + &function(&format!("int n, {ty} *a, {ty} *b, {ty} (*u)[9], char *other"), &body)))
    }

    #[test]
    fn rows_of_characters_are_read_as_text() {
        for code in [
            "puts(a + 3);",
            "printf(\"%s\", u[k]);",
            "printf(\"%s\", k ? \"none\" : a + k);",
            "fprintf(stdout, \"%.3s\", other);",
            "say(\"%s\", a + 2);",
        ] {
            assert_eq!(need("char", code), [Need::Read], "{code}");
            assert_eq!(need("double", code), [], "{code}");
        }
        assert_eq!(need("char", "sprintf(other, \"%d\", k);"), [Need::All]);
    }

    #[test]
    fn other_text_is_no_row() {
        for code in
            ["puts(\"row\");", "sprintf(own, \"%d\", k); puts(own);", "printf(\"%d\", k + 1);", "say(\"%d\", k);"]
        {
            assert_eq!(need("char", code), [], "{code}");
        }
    }
}
