use super::boundary::{StageStore, Text};
use super::turn::{Ahead, Turn};
use crate::kernel::ArgumentKind;
use crate::testing::with_recurrences;
use crate::tile::{Leaves, Pipeline, PipelineRules, Reaches, Steady, StreamTile, Tile};

const SWAPPED: &str = "
void f(int n, int steps, double (*u)[64], double (*v)[64]) {
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < 63; j++)
                v[i][j] = u[i - 1][j] + u[i][j - 1] + u[i][j + 1];
        double (*w)[64] = u; u = v; v = w;
    }
}";

/// Where the halos of some stages are in a text for tiles of so many levels, and what the stages store.
fn boundaries<const N: usize>(
    levels: usize,
    turns: [(usize, Ahead); N],
) -> [(Option<Vec<ArgumentKind>>, Vec<StageStore>); N] {
    let mut boundaries = None;
    with_recurrences(SWAPPED, |nest, recurrences| {
        let reaches = Reaches::new(recurrences).expect("isl").expect("constant distances");
        let tile = &Tile::new(&reaches, &[8, 32], levels, Leaves::Results);
        let pipeline = &Pipeline::new(nest, recurrences, tile, PipelineRules::WHOLE_ROWS);
        let stream = StreamTile { recurrences, tile, pipeline };
        let steady = Steady::of(stream);
        assert!(steady.is_some());
        let text = Text { stream, steady, most_skipped: 2, may_leave_less: true };
        boundaries = Some(turns.map(|(index, ahead)| {
            let turn = Turn { at: stream.stage(index), ahead };
            let (boundary, at_once) = (text.boundary(turn), text.stored_at_once(&turn));
            (boundary.halo, boundary.stores.into_iter().chain(at_once).collect())
        }));
    });
    boundaries.expect("a nest")
}

/// The slot of the last level but one, which launches store for the result alone, and read no cell of that they write.
const IN_PLACE: ArgumentKind = ArgumentKind::InPlace { field: 0, slot: 1 };

#[test]
fn a_loop_over_levels_takes_halos_from_the_slots_in_turns() {
    let [(first, _), (inner, _)] = boundaries(6, [(0, Ahead::Skipped), (1, Ahead::Loop)]);
    assert_eq!(first, Some(vec![IN_PLACE]));
    let even = ArgumentKind::Input { field: 0, slot: 0 };
    assert_eq!(inner, Some(vec![even, IN_PLACE]));
}

#[test]
fn the_last_level_stores_and_the_one_before_for_the_result_alone() {
    let [(_, inner), last] = boundaries(6, [(1, Ahead::Loop), (5, Ahead::None)]);
    assert_eq!(inner, [StageStore { buffer: IN_PLACE, ahead: Some(3), is_for_results: true }]);
    let buffer = ArgumentKind::Output { field: 0, slot: 0 };
    let end = StageStore { buffer, ahead: None, is_for_results: false };
    assert_eq!(last, (None, vec![end]));
}
