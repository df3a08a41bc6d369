use super::boundary::{Boundary, Mask, PutBack};
use super::halo_loads::{Moment, Prefetch};
use super::text::{Ends, Places, Text};
use crate::kernel::ArgumentKind;
use crate::testing::with_recurrences;
use crate::tile::{HaloSource, Leaves, Pipeline, Reaches, StreamShape, StreamTile};

const SHAPE: StreamShape = StreamShape {
    columns: 2,
    rows: 2,
    sub_groups: 8,
    chunk: 64,
    ahead: 1,
    prefetched: 4,
    age_of_columns: 0,
    edge_sets: 1,
    is_paired: false,
};

/// A sweep over rows of 64 whose two buffers change places.
fn swapped(element: &str, value: &str) -> String {
    format!(
        "void f(int n, int steps, {element} (*u)[64], {element} (*v)[64]) {{
            #pragma stencil
            for (int t = 0; t < steps; t++) {{
                for (int i = 1; i < n - 1; i++)
                    for (int j = 1; j < 63; j++)
                        v[i][j] = {value};
                {element} (*w)[64] = u; u = v; v = w;
            }}
        }}"
    )
}

/// The same in three dimensions.
const PLANES: &str = "
void f(int n, int steps, double (*u)[64][64], double (*v)[64][64]) {
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < 63; j++)
                for (int k = 1; k < 63; k++)
                    v[i][j][k] = u[i - 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k] + u[i][j][k + 1];
        double (*w)[64][64] = u; u = v; v = w;
    }
}";

/// Looks at what the texts for some ends do with tiles of so many levels.
fn with_boundaries<const N: usize>(
    text: &str,
    levels: usize,
    leaves: Leaves,
    ends: [Ends; N],
    look: impl FnOnce([Boundary<'_>; N]),
) {
    with_recurrences(text, |nest, recurrences| {
        let rank = recurrences.storage.fields[0].rank;
        let shape = &StreamShape { rows: if rank == 3 { 2 } else { 1 }, ..SHAPE };
        let reaches = Reaches::new(recurrences).expect("isl").expect("constant distances");
        let tile = &shape.tile(&reaches, rank, levels, leaves).expect("a core is left");
        let pipeline = &Pipeline::smallest(nest, recurrences, tile, shape);
        let stream = StreamTile { recurrences, tile, pipeline };
        look(ends.map(|ends| Boundary::new(&Text { ends, stream, shape })));
    });
}

/// When the halo of each stage but the last is loaded, and how it is put back.
fn loads(boundary: &Boundary<'_>) -> Vec<(Option<Moment>, PutBack)> {
    boundary.halos().into_iter().map(|(_, halo)| (halo.load.map(|load| load.moment), halo.put_back)).collect()
}

#[test]
fn inside_all_domains_nothing_but_the_core_is_looked_at() {
    with_boundaries(PLANES, 3, Leaves::Inputs, [Ends::None], |[inside]| {
        assert!(inside.halos().is_empty() && inside.masks.is_empty() && inside.is_unrolled && !inside.tests_rows);
        let stores: Vec<_> = inside.stages.iter().map(|stage| stage.stores.first().map(|store| store.masks)).collect();
        assert_eq!(stores, [None, None, Some(&[Mask::Core][..])]);
    });
}

#[test]
fn one_halo_from_memory_is_loaded_a_row_ahead() {
    let text = swapped("double", "u[i - 1][j] + u[i][j - 1] + u[i][j + 1]");
    with_boundaries(&text, 3, Leaves::Inputs, [Ends::Rows, Ends::All], |[rows, all]| {
        assert_eq!(loads(&rows), [(Some(Moment::StepBefore), PutBack::Selected), (None, PutBack::Selected)]);
        assert_eq!(rows.halos()[1].1.source, HaloSource::Window { window: 0, age: 0 });
        let load = rows.halos()[0].1.load.expect("a load");
        assert_eq!(load.prefetch, Some(Prefetch { steps: SHAPE.ahead, is_with_load: false }));
        let masks = [Mask::Domain, Mask::Vectors, Mask::Singles, Mask::Halo(Places::Cells), Mask::PrefetchedHalo];
        assert_eq!(rows.masks, masks.map(|mask| (0, mask)));
        assert!(!rows.is_unrolled && !rows.tests_rows);
        // At the ends of the stream rows are tested too, and nothing else is different.
        assert_eq!(all, Boundary { tests_rows: true, ..rows });
    });
}

#[test]
fn many_halos_are_loaded_where_they_are_needed_or_two_stages_before() {
    let value = "u[i][j - 1] + u[i + 1][j]";
    with_boundaries(&swapped("double", value), 5, Leaves::Inputs, [Ends::Rows], |[wide]| {
        assert_eq!(loads(&wide), [(Some(Moment::PutBack), PutBack::Tested); 4]);
        with_boundaries(&swapped("float", value), 5, Leaves::Inputs, [Ends::Rows], |[narrow]| {
            let moments = [Moment::StepBegin, Moment::StepBegin, Moment::Before(0), Moment::Before(1)];
            assert_eq!(loads(&narrow), moments.map(|moment| (Some(moment), PutBack::TestedBefore)));
            assert!(wide.is_unrolled && narrow.is_unrolled);
        });
    });
}

#[test]
fn whole_lines_are_put_back_when_a_step_ends() {
    let ends = [Ends::Rows, Ends::Planes, Ends::RowsAndPlanes, Ends::All];
    with_boundaries(PLANES, 3, Leaves::Inputs, ends, |[rows, planes, both, all]| {
        for (text, lines) in
            [(&rows, &[Places::Columns][..]), (&planes, &[Places::Rows]), (&both, &[Places::Rows, Places::Columns])]
        {
            assert_eq!(loads(text), [(Some(Moment::After(0)), PutBack::Loaded), (None, PutBack::Deferred)]);
            assert_eq!(text.lines, lines);
        }
        let has_singles = |text: &Boundary<'_>| text.masks.contains(&(0, Mask::Singles));
        assert_eq!([&rows, &planes, &both].map(has_singles), [false, false, true], "other rows are whole");
        let load = |text: &Boundary<'_>| text.halos()[0].1.load.expect("a load");
        assert_eq!([&rows, &planes, &both].map(|text| load(text).columns), [SHAPE.columns, 1, 1]);
        let is_with_load = |text: &Boundary<'_>| load(text).prefetch.expect("a prefetch").is_with_load;
        assert_eq!([&rows, &planes, &both].map(is_with_load), [false, true, false]);
        assert_eq!(loads(&all), [(Some(Moment::StepBegin), PutBack::TestedBefore), (None, PutBack::Tested)]);
    });
}

#[test]
fn beside_what_is_written_in_place_cells_are_loaded_one_by_one() {
    let text = swapped("double", "u[i - 1][j] + u[i][j - 1] + u[i][j + 1]");
    with_boundaries(&text, 4, Leaves::Results, [Ends::Rows], |[rows]| {
        let in_place = ArgumentKind::InPlace { field: 0, slot: 1 };
        assert_eq!(rows.stages[2].stores[0].buffer, Some(in_place));
        let load = rows.halos()[0].1.load.expect("a load");
        assert_eq!((load.buffer, load.columns), (in_place, 1));
    });
}
