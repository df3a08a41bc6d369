//! Positions of cells in buffers.

/// The position of a cell that is counted from the one at `base`.
pub(super) fn position(layout: usize, base: &str, cell: &[String]) -> String {
    let last = cell.len() - 1;
    let mut position = base.to_string();
    for (d, x) in cell.iter().enumerate().filter(|(_, x)| *x != "0") {
        let (sign, x) = x.strip_prefix('-').filter(|x| !x.contains(' ')).map_or(('+', x.as_str()), |x| ('-', x));
        let x = if x.contains(' ') { format!("({x})") } else { x.to_string() };
        position += &match (d == last, x.as_str()) {
            (true, _) => format!(" {sign} {x}"),
            (false, "1") => format!(" {sign} stride{layout}_{d}"),
            (false, _) => format!(" {sign} {x} * stride{layout}_{d}"),
        };
    }
    position
}
