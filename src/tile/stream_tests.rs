use super::{
    Blocks, HaloSource, Leaves, Pipeline, PipelineRules, Producer, Reaches, RowWindow, Steady, StreamShape, StreamTile,
    Tile, stream_obstacle,
};
use crate::poly::Recurrences;
use crate::testing::with_recurrences;

const STAR: &str = "
void f(int n, int m, int steps, double u[n][m], double v[n][m]) {
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] = u[i - 1][j] + u[i][j - 1] + u[i][j] + u[i][j + 1] + u[i + 1][j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[i][j] = v[i][j];
    }
}";

const BOX: &str = "
void f(int n, int m, int steps, double u[n][m], double v[n][m]) {
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] = u[i - 1][j - 1] + u[i - 1][j] + u[i - 1][j + 1] + u[i][j - 1] + u[i][j] + u[i][j + 1]
                        + u[i + 1][j - 1] + u[i + 1][j] + u[i + 1][j + 1];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[i][j] = v[i][j];
    }
}";

const SHAPE: StreamShape = StreamShape {
    columns: 2,
    rows: 1,
    sub_groups: 1,
    chunk: 64,
    ahead: 1,
    prefetched: 0,
    age_of_columns: 0,
    edge_sets: 1,
    is_paired: false,
};

fn tile(recurrences: &Recurrences, levels: usize) -> Tile {
    let reaches = Reaches::new(recurrences).expect("isl").expect("constant distances");
    SHAPE.tile(&reaches, 2, levels, Leaves::Inputs).expect("a core is left")
}

/// The example of `pipeline/mod.rs`.
#[test]
fn a_star_needs_three_rows_and_one_step_a_level() {
    with_recurrences(STAR, |nest, recurrences| {
        let tile = tile(recurrences, 2);
        let rules = PipelineRules::WHOLE_ROWS;
        let pipeline = Pipeline::new(nest, recurrences, &tile, rules);
        assert_eq!(pipeline.stages.iter().map(|piped| piped.lag()).collect::<Vec<_>>(), [1, 2]);
        let input = &pipeline.windows[0];
        assert!(matches!(input.producer, Producer::Input { .. }));
        assert_eq!((input.depth, input.taps[&1].len()), (3, 3));
    });
}

#[test]
fn neighbours_of_older_rows_are_exchanged_where_asked() {
    with_recurrences(BOX, |nest, recurrences| {
        let tile = tile(recurrences, 2);
        for age_of_columns in [0, 1] {
            let rules = PipelineRules { age_of_columns, age_of_rows: 1, has_parts: false };
            let pipeline = Pipeline::new(nest, recurrences, &tile, rules);
            assert_eq!(pipeline.stages[1].lag(), 2 * (1 + age_of_columns));
        }
    });
}

#[test]
fn a_box_is_evaluated_in_parts_because_they_carry_less() {
    with_recurrences(BOX, |nest, recurrences| {
        let tile = tile(recurrences, 2);
        let carried = |has_parts| {
            let rules = PipelineRules { has_parts, ..PipelineRules::WHOLE_ROWS };
            let pipeline = Pipeline::new(nest, recurrences, &tile, rules);
            Blocks::new(&pipeline, &SHAPE).carried_bytes()
        };
        assert!(carried(true) < carried(false));
        let pipeline = Pipeline::smallest(nest, recurrences, &tile, &SHAPE);
        assert_eq!(pipeline.stages[0].parts.len(), 3, "one part for each row that is read");
    });
}

#[test]
fn a_sub_group_keeps_what_its_ghost_zone_leaves() {
    with_recurrences(STAR, |_, recurrences| {
        // 32 lanes of two columns; the ghost zone of three levels is rounded up to two work-items on each side.
        assert_eq!(tile(recurrences, 3).core, [64, 64 - 2 * 4]);
        let reaches = Reaches::new(recurrences).expect("isl").expect("constant distances");
        assert!(SHAPE.tile(&reaches, 2, 32, Leaves::Inputs).is_none());
    });
}

