//! The C runtime that every driver starts with; see the README beside this file.

mod members;

pub use members::members;

use crate::text::{Fnv, WIDTH, wrap};

/// The files in the order in which they form one translation unit.
const FILES: &[&str] = &[
    include_str!("platform.c"),
    LANGUAGE,
    QUICK,
    TYPES,
    BOXES,
    include_str!("checked.c"),
    include_str!("state.c"),
    include_str!("messages.c"),
    include_str!("threads.c"),
    include_str!("device.c"),
    include_str!("work.c"),
    include_str!("ranges.c"),
    include_str!("readable.c"),
    include_str!("checks.c"),
    include_str!("rows.c"),
    include_str!("history.c"),
    include_str!("tiles.c"),
    include_str!("layout.c"),
    include_str!("sha256.c"),
    include_str!("cache_folder.c"),
    include_str!("cache_file.c"),
    include_str!("cache_prune.c"),
    include_str!("cache.c"),
    include_str!("options.c"),
    include_str!("started.c"),
    include_str!("program.c"),
    include_str!("beside.c"),
    include_str!("price.c"),
    include_str!("schedule.c"),
    include_str!("climb.c"),
    include_str!("plan.c"),
    include_str!("transfer.c"),
    include_str!("stage.c"),
    include_str!("memory.c"),
    include_str!("launch.c"),
    include_str!("exchange.c"),
    include_str!("combine.c"),
    include_str!("session.c"),
    include_str!("poison.c"),
    include_str!("compare.c"),
    include_str!("verify.c"),
    include_str!("verdict.c"),
    include_str!("cost.c"),
    include_str!("account.c"),
    HOST,
    include_str!("run.c"),
    include_str!("narrow.c"),
    include_str!("part.c"),
    include_str!("bounds.c"),
    include_str!("ahead.c"),
    include_str!("lend.c"),
    include_str!("preview.c"),
    include_str!("underway.c"),
    include_str!("given.c"),
    include_str!("open.c"),
    include_str!("bring.c"),
    include_str!("store.c"),
    include_str!("foresee.c"),
    include_str!("act.c"),
    include_str!("replay.c"),
    include_str!("chain.c"),
    include_str!("record.c"),
    include_str!("settle.c"),
    include_str!("sync.c"),
    include_str!("tell.c"),
    include_str!("legs.c"),
    include_str!("again.c"),
];

const LANGUAGE: &str = include_str!("language.c");
/// What users' files have inline.
pub const QUICK: &str = include_str!("quick.c");
/// The tables of nests and calls, and recordings.
const TYPES: &str =
    concat!(include_str!("nest_types.c"), "\n", include_str!("call_types.c"), "\n", include_str!("recording_types.c"));
const BOXES: &str = include_str!("boxes.c");
const HOST: &str = include_str!("host.c");

/// Parameters of functions that are told of a part of memory, and of pieces in it or behind it.
const WITH_PIECES: &[(&str, &str)] = &[
    ("stencil_recording *", "recording"),
    ("const volatile void *", "from"),
    ("const volatile void *", "to"),
    ("size_t ", "one"),
    ("size_t ", "other"),
];

