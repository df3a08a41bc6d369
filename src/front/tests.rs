//! Whole snippets through the user's way: the C compiler preprocesses, the front end reads.

use super::{MarkedNest, Need, ParsedFile, read_nests};
use crate::ir::{Handle, HostValue, Nest, Replay};
use crate::source::{Diagnostic, Files, Preprocessed, Preprocessor, SourceFile, render};

/// Reads every nest of `text`.
pub fn read_all(text: &str) -> Vec<Result<Nest, Vec<Diagnostic>>> {
    read_all_with(text, &[])
}

/// Reads every nest of `text` with flags for the compiler.
fn read_all_with(text: &str, flags: &[&str]) -> Vec<Result<Nest, Vec<Diagnostic>>> {
    read_marked(text, flags).into_iter().map(|result| result.map(|marked| marked.nest)).collect()
}

/// Reads every nest of `text` with what its pragma asks for.
pub fn read_marked(text: &str, flags: &[&str]) -> Vec<Result<MarkedNest, Vec<Diagnostic>>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("heat.c");
    std::fs::write(&path, text).unwrap();
    let source = SourceFile::read(path).unwrap();
    let flags = flags.iter().map(Into::into).collect();
    let preprocessor = Preprocessor { compiler: vec!["gcc".into()], flags };
    read_preprocessed(&source, &preprocessor.run(&source).unwrap(), "heat")
}

fn read_preprocessed(
    source: &SourceFile,
    preprocessed: &Preprocessed,
    stem: &str,
) -> Vec<Result<MarkedNest, Vec<Diagnostic>>> {
    read_nests(source, preprocessed, ParsedFile::new(source, preprocessed).as_ref(), stem)
}

/// The steps that conditions compute in the marked loops of `text`.
pub fn steps_in_conditions(text: &str) -> Vec<crate::front::StepInCondition> {
    let source = SourceFile::new("heat.c", text.as_bytes().to_vec());
    let preprocessed = Preprocessed::new(text.as_bytes().to_vec());
    let parsed = ParsedFile::new(&source, &preprocessed);
    parsed.map_or_else(Vec::new, |parsed| super::find_steps_in_conditions(&source, &preprocessed, &parsed))
}

/// What the host can hand on in marked loops of a text.
pub fn handovers(text: &str) -> Vec<crate::front::Handover> {
    let source = SourceFile::new("heat.c", text.as_bytes().to_vec());
    let preprocessed = Preprocessed::new(text.as_bytes().to_vec());
    let parsed = ParsedFile::new(&source, &preprocessed);
    parsed.map_or_else(Vec::new, |parsed| super::find_handovers(&source, &preprocessed, &parsed))
}

/// What the host's code in the only nest of `text`, a loop that the host keeps, needs before each place.
pub fn needs(text: &str) -> Vec<Need> {
    places(text).into_iter().map(|place| place.need).collect()
}

/// Where the host needs arrays in the only nest of `text`.
pub fn places(text: &str) -> Vec<crate::front::Place> {
    let mut nests = read_marked(text, &[]);
    assert_eq!(nests.len(), 1);
    let marked = nests.pop().unwrap().unwrap_or_else(|errors| panic!("{}", shown(text, &errors)));
    marked.kept.expect("the host keeps the loop").places
}

/// The same where `code` stands behind the sweeps of a step, in a function with these parameters, behind `before`.
pub fn places_behind_sweeps(before: &str, parameters: &str, code: &str) -> Vec<crate::front::Place> {
    let sweeps = "for (int i = 1; i < n - 1; i++) b[i] = a[i - 1]; for (int i = 1; i < n - 1; i++) a[i] = b[i];";
    let body = format!(
        "double s = 0; int k = 0; double x = 0;\n#pragma stencil\nwhile (k < n) {{ k += 1 + k % 2;\n{sweeps}\nif (k % 3 == 0) {{\n{code}\n}} }}"
    );
    let declared = "#include <stdio.h>\n#include <string.h>\ndouble drand48(void);\n";
    places(&format!("{declared}{before}struct grid {{ int n; double *u; }};\n{}", function(parameters, &body)))
}

