//! Plans that the options force upon the tool, drawn like programs.

use super::draw::Random;

/// A kernel strategy and the options that shape it; a new strategy joins by an entry.
struct Strategy {
    name: &'static str,
    /// Further options, which depend on the nest's rank.
    shape: fn(&mut Random, usize) -> Vec<String>,
}

const STRATEGIES: &[Strategy] = &[
    Strategy { name: "direct", shape: |random, rank| optional(random, rank, &["--work-group"]) },
    Strategy { name: "local", shape: draw_tiles },
];

/// The options of `count` plans, the tool's own choice first in most cases.
pub fn draw_plans(random: &mut Random, rank: usize, count: usize) -> Vec<Vec<String>> {
    (0..count).map(|index| if index == 0 && random.chance(60) { Vec::new() } else { draw_plan(random, rank) }).collect()
}

fn draw_plan(random: &mut Random, rank: usize) -> Vec<String> {
    let strategy = &STRATEGIES[random.within(0, STRATEGIES.len() as i64 - 1) as usize];
    let mut options = vec!["--strategy".to_string(), strategy.name.to_string()];
    options.extend((strategy.shape)(random, rank));
    options
}

/// Any depth, and a tile that is a multiple of nothing.
fn draw_tiles(random: &mut Random, rank: usize) -> Vec<String> {
    let depth = random.pick(&[1, 2, 3, 3, 4, 5, 6]);
    let mut options = vec!["--time-tile".to_string(), depth.to_string()];
    options.extend(optional(random, rank, &["--tile", "--work-group"]));
    if random.chance(30) {
        options.extend(["--per-item".to_string(), random.within(1, 4).to_string()]);
    }
    options
}

/// Some of `names`, each with a shape.
fn optional(random: &mut Random, rank: usize, names: &[&str]) -> Vec<String> {
    let mut options = Vec::new();
    for name in names {
        if random.chance(60) {
            let largest = if *name == "--tile" { [40, 12, 6, 4] } else { [16, 6, 3, 2] };
            let sizes: Vec<String> =
                (0..rank.min(3)).map(|_| random.within(1, largest[rank - 1]).to_string()).collect();
            options.extend([name.to_string(), sizes.join(",")]);
        }
    }
    options
}
