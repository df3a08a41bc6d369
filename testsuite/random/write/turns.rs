//! Variables that choose the slot of a step, as `now` in `a[1 - now][i]`.

use super::super::model::{Program, Slot, TimeForm};
use super::super::ways::Turn;
use super::scope::Scope;
use super::text::Text;

/// The variable for the fields with so many slots.
pub struct TurnVariable {
    pub name: &'static str,
    slots: i64,
}

const ALL: [TurnVariable; 2] = [TurnVariable { name: "now", slots: 2 }, TurnVariable { name: "turn", slots: 3 }];

/// The variables that some slot is chosen by; none where the step chooses.
pub fn turns(program: &Program) -> impl Iterator<Item = &'static TurnVariable> {
    let is_used = |turn: &&TurnVariable| program.fields.iter().any(|field| field.slots as i64 == turn.slots);
    let is_any = program.setting.turn != Turn::Step && program.time.is_some();
    ALL.iter().filter(is_used).filter(move |_| is_any).collect::<Vec<_>>().into_iter()
}

/// What they are in the first step.
pub fn write_first_turns(text: &mut Text, program: &Program) {
    let kind = if program.setting.turn == Turn::Global { "" } else { "int " };
    for turn in turns(program) {
        let first = match program.time {
            Some(TimeForm::FromOne) => "1".to_string(),
            Some(TimeForm::Down) => format!("steps % {}", turn.slots),
            _ => "0".to_string(),
        };
        text.line(format!("{kind}{} = {first};", turn.name));
    }
}

/// What they are in the next step.
pub fn write_next_turns(text: &mut Text, program: &Program) {
    for TurnVariable { name, slots } in turns(program) {
        let ahead = match program.time {
            Some(TimeForm::Down) => slots - 1,
            Some(TimeForm::Twos) => 2 % slots,
            _ => 1,
        };
        match (slots, ahead) {
            (_, 0) => {}
            (2, _) => text.line(format!("{name} = 1 - {name};")),
            _ => text.line(format!("{name} = ({name} + {ahead}) % {slots};")),
        }
    }
}

/// `now`, `1 - now`, `(turn + 2) % 3`, or the same of `t`.
pub fn write_slot(scope: &Scope, slot: Slot, slots: usize, spelling: u8) -> String {
    let shift = match slot {
        Slot::Fixed(slot) => return slot.to_string(),
        Slot::Step(shift) => shift,
    };
    let turn = turns(scope.program).find(|turn| turn.slots == slots as i64);
    match (turn, shift, spelling % 4) {
        (Some(turn), 0, _) => turn.name.to_string(),
        (Some(turn), 1, 0) if slots == 2 => format!("1 - {}", turn.name),
        (Some(turn), 1, 1) if slots == 2 => format!("!{}", turn.name),
        (Some(turn), 1, 2) if slots == 2 => format!("({} ^ 1)", turn.name),
        (Some(turn), shift, _) => format!("({} + {shift}) % {slots}", turn.name),
        (None, 0, 1) if slots == 2 => "(t & 1)".to_string(),
        (None, 0, _) => format!("t % {slots}"),
        (None, 1, 1) if slots == 2 => "1 - t % 2".to_string(),
        (None, 1, 2) if slots == 2 => "((t + 1) & 1)".to_string(),
        (None, shift, _) => format!("(t + {shift}) % {slots}"),
    }
}
