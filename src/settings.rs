//! The one table of what can be asked for a nest, by a clause of its pragma, by a flag, and in a tuning file.

/// Something that can be asked for; in the order in which messages list the clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Setting {
    TimeTile,
    Tile,
    PerItem,
    WorkGroup,
    Strategy,
    Fp,
    Reduction,
    Name,
    Scratch,
    Restrict,
    Extent,
    Value,
    Pure,
    HostReads,
    HostWrites,
}

/// What a setting takes, which decides where macros count in a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Numbers.
    Numbers,
    /// Words of its own, or names of the program.
    Words,
    /// Arrays with sizes in brackets.
    Extents,
}

/// Its names where it is known; empty where it is not.
struct Row {
    setting: Setting,
    clause: &'static str,
    flag: &'static str,
    key: &'static str,
    takes: Takes,
}

const fn row(setting: Setting, takes: Takes, clause: &'static str, flag: &'static str, key: &'static str) -> Row {
    Row { setting, clause, flag, key, takes }
}

const TABLE: [Row; 15] = [
    row(Setting::TimeTile, Takes::Numbers, "time_tile", "time-tile", "time_tile"),
    row(Setting::Tile, Takes::Numbers, "tile", "tile", "tile"),
    row(Setting::PerItem, Takes::Numbers, "per_item", "per-item", "per_item"),
    row(Setting::WorkGroup, Takes::Numbers, "work_group", "work-group", "work_group"),
    row(Setting::Strategy, Takes::Words, "strategy", "strategy", "strategy"),
    row(Setting::Fp, Takes::Words, "fp", "fp", "fp"),
    row(Setting::Reduction, Takes::Words, "reduction", "", ""),
    row(Setting::Name, Takes::Words, "name", "", ""),
    row(Setting::Scratch, Takes::Words, "scratch", "", ""),
    row(Setting::Restrict, Takes::Words, "restrict", "", ""),
    row(Setting::Extent, Takes::Extents, "extent", "", ""),
    row(Setting::Value, Takes::Numbers, "value", "", ""),
    row(Setting::Pure, Takes::Words, "pure", "", ""),
    row(Setting::HostReads, Takes::Words, "host_reads", "", ""),
    row(Setting::HostWrites, Takes::Words, "host_writes", "", ""),
];

impl Setting {
    /// The settings in order.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.setting)
    }

    /// The setting with that clause.
    pub fn of_clause(name: &str) -> Option<Self> {
        Self::all().find(|setting| setting.clause() == name)
    }

    /// The clause's name.
    pub const fn clause(self) -> &'static str {
        TABLE[self as usize].clause
    }

    /// The flag's name without dashes; empty if there is none.
    pub const fn flag(self) -> &'static str {
        TABLE[self as usize].flag
    }

    /// The key of a plan in tuning files; empty if there is none.
    pub const fn key(self) -> &'static str {
        TABLE[self as usize].key
    }

    /// What it takes.
    pub const fn takes(self) -> Takes {
        TABLE[self as usize].takes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_settings_order() {
        assert!(TABLE.iter().enumerate().all(|(index, row)| row.setting as usize == index));
        assert!(Setting::all().all(|setting| Setting::of_clause(setting.clause()) == Some(setting)));
    }

    #[test]
    fn the_readme_tells_every_clause() {
        let readme = include_str!("../README.md");
        assert!(Setting::all().all(|setting| readme.contains(&format!("`{}(", setting.clause()))));
    }
}
