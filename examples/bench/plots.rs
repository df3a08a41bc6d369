//! Plots in SVG, after figures 6 and 7 of Holewinski et al., ICS 2012.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Error, Result, anyhow};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::measure::Series;
use super::program::Element;
use super::report::{Line, Report};

type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Writes a plot of each kind and element type for which there are lines.
///
/// # Errors
/// A file cannot be written.
pub fn write_all(report: &Report, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for element in [Element::Double, Element::Single] {
        let name = element.name();
        let pairs = pairs(report, element);
        if !pairs.is_empty() {
            let file = folder.join(format!("time-tiling-{name}.svg"));
            plot_time_tiling(&file, report, element, &pairs).with_context(|| file.display().to_string())?;
        }
        for (stencil, lines) in explored(report, element) {
            let file = folder.join(format!("depth-{stencil}-{name}.svg"));
            plot_depths(&file, report, &stencil, &lines).with_context(|| file.display().to_string())?;
        }
    }
    Ok(())
}

/// Lines with the model's plan, each with the one without time tiles.
fn pairs(report: &Report, element: Element) -> Vec<(&Line, &Line)> {
    let of_type = |line: &&Line| line.element == element;
    let tiled = report.series(Series::Default).filter(of_type);
    let direct =
        |tiled: &Line| report.series(Series::Direct).filter(of_type).find(|line| line.stencil == tiled.stencil);
    tiled.filter_map(|tiled| Some((tiled, direct(tiled)?))).collect()
}

fn explored(report: &Report, element: Element) -> BTreeMap<String, Vec<&Line>> {
    let mut stencils: BTreeMap<String, Vec<&Line>> = BTreeMap::new();
    for line in report.series(Series::Explored).filter(|line| line.element == element) {
        stencils.entry(line.stencil.clone()).or_default().push(line);
    }
    stencils
}

/// Figure 6: GFLOP/s with time tiles and with tiles of space alone, a pair of bars a stencil.
fn plot_time_tiling(file: &Path, report: &Report, element: Element, pairs: &[(&Line, &Line)]) -> Result<()> {
    let count = pairs.len() as f64;
    let longest = largest(pairs.iter().flat_map(|(tiled, direct)| [tiled.gflops_per_second, direct.gflops_per_second]));
    let area = SVGBackend::new(file, (900, 120 + 34 * pairs.len() as u32)).into_drawing_area();
    let caption = format!("{}, {} precision", report.device.name, element.name());
    area.fill(&WHITE).map_err(failed)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(caption, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(150)
        .build_cartesian_2d(0.0..1.25 * longest, count..0.0)
        .map_err(failed)?;
    let mesh = &mut chart.configure_mesh();
    mesh.disable_y_mesh().max_light_lines(0).y_labels(0).x_desc("GFLOP/s").draw().map_err(failed)?;
    let kinds: [(&str, f64, RGBColor); 2] = [("time tiles", 0.15, BLUE), ("space alone", 0.5, RGBColor(170, 170, 170))];
    for (kind, (label, top, colour)) in kinds.into_iter().enumerate() {
        let bar = |(row, (tiled, direct)): (usize, &(&Line, &Line))| {
            let rate = if kind == 0 { tiled.gflops_per_second } else { direct.gflops_per_second };
            let top = row as f64 + top;
            Rectangle::new([(0.0, top), (rate, top + 0.35)], colour.filled())
        };
        let series = chart.draw_series(pairs.iter().enumerate().map(bar)).map_err(failed)?;
        series.label(label).legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], colour.filled()));
    }
    let style = ("sans-serif", 13).into_text_style(&area).pos(Pos::new(HPos::Right, VPos::Center));
    let name = |(row, (tiled, _)): (usize, &(&Line, &Line))| {
        Text::new(tiled.stencil.clone(), (-0.01 * longest, row as f64 + 0.5), style.clone())
    };
    chart.draw_series(pairs.iter().enumerate().map(name)).map_err(failed)?;
    draw_legend(&mut chart)?;
    area.present().map_err(failed)
}

/// Figure 7: GCells/s over the time tile, a curve for each number of points per work-item.
fn plot_depths(file: &Path, report: &Report, stencil: &str, lines: &[&Line]) -> Result<()> {
    let mut curves: BTreeMap<u64, Vec<(f64, f64)>> = BTreeMap::new();
    for line in lines {
        let point = (line.kernel_number("time_tile") as f64, line.gcells_per_second);
        curves.entry(line.kernel_number("per_item")).or_default().push(point);
    }
    let fastest = largest(lines.iter().map(|line| line.gcells_per_second));
    let deepest = largest(lines.iter().map(|line| line.kernel_number("time_tile") as f64));
    let area = SVGBackend::new(file, (720, 480)).into_drawing_area();
    area.fill(&WHITE).map_err(failed)?;
    let caption = format!("{stencil}, {} precision, {}", lines[0].element.name(), report.device.name);
    let mut chart = ChartBuilder::on(&area)
        .caption(caption, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(0.0..deepest + 0.5, 0.0..1.08 * fastest)
        .map_err(failed)?;
    let mut mesh = chart.configure_mesh();
    mesh.max_light_lines(0).x_desc("time tile").y_desc("GCells/s").x_label_formatter(&|depth| format!("{depth:.0}"));
    mesh.draw().map_err(failed)?;
    for (number, (points, mut curve)) in curves.into_iter().enumerate() {
        curve.sort_by(|a, b| a.0.total_cmp(&b.0));
        let style = Palette99::pick(number).stroke_width(2);
        let series = chart.draw_series(LineSeries::new(curve, style).point_size(3)).map_err(failed)?;
        let label = format!("{points} point{} a work-item", if points == 1 { "" } else { "s" });
        series.label(label).legend(move |(x, y)| PathElement::new([(x, y), (x + 14, y)], style));
    }
    draw_legend(&mut chart)?;
    area.present().map_err(failed)
}

fn draw_legend<'a, 'b: 'a>(chart: &mut Chart<'a, 'b>) -> Result<()> {
    let mut labels = chart.configure_series_labels();
    labels.position(SeriesLabelPosition::LowerRight).background_style(WHITE.mix(0.9)).border_style(BLACK);
    labels.draw().map_err(failed)
}

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::MIN_POSITIVE, f64::max)
}

/// An error without the borrows of the drawing that it came from.
fn failed(error: impl std::error::Error) -> Error {
    anyhow!("{error}")
}
