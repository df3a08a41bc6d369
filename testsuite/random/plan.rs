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
    Strategy { name: "stream", shape: draw_stream },
    Strategy { name: "rows", shape: draw_tiles },
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

/// Shallow ones, which compile in reasonable time; what cannot be streamed is in local memory. In three dimensions sub-groups
/// have whole rows, some of which are ghosts.
fn draw_stream(random: &mut Random, rank: usize) -> Vec<String> {
    let mut tile: Vec<i64> = (0..3).map(|_| random.within(1, 9)).collect();
    let sub_groups = random.within(1, if rank == 3 { 6 } else { 3 });
    if rank == 3 {
        tile[1] = sub_groups * random.within(1, 5);
    }
    let tile: Vec<String> = tile.iter().map(i64::to_string).collect();
    [
        ("--time-tile", random.within(1, if rank == 1 { 9 } else { 3 }).to_string()),
        ("--per-item", random.pick(&["1", "2", "4"]).to_string()),
        ("--tile", tile.join(",")),
        ("--work-group", if rank == 1 { (32 * sub_groups).to_string() } else { format!("32,{sub_groups}") }),
    ]
    .into_iter()
    .flat_map(|(name, value)| [name.to_string(), value])
    .collect()
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