/// The functions that drivers call: name, type and name of each parameter. All give an `int`.
const FUNCTIONS: &[(&str, &[(&str, &str)])] = &[
    ("stencil_is_moderate", &[("const stencil_call *", "call")]),
    ("stencil_ranges_are_right", &[("const stencil_call *", "call")]),
    ("stencil_run", &[("const stencil_nest *", "nest"), ("const stencil_call *", "call"), ("stencil_turn *", "turn")]),
    (
        "stencil_act",
        &[
            ("const stencil_nest *", "nest"),
            ("const stencil_call *", "call"),
            ("stencil_turn *", "turn"),
            ("stencil_recording *", "recording"),
        ],
    ),
    ("stencil_make_wheels", &[("stencil_recording *", "recording")]),
    ("stencil_begin", &[("stencil_recording *", "recording")]),
    ("stencil_note_step", &[("stencil_recording *", "recording")]),
    ("stencil_leave_step", &[("stencil_recording *", "recording"), ("int ", "leg_count")]),
    ("stencil_note_leg", &[("stencil_recording *", "recording"), ("int ", "legs")]),
    ("stencil_goes_on", &[("stencil_recording *", "recording"), ("int ", "legs")]),
    (
        "stencil_give_leg",
        &[
            ("const stencil_nest *", "nest"),
            ("stencil_recording *", "recording"),
            ("int ", "leg"),
            ("int ", "is_handed_on"),
        ],
    ),
    ("stencil_settle_told", &[("stencil_recording *", "recording")]),
    ("stencil_adopt", &[("stencil_recording *", "recording")]),
    ("stencil_sync", &[("stencil_recording *", "recording")]),
    ("stencil_settle_values", &[("stencil_recording *", "recording")]),
    ("stencil_settle_comparisons", &[("stencil_recording *", "recording")]),
    ("stencil_find_ends", &[("stencil_recording *", "recording"), ("const stencil_call *", "call")]),
    ("stencil_give_room", &[("stencil_recording *", "recording"), ("int ", "number"), ("stencil_array *", "array")]),
    (
        "stencil_sync_part",
        &[("stencil_recording *", "recording"), ("const volatile void *", "from"), ("const volatile void *", "to")],
    ),
    ("stencil_sync_rows", WITH_PIECES),
    ("stencil_sync_behind", WITH_PIECES),
    ("stencil_store", WITH_PIECES),
    ("stencil_store_too", WITH_PIECES),
    ("stencil_store_behind", WITH_PIECES),
    ("stencil_store_behind_too", WITH_PIECES),
    ("stencil_take_stored", &[("stencil_recording *", "recording")]),
    ("stencil_finish", &[("stencil_recording *", "recording")]),
    ("stencil_finish_at_exit", &[("stencil_recording *", "recording")]),
    ("stencil_retire", &[("stencil_chain *", "chain")]),
    (
        "stencil_keep_folds",
        &[
            ("stencil_turn *", "turn"),
            ("const stencil_call *", "call"),
            ("const stencil_left *", "folds"),
            ("int ", "count"),
            ("void **", "left"),
        ],
    ),
    (
        "stencil_has_run",
        &[
            ("const stencil_nest *", "nest"),
            ("stencil_turn *", "turn"),
            ("const void *", "frame"),
            ("void *const *", "left"),
        ],
    ),
];

/// What drivers start with whose runtime is apart.
pub fn interface() -> String {
    let mut text =
        [LANGUAGE, QUICK, TYPES, BOXES, HOST].join("\n") + "\n/* The runtime, which is linked with this. */\n";
    for (name, parameters) in FUNCTIONS {
        text += &format!("#define {name} {}\nextern int {name}({});\n", external(name), declared(parameters));
    }
    wrap(&text, WIDTH)
}

/// The runtime for drivers that have only its interface.
pub fn apart() -> String {
    let mut text = text() + DEFINITIONS;
    for (name, parameters) in FUNCTIONS {
        let name_there = external(name);
        let arguments: Vec<&str> = parameters.iter().map(|(_, name)| *name).collect();
        let declared = declared(parameters);
        text += &format!("\nSTENCIL_SHARED int {name_there}({declared});\n");
        text += &format!(
            "STENCIL_SHARED int {name_there}({declared})\n{{\n    return {name}({});\n}}\n",
            arguments.join(", ")
        );
    }
    wrap(&text, WIDTH)
}

/// Any of several definitions will do, and none is for other shared libraries.
const DEFINITIONS: &str = "
/* What drivers call. */

#if defined(__GNUC__) || defined(__clang__)
#define STENCIL_SHARED __attribute__((weak, visibility(\"hidden\")))
#else
#define STENCIL_SHARED
#endif
";

/// `const stencil_call *call`
fn declared(parameters: &[(&str, &str)]) -> String {
    parameters.iter().map(|(ty, name)| format!("{ty}{name}")).collect::<Vec<_>>().join(", ")
}

/// The names of the functions that drivers call, as a linker sees them.
pub fn external_names() -> Vec<String> {
    FUNCTIONS.iter().map(|(name, _)| external(name)).collect()
}

/// The name that a linker sees. It changes with the interface.
fn external(name: &str) -> String {
    let mut hash = Fnv::new();
    [TYPES, QUICK, LANGUAGE].iter().for_each(|text| hash.write(text.as_bytes()));
    format!("{name}_{:08x}", hash.folded())
}

/// The runtime as C text.
pub fn text() -> String {
    wrap(&FILES.join("\n"), WIDTH)
}
