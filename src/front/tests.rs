//! Whole snippets through the user's way: the C compiler preprocesses, the front end reads.

use super::read_nests;
use crate::ir::Nest;
use crate::source::{Diagnostic, Preprocessor, SourceFile, render};

/// Reads every nest of `text`.
pub fn read_all(text: &str) -> Vec<Result<Nest, Vec<Diagnostic>>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("heat.c");
    std::fs::write(&path, text).unwrap();
    let source = SourceFile::read(path).unwrap();
    let preprocessor = Preprocessor { compiler: vec!["gcc".into()], flags: Vec::new() };
    read_nests(&source, &preprocessor.run(&source).unwrap())
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
    render(&SourceFile::new("heat.c", text.as_bytes().to_vec()), errors, false)
}

/// `body` in a function with the parameters `parameters`.
pub fn function(parameters: &str, body: &str) -> String {
    format!("#include <math.h>\n#include <string.h>\nvoid f({parameters})\n{{\n{body}\n}}\n")
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
    assert!(text.contains("array double a[] strides m, 1 buffers a"), "{text}");
    assert!(text.contains("[0, t, 0, i, 0, j, 2] b[i][j] = (0.25 * (a[(i - 1)][j] + a[i][(j + 1)]))"), "{text}");
    assert!(nest.time.is_some() && nest.loop_order.len() == 1 && nest.loop_order[0].inner.len() == 2);
}

#[test]
fn flat_pointers_that_are_swapped() {
    let nest = read(&function(
        "int n, int m, int steps, double *a, double *b",
        "#pragma stencil name(heat)\nfor (int t = 0; t < steps; t++) {
            for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)
                b[i*m + j] = a[i*m + j - 1] + *(a + (i + 1)*m + j);
            double *tmp = a; a = b; b = tmp; }",
    ));
    let text = nest.to_string();
    assert!(text.contains("nest heat\n"));
    assert!(text.contains("array double a/b[][] strides (long long)m, 1 buffers a, b"), "{text}");
    assert!(text.contains("pointer a = a/b{0 + step}\npointer b = a/b{1 + step}"), "{text}");
    assert!(text.contains("a/b{((#t + 1) % 2)}[(long long)i][(long long)j] = "), "{text}");
    assert!(text.contains("a/b{(#t % 2)}[(long long)i][((long long)j - 1)]"), "{text}");
}
