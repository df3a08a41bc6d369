//! The table, on the terminal and on a page.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::measure::Series;
use super::report::{Line, Report};
use super::suite::STENCILS;

const COLUMNS: [&str; 14] = [
    "stencil",
    "type",
    "GCells/s",
    "model",
    "own plan",
    "boundaries",
    "GFLOP/s",
    "of roof",
    "T",
    "tile",
    "per item",
    "work-group",
    "strategy",
    "registers",
];

/// Columns of text, which stand at the left.
const TEXTS: [&str; 5] = ["stencil", "type", "tile", "work-group", "strategy"];

fn cells(report: &Report, line: &Line) -> [String; COLUMNS.len()] {
    let kernel = &line.plan["kernels"][0];
    let depth = line.kernel_number("time_tile");
    [
        line.stencil.clone(),
        line.element.name().to_owned(),
        rate(line.gcells_per_second),
        expected(line),
        report.own_choice(line).map_or(String::new(), |own| beside(own, line)),
        line.boundary_share().map_or(String::new(), boundary_cost),
        rate(line.gflops_per_second),
        share(line),
        if depth == 0 { String::new() } else { depth.to_string() },
        sizes(&kernel["tile"]),
        line.kernel_number("per_item").to_string(),
        sizes(&kernel["work_group"]),
        line.plan["strategy"].as_str().unwrap_or_default().to_owned(),
        registers(line),
    ]
}

/// What the tool's model expects, where it tells.
fn expected(line: &Line) -> String {
    let of_steps = line.plan["expected_gcells_per_second"].as_f64();
    let sweeps = STENCILS.iter().find(|stencil| stencil.name == line.stencil).map_or(1, |stencil| stencil.half_sweeps);
    of_steps.map_or(String::new(), |steps| rate(steps * f64::from(sweeps)))
}

/// A rate, and its share of another one.
fn beside(own: &Line, line: &Line) -> String {
    let percent = 100.0 * own.gcells_per_second / line.gcells_per_second;
    format!("{}, {percent:.0} %", rate(own.gcells_per_second))
}

/// A rate to three digits, or to the unit.
fn rate(value: f64) -> String {
    let digits = if value < 1.0 {
        3
    } else if value < 10.0 {
        2
    } else {
        usize::from(value < 100.0)
    };
    format!("{value:.digits$}")
}

/// The part of the lower roof that is reached, and which one that is.
fn share(line: &Line) -> String {
    line.attainable.map_or(String::new(), |attainable| {
        let (roof, name) = attainable.least();
        format!("{:.0} % {name}", 100.0 * line.gcells_per_second / roof)
    })
}

/// A share of the time, or none where other registers and addresses make more difference.
fn boundary_cost(share: f64) -> String {
    if share < 0.005 { "none".to_owned() } else { format!("{:.0} %", 100.0 * share) }
}

fn sizes(list: &Value) -> String {
    let sizes: Vec<String> = list.as_array().into_iter().flatten().map(Value::to_string).collect();
    sizes.join(" x ")
}

fn registers(line: &Line) -> String {
    let spilled =
        line.spilled_bytes.filter(|bytes| *bytes > 0).map_or(String::new(), |bytes| format!(", {bytes} B spilled"));
    line.registers.map_or(String::new(), |count| format!("{count}{spilled}"))
}

/// The header and a row for each line, without the columns in which no line has anything.
fn rows(report: &Report) -> Vec<Vec<String>> {
    let lines: Vec<_> = report.series(Series::Default).map(|line| cells(report, line)).collect();
    let is_shown = |column: &usize| lines.is_empty() || lines.iter().any(|line| !line[*column].is_empty());
    let shown: Vec<usize> = (0..COLUMNS.len()).filter(is_shown).collect();
    let header = COLUMNS.map(str::to_owned);
    std::iter::once(&header)
        .chain(&lines)
        .map(|row| shown.iter().map(|column| row[*column].clone()).collect())
        .collect()
}

/// Whether each column is one of text.
fn are_texts(header: &[String]) -> Vec<bool> {
    header.iter().map(|title| TEXTS.contains(&title.as_str())).collect()
}

/// Writes the table for people at a terminal.
///
/// # Errors
/// `output` cannot be written.
pub fn write_text(report: &Report, output: &mut dyn Write) -> io::Result<()> {
    writeln!(output)?;
    for row in aligned(&rows(report)) {
        writeln!(output, "{}", row.join("  ").trim_end())?;
    }
    for failure in &report.failures {
        writeln!(output, "FAILED {}", failure.job)?;
    }
    Ok(())
}

/// Cells filled up with blanks to the width of their column.
fn aligned(rows: &[Vec<String>]) -> Vec<Vec<String>> {
    let are_texts = are_texts(&rows[0]);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let fill = |(column, cell): (usize, &String)| {
        let width = width(column);
        if are_texts[column] { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
    };
    rows.iter().map(|row| row.iter().enumerate().map(fill).collect()).collect()
}

/// Writes a page with the table in Markdown and what it was measured on.
///
/// # Errors
/// The file cannot be written.
pub fn write_page(report: &Report, file: &Path) -> Result<()> {
    let mut page =
        String::from("# Results\n\nWritten by the bench (`README.md` tells how to read it); do not edit.\n\n");
    let device = &report.device;
    page += &format!("Device: {}, {}, driver {}.\n", device.name, device.version, device.driver);
    for roofs in &report.roofs {
        let (bytes, flops) = (1e-9 * roofs.bytes_per_second, 1e-9 * roofs.flops_per_second);
        page += &format!("Roofs in {} precision: {bytes:.0} GB/s, {flops:.0} GFLOP/s.\n", roofs.element.name());
    }
    page += &conditions(report);
    page += "\n";
    let rows = rows(report);
    for (number, row) in aligned(&rows).into_iter().enumerate() {
        page += &format!("| {} |\n", row.join(" | "));
        if number == 0 {
            let rules = are_texts(&rows[0]).into_iter().map(|is_text| if is_text { "---" } else { "---:" });
            page += &format!("|{}|\n", rules.collect::<Vec<_>>().join("|"));
        }
    }
    fs::write(file, page).with_context(|| format!("cannot write {}", file.display()))
}

/// Sizes and repetitions, as far as all lines share them.
fn conditions(report: &Report) -> String {
    let mut sizes: Vec<String> = Vec::new();
    for line in report.series(Series::Default) {
        let extents: Vec<String> = line.extents.iter().map(u32::to_string).collect();
        let size = format!("{} with {} steps, --fp {}", extents.join(" x "), line.steps, line.fp.name());
        if !sizes.contains(&size) {
            sizes.push(size);
        }
    }
    let runs = report.lines.iter().map(|line| line.kernel_seconds.len()).min().unwrap_or(0);
    format!("Best of {runs} runs. Grids: {}.\n", sizes.join("; "))
}
