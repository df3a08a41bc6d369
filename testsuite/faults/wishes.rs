//! Which calls shall go wrong, and how.

use std::fmt;

use super::errors::Function;

/// What the shim's modes are called; `faults/verdict.h` says what each does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Instead,
    After,
    Lost,
    Event,
    Sticky,
    Delay,
    Late,
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Self::Instead => "instead",
            Self::After => "after",
            Self::Lost => "lost",
            Self::Event => "event",
            Self::Sticky => "sticky",
            Self::Delay => "delay",
            Self::Late => "late",
        }
    }

    /// Whether nothing fails, it only takes long.
    pub fn is_mere_delay(self) -> bool {
        matches!(self, Self::Delay | Self::Late)
    }
}

/// One fault, as the variable `FAULTS` spells it.
pub struct Wish {
    /// `*`: any of OpenCL.
    pub function: String,
    /// Counted from 1.
    call: usize,
    pub mode: Mode,
    error: i32,
}

impl fmt::Display for Wish {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}:{}:{}", self.function, self.call, self.mode.name(), self.error)
    }
}

impl Wish {
    fn new(function: &str, call: usize, mode: Mode, error: i32) -> Self {
        Self { function: function.to_string(), call, mode, error }
    }

    /// Whether the original loops must run.
    pub fn must_be_told(&self) -> bool {
        !self.mode.is_mere_delay() && Function::find(&self.function).is_some_and(|function| function.is_vital)
    }
}

/// How many of the faults that are possible.
#[derive(Clone, Copy)]
pub enum Extent {
    /// One call a function, with one error.
    Few,
    /// The first and the last call of each function with one error, and one call in each mode that differs much.
    Several,
    /// Each call with one error, and each command in the modes in which it fails on the device.
    AllCalls,
    /// Each call in each mode and with each error.
    All,
}

impl Extent {
    /// How many of `count` calls.
    fn calls(self, count: usize) -> usize {
        match self {
            Self::Few => 1,
            Self::Several => 2,
            Self::AllCalls | Self::All => count,
        }
    }
}

/// The faults for a program that calls functions as often as `calls` says.
pub fn wishes(calls: &[(String, usize)], extent: Extent) -> Vec<Wish> {
    let mut wishes = Vec::new();
    for (name, count) in calls {
        let Some(function) = Function::find(name) else { continue };
        for call in chosen(*count, extent.calls(*count)) {
            let errors = function.errors();
            let one = [errors[call % errors.len()]];
            let errors = if matches!(extent, Extent::All) { &errors[..] } else { &one };
            wishes.extend(errors.iter().map(|error| Wish::new(name, call, Mode::Instead, *error)));
        }
        add_modes(&mut wishes, function, *count, extent);
    }
    let count = calls.iter().filter(|(name, _)| name != "malloc").map(|(_, count)| count).sum();
    let lost = chosen(count, extent.calls(count).pow(2));
    wishes.extend(lost.map(|call| Wish::new("*", call, Mode::Lost, if call % 2 == 0 { -2 } else { -5 })));
    wishes
}

/// The modes in which a call does something, or goes wrong later.
fn add_modes(wishes: &mut Vec<Wish>, function: &Function, count: usize, extent: Extent) {
    let modes: &[Mode] = match (function.is_opencl(), function.is_command, extent) {
        (true, true, Extent::Few) => &[Mode::Event],
        (true, true, Extent::AllCalls) => &[Mode::Event, Mode::Sticky],
        (false, ..) | (_, _, Extent::Few | Extent::AllCalls) => &[],
        (true, false, Extent::Several) => &[Mode::After],
        (true, false, _) => &[Mode::After, Mode::Delay],
        (true, true, _) => &[Mode::After, Mode::Event, Mode::Sticky, Mode::Late, Mode::Delay],
    };
    for (index, mode) in modes.iter().enumerate() {
        match extent {
            // Calls in the middle, another one for each mode.
            Extent::Few | Extent::Several => {
                wishes.push(Wish::new(function.name, 1 + count * index / modes.len(), *mode, -5));
            }
            Extent::AllCalls | Extent::All => {
                wishes.extend((1..=count).map(|call| Wish::new(function.name, call, *mode, -5)));
            }
        }
    }
}

/// So many of the numbers from 1 to `count`, the first and the last among them; the middle one if it is only one.
fn chosen(count: usize, wanted: usize) -> impl Iterator<Item = usize> {
    let wanted = wanted.min(count);
    (0..wanted).map(move |k| if wanted == 1 { count.div_ceil(2) } else { 1 + (count - 1) * k / (wanted - 1) })
}