/// For each nest of `text` the number of the first one of its chain, if it is in one.
pub fn chains(text: &str) -> Vec<Option<usize>> {
    let nests = read_marked(text, &[]).into_iter();
    let nests = nests.map(|nest| nest.unwrap_or_else(|errors| panic!("{}", shown(text, &errors))));
    nests.map(|nest| nest.chain.map(|chain| chain.first)).collect()
}

/// Reads the only nest of `text`.
pub fn read(text: &str) -> Nest {
    let mut nests = read_all(text);
    assert_eq!(nests.len(), 1);
    nests.pop().unwrap().unwrap_or_else(|errors| panic!("{}", shown(text, &errors)))
}

/// The codes and messages of what is refused in the only nest of `text`.
pub fn refusal(text: &str) -> Diagnostic {
    let mut nests = read_all(text);
    assert_eq!(nests.len(), 1);
    match nests.pop().unwrap() {
        Ok(nest) => panic!("not refused:\n{nest}"),
        Err(mut errors) => errors.remove(0),
    }
}

fn shown(text: &str, errors: &[Diagnostic]) -> String {
    render(&Files::new(&SourceFile::new("heat.c", text.as_bytes().to_vec())), errors, false)
}

/// `body` in a function with the parameters `parameters`.
pub fn function(parameters: &str, body: &str) -> String {
    format!("#include <math.h>\n#include <string.h>\nvoid f({parameters})\n{{\n{body}\n}}\n")
}

/// A nest over `i` with `body`, behind what `before` declares.
pub fn point_nest(before: &str, body: &str) -> String {
    let text = format!("{before}\n#pragma stencil\nfor (int i = 1; i < n - 1; i++) {{ {body} }}");
    function("int n, int m, double *a, const double *b, const int *c", &text)
}

#[test]
fn jacobi_on_true_arrays_with_copy_back() {
    let nest = read(&function(
        "int n, int m, int steps, double a[n][m], double b[n][m]",
        "int i, j;\n#pragma stencil\nfor (int t = 0; t < steps; t++) {
            for (i = 1; i < n - 1; i++) for (j = 1; j < m - 1; j++) b[i][j] = 0.25 * (a[i-1][j] + a[i][j+1]);
            for (i = 1; i < n - 1; i++) for (j = 1; j < m - 1; j++) a[i][j] = b[i][j]; }",
    ));
    let text = nest.to_string();
    assert!(text.contains("array double a[][(long long)m] strides (long long)m, 1 buffers a"), "{text}");
    assert!(text.contains("[0, t, 0, i, 0, j, 2] b[i][j] = (0.25 * (a[(i - 1)][j] + a[i][(j + 1)]))"), "{text}");
    assert!(nest.clock.has_steps());
    assert!(matches!(nest.step.replay.as_slice(), [Replay::Loop(_, inner)] if inner.len() == 2));
}

#[test]
fn flat_pointers_that_are_swapped() {
    let source = function(
        "int n, int m, int steps, double *a, double *b",
        "#pragma stencil name(heat)\nfor (int t = 0; t < steps; t++) {
            for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)
                b[i*m + j] = a[i*m + j - 1] + *(a + (i + 1)*m + j);
            double *tmp = a; a = b; b = tmp; }",
    );
    let MarkedNest { nest, name, .. } = read_marked(&source, &[]).remove(0).unwrap();
    let text = nest.to_string();
    assert_eq!(name, "heat");
    assert!(text.contains("array double a/b[][] strides (long long)m, 1 buffers a, b"), "{text}");
    assert!(text.contains("pointer a = (b a)\npointer b = (a b)"), "{text}");
    assert!(text.contains("a/b{((#t + 1) % 2)}[(long long)i][(long long)j] = "), "{text}");
    assert!(text.contains("a/b{(#t % 2)}[(long long)i][((long long)j - 1)]"), "{text}");
}

