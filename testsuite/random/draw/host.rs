//! What the host does between the steps of a loop that it keeps.

use super::super::model::{Follows, Form, Host, HostCode, Item, Program, Quiet};
use super::folds::draw_look;
use super::{Further, Random, let_follow, may_follow};

/// More steps than the device takes at once.
pub const MORE_STEPS: i64 = 4;

/// Lets the host do something between the steps; false if these cannot be recorded, whatever it is.
pub fn draw_host(program: &mut Program, random: &mut Random, further: Further) -> bool {
    if !program.may_be_recorded() {
        return false;
    }
    // Steps that are told by themselves may be all that the host does.
    let is_told_alone = further.tells && random.chance(50);
    if !is_told_alone {
        let every = random.within(1, 4);
        program.host.push(HostCode { kind: Host::Print, every, phase: 0, behind: usize::MAX, spelling: 0 });
    }
    for _ in 0..if is_told_alone { 0 } else { random.within(1, 4) } {
        let looks = !program.folds.is_empty() && random.chance(50);
        let code = if looks { draw_look(program, random) } else { draw_code(program, random) };
        program.host.push(code);
    }
    if program.exit.is_none() {
        program.runs.iter_mut().for_each(|run| run.steps *= MORE_STEPS);
    }
    draw_followers(program, random);
    for code in &program.host {
        let name = match code.kind {
            Host::Print => "host prints",
            Host::Read { loops: 0, .. } => "host reads an element",
            Host::Read { .. } => "host reads rows",
            Host::Store { .. } => "host writes",
            Host::Stop => "host stops",
            Host::End => "host ends the program",
            Host::Swap(_) => "host swaps",
            Host::Look { .. } => "host looks at a fold",
            Host::Restart { .. } => "host begins a fold anew",
            Host::Gather { .. } => "host adds up a fold",
            Host::Feed { .. } => "host computes a scalar of a fold",
            Host::Vary { .. } => "host changes a scalar",
            Host::Note { .. } => "host keeps a fold of each step",
        };
        let is_within = (1..program.items.len()).contains(&code.behind);
        for name in [Some(name), is_within.then_some("host within a step")].into_iter().flatten() {
            if !program.features.contains(&name) {
                program.features.push(name);
            }
        }
    }
    true
}

/// Lets another nest follow, with what the host does between the steps or without.
fn draw_followers(program: &mut Program, random: &mut Random) {
    if program.setting.follows == Follows::Nothing && may_follow(program) && random.chance(25) {
        let follows = random.pick(&[Follows::Another, Follows::AnotherInTurn]);
        let_follow(program, follows);
    }
    if program.setting.follows != Follows::Nothing {
        program.setting.quiet = random.pick(&[Quiet::Neither, Quiet::Neither, Quiet::First, Quiet::Second]);
    }
}

fn draw_code(program: &Program, random: &mut Random) -> HostCode {
    let field = random.within(0, program.fields.len() as i64 - 1) as usize;
    let rotated =
        program.items.iter().find_map(|item| if let Item::Rotate(fields) = item { Some(fields) } else { None });
    let is_exchanged = |fields: &&Vec<usize>| fields.iter().all(|it| program.fields[*it].form != Form::Fixed);
    let scalars = program.scalars.len() as i64;
    let kind = match (random.within(0, 13), rotated.filter(is_exchanged)) {
        (10.., _) if scalars > 0 => Host::Vary { scalar: random.within(0, scalars - 1) as usize },
        (10.., _) => Host::Print,
        (0..=6, _) => Host::Read { field, loops: random.within(0, program.fields[field].dims.len() as i64) as usize },
        (7, _) => Host::Store { field },
        (8, Some(fields)) => Host::Swap(fields.clone()),
        (8, None) => Host::Print,
        _ if random.chance(50) => Host::End,
        _ => Host::Stop,
    };
    let every = match kind {
        Host::Stop | Host::End => random.within(9, 30),
        Host::Vary { .. } => random.within(1, 3),
        _ => random.within(2, 9),
    };
    let phase = random.within(0, every - 1);
    let behind = match random.within(0, 9) {
        0..=2 => 0,
        3..=5 => random.within(0, program.items.len() as i64) as usize,
        _ => usize::MAX,
    };
    HostCode { kind, every, phase, behind, spelling: random.spelling() }
}
