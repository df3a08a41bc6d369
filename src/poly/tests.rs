use isl_bindings::Set;

use super::{Dataflow, Memory, Names, Reads, Sweeps, are_in_other_planes, operation_limit};
use crate::bounded::run_bounded;
use crate::testing::{nest_of, operations, refusals, with_analysis, with_recurrences};

fn body(text: &str) -> String {
    format!(
        "double a[100], b[100], c[100];\nvoid f(int n, int steps) {{\n#pragma stencil\n\
         for (int t = 0; t < steps; t++) {{ {text} }}\n}}\n"
    )
}

#[test]
fn a_copy_back_loop_becomes_one_field_of_two_slots() {
    let text = body(
        "for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];
         for (int i = 1; i < n - 1; i++) a[i] = b[i];",
    );
    with_recurrences(&text, |_, recurrences| {
        assert_eq!(recurrences.eliminated, [1]);
        assert_eq!(recurrences.storage.fields.len(), 1);
        assert_eq!(recurrences.storage.fields[0].slots, 2);
        assert!(recurrences.sweeps.dependences.iter().all(|d| d.distance.is_none_or(|distance| distance == 1)));
    });
}

#[test]
fn copies_of_different_cells_stay() {
    // The border of `a` is what it was, the border of `b` is never copied: a shifted copy is no copy.
    let text = body(
        "for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];
         for (int i = 1; i < n - 1; i++) a[i] = b[i + 1];",
    );
    with_recurrences(&text, |_, recurrences| assert!(recurrences.eliminated.is_empty()));
}

#[test]
fn an_update_that_reads_old_values_to_the_right_gets_a_second_slot() {
    let text = body("for (int i = 0; i < n - 1; i++) a[i] = 0.5 * a[i + 1];");
    with_recurrences(&text, |_, recurrences| assert_eq!(recurrences.storage.fields[0].slots, 2));
}

#[test]
fn a_pointwise_update_stays_in_place() {
    let text = body(
        "for (int i = 1; i < n; i++) a[i] = a[i] - 0.5 * (b[i] - b[i - 1]);
         for (int i = 0; i < n - 1; i++) b[i] = b[i] - 0.5 * (a[i + 1] - a[i]);",
    );
    with_recurrences(&text, |_, recurrences| {
        assert!(recurrences.storage.fields.iter().all(|field| field.slots == 1));
    });
}

#[test]
fn gauss_seidel_is_refused() {
    let text = body("for (int i = 1; i < n - 1; i++) a[i] = 0.5 * (a[i - 1] + a[i + 1]);");
    assert_eq!(refusals(&text), ["gauss-seidel"]);
}

#[test]
fn sweeps_that_need_each_other_point_by_point_are_refused() {
    let text = body("for (int i = 1; i < n - 1; i++) { a[i] = b[i - 1]; b[i] = a[i] + c[i]; }");
    assert_eq!(refusals(&text), ["sweeps-depend-on-each-other"]);
}

#[test]
fn a_sum_over_a_loop_is_refused() {
    let text = body("for (int i = 1; i < n - 1; i++) for (int j = 0; j < n; j++) a[i] = b[j];");
    assert_eq!(refusals(&text), ["written-twice"]);
}

#[test]
fn of_stores_to_one_element_the_last_one_of_a_step_counts() {
    let sweeps = |border: &str| {
        body(&format!(
            "for (int i = 1; i < n - 1; i++) {{ b[i] = 0.5 * a[i - 1]; {border} }} for (int i = 0; i < n; i++) a[i] = b[i];"
        ))
    };
    for border in ["b[0] = 1;", "b[n - 1] = a[3];", "b[2] = 7;", "if (i > 3) b[0] = t;"] {
        assert!(refusals(&sweeps(border)).is_empty(), "{border}");
    }
    for border in ["b[0] = a[i];", "b[0] = i;", "c[i] = b[0]; b[0] = t;"] {
        assert_eq!(refusals(&sweeps(border)), ["written-twice"], "{border}");
    }
    let down = sweeps("b[0] = 1;").replace("int i = 1; i < n - 1; i++", "int i = n - 2; i > 0; i--");
    assert_eq!(refusals(&down), ["written-twice"]);
}

/// The names of the pairs of arrays that may be one.
fn aliases(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    with_analysis(text, |analysis| {
        let name = |footprint: usize| analysis.nest.arrays[analysis.footprints[footprint].array].name.as_str();
        found = analysis.aliases.iter().map(|(a, b)| format!("{} {}", name(*a), name(*b))).collect();
    });
    found
}

/// One sweep over `a`, `b` and `c` of so many doubles.
fn sweep(text: &str) -> String {
    format!(
        "double a[100], b[100], c[100];\nvoid f(int n) {{\n#pragma stencil\nfor (int i = 1; i < n; i++) {{ {text} }}\n}}\n"
    )
}

#[test]
fn arrays_that_are_read_before_they_are_written_may_be_one() {
    assert_eq!(aliases(&sweep("b[i] = a[i] + c[i + 1];")), ["a b", "c b"]);
    assert_eq!(aliases(&sweep("double x = a[i]; b[i] = x; c[i] = x;")), ["a b", "a c"]);
    assert_eq!(aliases(&sweep("b[2 * i] = a[2 * i]; a[2 * i + 1] = b[2 * i + 1];")), ["a b"]);
}