#[test]
fn several_writers_of_a_field_are_not_streamed() {
    let text = "
double a[40][40], b[40][40];
void f(int steps) {
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < 39; i++) for (int j = 1; j < 39; j++) b[i][j] = a[i - 1][j] + a[i + 1][j];
        for (int j = 1; j < 39; j++) b[0][j] = b[1][j];
        for (int i = 0; i < 39; i++) for (int j = 1; j < 39; j++) a[i][j] = b[i][j];
    }
}";
    with_recurrences(text, |nest, recurrences| {
        assert!(stream_obstacle(nest, recurrences).is_some_and(|why| why.contains("several statements")));
    });
}

/// Between two levels of a star three rows are kept, one cell wider on each side than the last level computes.
#[test]
fn a_window_keeps_the_rows_that_the_next_level_reads() {
    with_recurrences(STAR, |nest, recurrences| {
        let reaches = Reaches::new(recurrences).expect("isl").expect("constant distances");
        let tile = Tile::new(&reaches, &[16, 100], 2, Leaves::Inputs);
        let pipeline = Pipeline::new(nest, recurrences, &tile, PipelineRules::WHOLE_ROWS);
        let windows = RowWindow::all(StreamTile { recurrences, tile: &tile, pipeline: &pipeline });
        let [window] = windows.as_slice() else { panic!("the last level needs none: {windows:?}") };
        assert_eq!((window.sweep, window.levels, &*window.lo, &*window.extents), (0, 1, &[-1, -1][..], &[3, 102][..]));
        assert_eq!(window.bytes(), 8 * 3 * 102);
        let reach = pipeline.reach(pipeline.stages[0].window(), 2);
        assert_eq!((reach.lo, reach.hi), (vec![-1, -1], vec![1, 1]));
    });
}

/// The border of the copied array is loaded for the first level and found in its copy by the second. The copy itself has no
/// border: what it held before the nest is read in the first step alone.
#[test]
fn a_copy_of_everything_holds_the_border_of_what_it_copies() {
    let text = "
void f(int n, int m, int steps, double u[n][m], double v[n][m]) {
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] = u[i - 1][j] + u[i][j - 1] + u[i][j + 1] + u[i + 1][j];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                u[i][j] = v[i][j];
    }
}";
    with_recurrences(text, |nest, recurrences| {
        let tile = tile(recurrences, 2);
        let pipeline = Pipeline::new(nest, recurrences, &tile, PipelineRules::WHOLE_ROWS);
        let halos: Vec<_> = pipeline.stages.iter().map(|piped| piped.halo).collect();
        let [Some(HaloSource::Buffer { .. }), None, Some(HaloSource::Window { window, age: 1 }), None] = halos[..]
        else {
            panic!("{halos:?}")
        };
        assert_eq!(window, pipeline.stages[1].window());
    });
}

/// A plane that is there as a whole can be read at once; one that work-items exchange, a step later.
#[test]
fn whole_planes_are_read_in_the_step_in_which_they_come() {
    let text = "
void f(int n, int steps, double u[n][n][n], double v[n][n][n]) {
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) for (int k = 1; k < n - 1; k++)
            v[i][j][k] = u[i - 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k];
        for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) for (int k = 1; k < n - 1; k++)
            u[i][j][k] = v[i][j][k];
    }
}";
    with_recurrences(text, |nest, recurrences| {
        let reaches = Reaches::new(recurrences).expect("isl").expect("constant distances");
        let tile = Tile::new(&reaches, &[16, 16, 16], 2, Leaves::Inputs);
        for (rules, lags) in [
            (PipelineRules::WHOLE_ROWS, [0, 0]),
            (PipelineRules { age_of_rows: 1, ..PipelineRules::WHOLE_ROWS }, [1, 2]),
        ] {
            let pipeline = Pipeline::new(nest, recurrences, &tile, rules);
            assert_eq!(pipeline.stages.iter().map(|piped| piped.lag()).collect::<Vec<_>>(), lags);
            // Of a ghost zone of two rows the face needs the one that the nest reads.
            let rim = StreamTile { recurrences, tile: &tile, pipeline: &pipeline }.rim();
            assert_eq!((rim.lo, rim.hi), (vec![0, -1, 0], vec![0, 1, 0]));
        }
    });
}

