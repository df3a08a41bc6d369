//! Where a text has more than blanks: what is blanked of headers is most of it, and the parser need not look at that.

use tree_sitter::{Point, Range};

/// So many blanks in a row are left out.
const MANY: usize = 256;

/// The parts of a text between long runs of blanks; never none.
pub fn written_ranges(text: &[u8]) -> Vec<Range> {
    let mut ranges = Vec::new();
    let [mut start, mut place, mut end] = [Place::default(); 3];
    for byte in text {
        let is_blank = byte.is_ascii_whitespace();
        if !is_blank && place.byte - end.byte > MANY {
            ranges.push(start.to(end));
            start = place;
        }
        place.advance(*byte);
        if !is_blank {
            end = place;
        }
    }
    ranges.push(start.to(place));
    ranges
}

/// A place in a text.
#[derive(Clone, Copy, Default)]
struct Place {
    byte: usize,
    point: Point,
}

impl Place {
    fn advance(&mut self, byte: u8) {
        self.byte += 1;
        self.point = match byte {
            b'\n' => Point::new(self.point.row + 1, 0),
            _ => Point::new(self.point.row, self.point.column + 1),
        };
    }

    fn to(self, end: Self) -> Range {
        Range { start_byte: self.byte, end_byte: end.byte, start_point: self.point, end_point: end.point }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_runs_of_blanks_are_left_out() {
        let blanks = " ".repeat(MANY / 2) + "\n" + &" ".repeat(MANY);
        let bounds = |text: &str| -> Vec<_> {
            let ranges = written_ranges(text.as_bytes());
            ranges.iter().map(|it| (it.start_byte, it.start_point.row, it.end_byte, it.end_point.row)).collect()
        };
        assert_eq!(bounds(""), [(0, 0, 0, 0)]);
        assert_eq!(bounds("int a;\n  int b;\n"), [(0, 0, 16, 2)]);
        let gap = blanks.len();
        assert_eq!(bounds(&format!("a{blanks}b\nc")), [(0, 0, 1, 0), (gap + 1, 1, gap + 4, 2)]);
        assert_eq!(bounds(&format!("{blanks}b{blanks}")), [(0, 0, 0, 0), (gap, 1, 2 * gap + 1, 2)]);
    }
}