#[test]
fn arrays_in_which_writes_would_be_seen_are_apart() {
    for text in [
        "b[i] = a[i - 1];",
        "b[i] = a[i]; c[i] = b[i] + a[i];",
        "b[i] = 1.0; b[i] += a[i];",
        "double x = a[i]; b[i] = x; a[i] = x + c[i - 1];",
    ] {
        assert!(!aliases(&sweep(text)).iter().any(|pair| pair.contains('a') && pair.contains('b')), "{text}");
    }
    assert!(aliases(&body("for (int i = 0; i < n; i++) b[i] = a[i];")).is_empty());
}

#[test]
fn planes_of_an_array_are_told_apart_by_their_fixed_coordinates() {
    let context = isl_bindings::Context::new().expect("memory");
    let set = |text: &str| Set::parse(&context, text).expect("a set");
    let is_apart = |one: &str, other: &str| are_in_other_planes(&set(one), &set(other)).expect("one space");
    assert!(is_apart("[n] -> { A0[0, 3, x] : 0 <= x < n }", "[n] -> { A0[0, 4, x] : 0 <= x < n }"));
    assert!(!is_apart("{ A0[0, 3, x] }", "{ A0[0, 3, x] }"));
    assert!(!is_apart("{ A0[0, 3, x] }", "{ A0[0, q, x] : 4 <= q <= 5 }"));
}

/// Two buffers in turn, the mean of a box of cells of that width.
fn box_stencil(width: i64) -> String {
    let radius = width / 2;
    let around = || -radius..=radius;
    let points = around().flat_map(|z| around().flat_map(move |y| around().map(move |x| (z, y, x))));
    let terms: Vec<String> = points.map(|(z, y, x)| format!("a[i + {z}][j + {y}][k + {x}]")).collect();
    let last = 40 - radius;
    format!(
        "void f(double a[40][40][40], double b[40][40][40])\n{{\n#pragma stencil\n    for (int t = 0; t < 9; t++) {{\n\
         for (int i = {radius}; i < {last}; i++) for (int j = {radius}; j < {last}; j++) for (int k = {radius}; k < {last}; \
         k++)\n b[i][j][k] = {};\nfor (int i = {radius}; i < {last}; i++) for (int j = {radius}; j < {last}; j++) \
         for (int k = {radius}; k < {last}; k++)\n a[i][j][k] = b[i][j][k];\n}}\n}}\n",
        terms.join(" + ")
    )
}

#[test]
fn points_of_a_box_are_analysed_together() {
    // A sum of 343 points is as many brackets deep.
    let count = |width| run_bounded(0, move || Ok(operations(&box_stencil(width)))).expect("it is analysed");
    let [small, middle, large] = [3, 5, 7].map(count);
    // Reads one by one would take thirteen times as many for thirteen times as many points.
    assert!(middle.max(large) < 2 * small, "{small}, {middle}, {large} operations");
    assert!(large < 400_000, "{large} operations");
}

/// A body with a store for each of so many directions, all of which need the values of all, and a copy back.
fn lattice(directions: usize) -> String {
    let values: Vec<String> = (0..directions).map(|q| format!("double f{q} = f[{q}][y][x + {}];", q % 3)).collect();
    let sum = (0..directions).map(|q| format!("f{q}")).collect::<Vec<_>>().join(" + ");
    let stores: Vec<String> = (0..directions).map(|q| format!("g[{q}][y][x] = f{q} + 0.7 * (s - f{q});")).collect();
    format!(
        "double f[32][40][40], g[32][40][40];\nvoid step(void)\n{{\n#pragma stencil\n    for (int t = 0; t < 9; t++) {{\n\
         for (int y = 1; y < 39; y++) for (int x = 1; x < 38; x++) {{ {} double s = {sum}; {} }}\n\
         for (int q = 0; q < {directions}; q++) for (int y = 1; y < 39; y++) for (int x = 1; x < 38; x++)\n\
         f[q][y][x] = g[q][y][x];\n}}\n}}\n",
        values.join(" "),
        stores.join(" ")
    )
}

/// The operations of isl that it takes to find what the sweeps of a nest read.
fn operations_of_sweeps(text: &str) -> u64 {
    let nest = nest_of(text);
    let names = Names::new(&nest);
    let context = isl_bindings::Context::with_limit(operation_limit(&nest)).expect("memory");
    let memory = Memory::new(&context, &nest, &names, Reads::Grouped).expect("affine accesses");
    let flow = Dataflow::compute(&memory).expect("isl");
    let before = context.operations();
    Sweeps::new(&memory, &flow, &[]).expect("sweeps");
    context.operations() - before
}

#[test]
fn stores_to_planes_that_need_the_same_values_share_their_readings() {
    let [few, many] = [6, 18].map(|directions| operations_of_sweeps(&lattice(directions)));
    // There are nine times as many pairs of a store and a value.
    assert!(many < 4 * few, "{few} and {many} operations");
}