/// Stages of one dimension run one after the other on a row that is there as a whole.
#[test]
fn one_dimension_is_a_single_row() {
    let text = "
void f(int n, int steps, double u[n], double v[n]) {
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) v[i] = u[i - 1] + u[i] + u[i + 1];
        for (int i = 1; i < n - 1; i++) u[i] = v[i];
    }
}";
    with_recurrences(text, |nest, recurrences| {
        let shape = StreamShape { columns: 8, sub_groups: 3, ahead: 0, ..SHAPE };
        let reaches = Reaches::new(recurrences).expect("isl").expect("constant distances");
        let tile = shape.tile(&reaches, 1, 10, Leaves::Inputs).expect("a core is left");
        // The ghost zone of ten levels is rounded up to two work-items on each side of each sub-group.
        assert_eq!(tile.core, [3 * (32 * 8 - 2 * 16)]);
        assert_eq!(shape.work_group(1), [96, 1, 1]);
        let pipeline = Pipeline::smallest(nest, recurrences, &tile, &shape);
        assert!(pipeline.stages.iter().all(|piped| piped.lag() == 0 && piped.parts.len() == 1));
        assert!(pipeline.windows.iter().all(|window| window.depth == 1));
        assert_eq!(Blocks::new(&pipeline, &shape).carried_bytes(), 0);
    });
}

fn steady(text: &str, levels: usize) -> Option<Steady> {
    let mut steady = None;
    with_recurrences(text, |nest, recurrences| {
        let reaches = Reaches::new(recurrences).expect("isl").expect("constant distances");
        let tile = Tile::new(&reaches, &[16, 100], levels, Leaves::Results);
        let pipeline = Pipeline::new(nest, recurrences, &tile, PipelineRules::WHOLE_ROWS);
        steady = Steady::of(StreamTile { recurrences, tile: &tile, pipeline: &pipeline });
    });
    steady
}

/// The example of `steady.rs`.
#[test]
fn all_levels_of_a_star_but_the_first_and_the_last_are_one_text() {
    let steady = steady(STAR, 8).expect("levels repeat");
    assert_eq!((steady.width, steady.first, steady.lag), (1, 1, 1));
    assert_eq!((&*steady.lo, &*steady.hi), (&[1, 1][..], &[-1, -1][..]));
    let shorter = steady.shorter();
    assert!(
        shorter.is_sorted_by(|deeper, other| deeper > other) && shorter.iter().all(|levels| steady.is_for(*levels))
    );
    assert!(shorter.contains(&4) && shorter.last() == Some(&2), "{shorter:?}");
    assert!(!steady.is_for(1), "one level is both the first and the last");
}

/// The first two levels of a wave read what was there before the launch, and the last one stores.
#[test]
fn a_wave_repeats_from_the_third_level_on() {
    let text = "
void f(int n, int m, int steps, double u[2][n][m]) {
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[t % 2][i][j] = u[(t + 1) % 2][i - 1][j] + u[(t + 1) % 2][i + 1][j] - u[t % 2][i][j];
}";
    assert_eq!(steady(text, 2), None);
    assert_eq!(steady(text, 4).map(|steady| steady.first), Some(2));
}

/// What the last level alone computes needs the level two before it, though all others read the one before them.
#[test]
fn no_level_is_left_out_that_the_last_one_reads() {
    let text = "
void f(int n, int m, int steps, double *a, double *b, double *d) {
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 2; i < n; i++)
            for (int j = 0; j < m; j++) {
                d[i * m + j] = b[i * m + j];
                b[i * m + j] = a[i * m + j] + a[(i - 2) * m + j];
            }
        double *last = a; a = b; b = last;
    }
}";
    let steady = steady(text, 8).expect("levels repeat");
    assert_eq!((steady.first, steady.shorter()), (1, vec![4]));
    assert!(!steady.is_for(2), "its level 1 would be what was there before the launch");
}