#[test]
fn a_three_way_rotation_is_a_cycle() {
    let nest = read(&function(
        "int n, int steps, float *p, float *q, float *r",
        "float *tmp;\n#pragma stencil\nfor (int t = 0; t < steps; t++) {
            for (int i = 1; i < n - 1; i++) r[i] = 2 * q[i] - p[i] + 0.5f * (q[i-1] + q[i+1]);
            tmp = p; p = q; q = r; r = tmp; p[0] = 1; }",
    ));
    let text = nest.to_string();
    assert!(text.contains("buffers q, r, p"), "{text}");
    // After the exchange `p` leads to what was `q`.
    assert!(text.contains("q/r/p{(#t % 3)}[0] = (float)1"), "{text}");
    let text = |variable: &Handle<HostValue>| nest.values.text(*variable);
    let left: Vec<_> = nest
        .step
        .left_pointers
        .iter()
        .map(|it| (text(&it.variable), it.held.iter().map(text).collect::<Vec<_>>().join(" ")))
        .collect();
    assert_eq!(left, [("q", "r p q".into()), ("r", "p q r".into()), ("p", "q r p".to_owned())]);
}

#[test]
fn two_pairs_are_swapped_at_once() {
    let nest = read(&function(
        "int n, int steps, double (*a)[8], double (*b)[8], double *u, double *v",
        "#pragma stencil\nfor (int t = 0; t < steps; t++) {
            for (int i = 1; i < n; i++) for (int j = 0; j < 8; j++) { b[i][j] = a[i-1][j]; v[i] = u[i-1]; }
            { double (*s)[8] = a; a = b; b = s; } void *s = u; u = v; v = s; }",
    ));
    let names: Vec<_> = nest.arrays.iter().map(|(_, array)| array.name.clone()).collect();
    assert_eq!(names, ["a/b", "u/v"]);
}

#[test]
fn time_remainders_choose_buffers() {
    let nest = read(&function(
        "int n, int steps, double *u",
        "static double a[2][30][20];\n#pragma stencil\nfor (int t = 0; t < steps; t++)
            for (int i = 1; i < 29; i++) { a[(t + 1) & 1][i][3] = a[t & 1][i - 1][3];
                u[(1 - t % 2) * n + i] = u[t % 2 * n + i + 1]; }",
    ));
    let text = nest.to_string();
    assert!(text.contains("array double a[30][20] strides 20, 1 buffers a, a + 600"), "{text}");
    assert!(text.contains("a{((t + 1) % 2)}[i][3] = a{(t % 2)}[(i - 1)][3]"), "{text}");
    assert!(text.contains("buffers u, u + (long long)n"), "{text}");
}

#[test]
fn conditions_become_guards_or_selects() {
    let nest = read(&function(
        "int n, double *a, double *b, double limit",
        "#pragma stencil\nfor (int i = 0; i < n; i++) {
            double x = 0;
            if (i > 0) x = b[i-1]; else x = b[i];
            if (x > limit) a[i] = x + b[i+1]; else if (i % 2 == 0) a[i] = -x;
            b[i] = i < n / 2 ? a[i] : 0; }",
    ));
    let text = nest.to_string();
    assert!(text.contains("if (i > 0) b[((long long)i - 1)]"), "{text}");
    assert!(text.contains("if !(i > 0) b[(long long)i]"), "{text}");
    assert!(text.contains("(condition.4 ? (x.3 + b[((long long)i + 1)]) : a[(long long)i])"), "{text}");
    assert!(text.contains("if ((i % 2) == 0) a[(long long)i] = (!condition.4 ? -x.3 : a[(long long)i])"), "{text}");
    assert!(text.contains("param int value_n_over_2 = (n / 2)"), "{text}");
    let speculative = nest.accesses.iter().filter(|(_, access)| access.is_speculative).count();
    assert_eq!(speculative, 3);
}

#[test]
fn short_sums_are_unrolled() {
    let nest = read(&function(
        "int n, double *a, double *b, double w[3]",
        "#pragma stencil\nfor (int i = 1; i < n - 1; i++) {
            double s = 0; for (int k = -1; k <= 1; k++) s += w[k + 1] * a[i + k]; b[i] = s; }",
    ));
    assert_eq!(nest.loops.len(), 1);
    assert!(nest.to_string().contains("w[2] * a[((long long)i + 1)]"), "{nest}");
}

