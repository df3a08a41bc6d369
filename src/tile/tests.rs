use super::{CellBox, Leaves, Reaches, Tile, last_single_steps, obstacle};
use crate::testing::with_recurrences;

/// The example of Holewinski et al., section 4.2: `A = B[-1] + B[0]`, `B = A[0] + A[1]`, three steps.
const TWO_FIELDS: &str = "
double A[100], B[101];
void f(int n, int steps) {
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) A[i] = B[i - 1] + B[i];
        for (int i = 1; i < n - 1; i++) B[i] = A[i] + A[i + 1];
    }
}";

#[test]
fn regions_of_two_fields_are_those_of_the_paper() {
    with_recurrences(TWO_FIELDS, |_, recurrences| {
        let core = 10;
        let reaches = Reaches::new(recurrences).expect("isl").expect("short reaches");
        let tile = Tile::new(&reaches, &[core], 3, Leaves::Inputs);
        let first_a = tile.stages.iter().find(|stage| stage.level == 0 && stage.sweep == 0).expect("a stage");
        // The paper's (x0 - 2, l0 + 5) for A and (x0 - 2, l0 + 4) for B in the first step.
        assert_eq!(first_a.region, CellBox { lo: vec![-2], hi: vec![core + 2] });
        let first_b = tile.stages.iter().find(|stage| stage.level == 0 && stage.sweep == 1).expect("a stage");
        assert_eq!(first_b.region, CellBox { lo: vec![-2], hi: vec![core + 1] });
    });
}

#[test]
fn another_core_moves_the_far_faces_only() {
    with_recurrences(TWO_FIELDS, |_, recurrences| {
        let reaches = Reaches::new(recurrences).expect("isl").expect("short reaches");
        let small = Tile::new(&reaches, &[1], 2, Leaves::Inputs);
        let large = Tile::new(&reaches, &[33], 2, Leaves::Inputs);
        let grown = small.with_core(&[33]);
        assert_eq!(grown.stages, large.stages);
        assert_eq!(grown.slots, large.slots);
        assert!(large.redundancy() > 1.0 && large.redundancy() < small.redundancy());
    });
}

#[test]
fn the_last_launch_leaves_both_buffers_of_a_ping_pong() {
    let text = "
void f(int n, int steps, double *u, double *v) {
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) v[i] = 0.5 * (u[i - 1] + u[i + 1]);
        double *w = u; u = v; v = w;
    }
}";
    with_recurrences(text, |_, recurrences| {
        assert_eq!(recurrences.storage.fields[0].slots, 2);
        assert_eq!(last_single_steps(recurrences), 1);
        assert!(obstacle(recurrences).is_none());
        let reaches = Reaches::new(recurrences).expect("isl").expect("short reaches");
        let outputs = |leaves| {
            let tile = Tile::new(&reaches, &[10], 4, leaves);
            let stored = tile.stages.iter().filter(|stage| stage.is_output).map(|stage| stage.slot(recurrences));
            (tile.leaves, stored.collect::<Vec<_>>())
        };
        assert_eq!(outputs(Leaves::Inputs), (Leaves::Inputs, vec![(0, 0)]));
        assert_eq!(outputs(Leaves::Results), (Leaves::Results, vec![(0, 1), (0, 0)]));
    });
}

#[test]
fn periodic_boundaries_cannot_be_tiled_in_time() {
    let text = "
double a[100], b[100];
void f(int n, int steps) {
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];
        b[0] = b[n - 2];
        for (int i = 0; i < n - 1; i++) a[i] = b[i];
    }
}";
    with_recurrences(text, |_, recurrences| assert!(obstacle(recurrences).is_some()));
}

#[test]
fn a_border_that_only_some_steps_read_is_kept() {
    let text = "
double a[20], b[20];
void f(int steps) {
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < 19; i++) a[i] += 1;
        for (int i = 1; i < 19; i++) if (i < 3 - t) b[i] = a[i - 1];
    }
}";
    with_recurrences(text, |_, recurrences| {
        let reaches = Reaches::new(recurrences).expect("isl").expect("short reaches");
        let tile = Tile::new(&reaches, &[10], 4, Leaves::Inputs);
        let (a, _) = tile.stages[0].slot(recurrences);
        assert!(tile.slots[&(a, 0)].has_halo, "{tile:?}");
    });
}

#[test]
fn a_copy_of_all_cells_has_no_border_to_keep() {
    let text = "
double a[20], b[20];
void f(int steps) {
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < 19; i++) b[i] = a[i - 1] + a[i + 1];
        for (int i = 0; i < 20; i++) a[i] = 0.5 * b[i];
    }
}";
    with_recurrences(text, |_, recurrences| {
        let reaches = Reaches::new(recurrences).expect("isl").expect("short reaches");
        let tile = Tile::new(&reaches, &[10], 3, Leaves::Inputs);
        let halos: Vec<_> = tile.slots.iter().filter(|(_, used)| used.has_halo).map(|(slot, _)| *slot).collect();
        let (b, slot) = tile.stages[0].slot(recurrences);
        assert_eq!(halos, [(b, slot)], "{tile:?}");
    });
}
