use crate::testing::{refusals, with_recurrences};

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