#[test]
fn copies_of_whole_arrays_are_loops() {
    let text = function(
        "int n, int m, int steps, double *a, double *b",
        "size_t size = (size_t)n * m;\n#pragma stencil\nfor (int t = 0; t < steps; t++) {
            for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) b[i*m+j] = a[(i-1)*m+j];
            memcpy(a, b, size * sizeof *a); }",
    );
    let nest = read(&text);
    assert_eq!((nest.step.statements.len(), nest.loops.len()), (2, 5));
    assert!(nest.to_string().contains("< (long long)m;"), "{nest}");
    assert_eq!(refusal(&text.replace("size * sizeof", "(size - 1) * sizeof")).code, "memcpy");
    assert_eq!(refusal(&text.replace("n * m;", "n * m; n = 3;")).code, "memcpy");
}

#[test]
fn types_follow_c() {
    let nest = read(&function(
        "int n, float *a, unsigned char *c, long k",
        "typedef float real;\n#pragma stencil\nfor (unsigned i = 1; i < n; i++) {
            a[i] = (real)-k * a[i - 1] + 1.5 * c[i] + fabsf(c[i]) + sqrt(a[i]) + sizeof(double); c[i] += 'a'; }",
    ));
    let text = nest.to_string();
    assert!(text.contains("((float)-k * a["), "{text}");
    assert!(text.contains("(1.5 * (double)c["), "{text}");
    assert!(text.contains("fabs((float)c["), "{text}");
    assert!(text.contains("sqrt((double)a["), "{text}");
    assert!(text.contains("= (unsigned char)((int)c[(long long)i] + 97)"), "{text}");
}

#[test]
fn types_are_those_that_the_compiler_takes() {
    let text =
        "void f(int n, char *a, int *b)\n{\n#pragma stencil\nfor (int i = 0; i < n; i++) b[i] = a[i] + '\\377';\n}";
    let shown = |flags: &[&str]| read_all_with(text, flags).remove(0).map(|nest| nest.to_string());
    assert!(shown(&[]).unwrap().contains("array signed char a[]") && shown(&[]).unwrap().contains("+ -1)"));
    let unsigned = shown(&["-funsigned-char"]).unwrap();
    assert!(unsigned.contains("array unsigned char a[]") && unsigned.contains("+ 255)"), "{unsigned}");
    for flag in ["-m32", "-fshort-enums", "-fsingle-precision-constant"] {
        assert_eq!(shown(&[flag]).unwrap_err()[0].code, "unsupported-target", "{flag}");
    }
}

#[test]
fn what_is_not_supported_is_refused_with_a_remedy() {
    let cases = [
        ("s += a[i];", "scalar-carried"),
        ("s += b[i]; b[i] = s;", "scalar-carried"),
        ("b[i] = a[i]; b[0] += 1;", "scalar-carried"),
        ("b[i] = a[i]; if (a[i] > 0) b[0] = 1;", "scalar-carried"),
        ("if (a[i] > 0) for (int j = 1; j < n; j++) { s = b[j]; b[j] = 2 * s; }", "scalar-live-out"),
        ("while (a[i] > 0) a[i] -= 1;", "unsupported-statement"),
        ("rows[0] = rows[1]; b[i] = 0;", "pointer-to-pointer"),
        ("b[i / 2] = a[i];", "subscript"),
        ("double w[2]; w[i % 2] = 1; b[i] = w[0];", "local-array"),
        ("b[i] = mystery(a[i]);", "unknown-function"),
        ("for (int j = 0; j < (int)a[i]; j++) b[j] = 1;", "loop-bound"),
        ("b[i] = 1 + (b[0] = 1);", "assignment-in-expression"),
        ("b[i] = v;", "volatile"),
        ("b[i] = p.y;", "struct-member"),
        ("b[i] = p;", "unsupported-type"),
        ("return;", "unsupported-statement"),
        ("if (n) break;", "unsupported-statement"),
        ("b[i] = 1.0L;", "unsupported-type"),
    ];
    for (statement, code) in cases {
        let text = function(
            "int n, double *a, double *b, double **rows, volatile double v, struct { int x; } p",
            &format!(
                "double s = 0;\n#pragma stencil\nfor (int i = 1; i < n; i++) {{ {statement} }}\nprintf(\"%f\", s);"
            ),
        );
        let refused = refusal(&text);
        assert_eq!(refused.code, code, "{statement}");
        assert!(!refused.help.is_empty() && refused.primary.span.start > 0, "{refused:?}");
    }
}

#[test]
fn a_scalar_that_is_read_behind_the_nest_is_folded() {
    let nest = |after: &str| {
        let body = format!(
            "double s;\n#pragma stencil\nfor (int i = 1; i < n; i++) {{ s = b[i]; b[i] = s + a[i]; }}\n{after}"
        );
        read(&function("int n, double *a, double *b", &body)).step.folds.accumulators.is_empty()
    };
    assert!(nest("s = 2; a[0] = s;"));
    assert!(nest("for (s = 0; s < 2; s++) a[0] = s;"));
    assert!(nest("if (n) { s = 1; } else s = 2; a[0] = s;"));
    assert!(!nest("if (n) s = 1; a[0] = s;"));
    assert!(!nest("a[0] = s++;"));
}

#[test]
fn a_bad_nest_does_not_stop_the_others() {
    let nest = "#pragma stencil\nfor (int i = 1; i < n; i++) b[i] = ";
    let text = function("int n, double *a, double *b", &format!("{nest} what;\n{nest} a[i];"));
    let nests = read_marked(&text, &[]);
    assert!(nests[0].is_err());
    assert_eq!(nests[1].as_ref().unwrap().name, "heat_stencil_2");
}

#[test]
fn a_continued_pragma_is_no_part_of_the_nest() {
    let text = function(
        "int n, double *a, double *b",
        "#pragma stencil tile(8) \\\n  restrict(a, b)\n  for (int i = 1; i < n; i++) b[i] = a[i];",
    );
    let MarkedNest { nest, clauses, .. } = read_marked(&text, &[]).remove(0).unwrap();
    assert!(text[nest.span.start..nest.span.end].starts_with("for") && text[..nest.pragma.end].ends_with("b)"));
    assert_eq!(clauses.restrict.len(), 2);
}

#[test]
fn other_encodings_and_line_ends_keep_offsets() {
    let text = function(
        "int n, double *a, double *b",
        "/* caf\u{e9} */\n#pragma stencil\nfor (int i = 1; i < n; i++)\n b[i] = a[i]; /* x */\nn = 1;",
    );
    let latin: Vec<u8> = text.replace('\n', "\r\n").chars().map(|c| c as u32 as u8).collect();
    let bytes = [b"\xef\xbb\xbf".to_vec(), latin].concat();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("1 heat.c");
    std::fs::write(&path, &bytes).unwrap();
    let source = SourceFile::read(path).unwrap();
    let preprocessor = Preprocessor { compiler: vec!["gcc".into()], flags: Vec::new() };
    let marked = read_preprocessed(&source, &preprocessor.run(&source).unwrap(), "1 heat").remove(0).unwrap();
    let MarkedNest { nest, name, .. } = marked;
    assert_eq!(source.text(nest.span), "for (int i = 1; i < n; i++)\r\n b[i] = a[i];");
    assert_eq!(source.text(nest.step.statements[0].span), "b[i] = a[i]");
    assert_eq!(name, "s1_heat_stencil_1");
}

#[test]
fn a_hidden_variable_holds_what_it_held_at_the_declaration_that_hides_it() {
    let nest = read(&function(
        "int n, double *a, double *b",
        "double s, r;\n#pragma stencil\nfor (int i = 0; i < n; i++) {
            s = 1; r = 2; { s = 3; r = 4; double s = 5, r = s + 1; a[i] = s + r; } b[i] = s + r; }",
    ));
    let text = nest.to_string();
    assert!(text.contains("local double s.2 = (double)3\nlocal double r.3 = (double)4"), "{text}");
    assert!(text.contains("b[(long long)i] = (s.2 + r.3)"), "{text}");
}

#[test]
fn only_the_least_index_can_be_excluded_from_a_range() {
    let text = |excluded: &str| {
        let body = format!("for (unsigned i = 0; i < 40; i++) if (i != {excluded}) b[i] = a[i - 1];");
        function("double a[40], double b[40]", &format!("\n#pragma stencil\n{body}"))
    };
    read(&text("0"));
    assert_eq!(refusal(&text("5")).code, "wraps-around");
}
