//! Sums that are computed before a statement, in loops or by arrays of the point.

use super::super::model::{Element, Expr, Length, Program, Reference, Table, TablePlace, Total};
use super::expr::{write_expr, write_reference};
use super::scope::Scope;
use super::text::Text;

/// What some values need to be computed before them.
pub fn write_totals<'e>(text: &mut Text, scope: &Scope, values: impl IntoIterator<Item = &'e Expr>) {
    let totals = totals_of(values);
    let mut tables: Vec<usize> = totals.iter().filter_map(|total| total.weights.map(|(table, _)| table)).collect();
    tables.sort_unstable();
    tables.dedup();
    for table in tables {
        let keyword = match scope.program.tables[table].place {
            TablePlace::Local => "const ",
            TablePlace::Kept => "static const ",
            TablePlace::Global | TablePlace::Variable => continue,
        };
        text.line(format!("{keyword}{};", define_table(table, &scope.program.tables[table])));
    }
    totals.into_iter().for_each(|total| write_total(text, scope, total));
}

/// All sums of some values, each once.
pub fn totals_of<'e>(values: impl IntoIterator<Item = &'e Expr>) -> Vec<&'e Total> {
    let mut totals: Vec<&Total> = values.into_iter().flat_map(Expr::totals).collect();
    totals.sort_by_key(|total| total.number);
    totals.dedup_by_key(|total| total.number);
    totals
}

/// The tables before all functions that some sum needs.
pub fn global_tables(program: &Program) -> Vec<usize> {
    let mut tables: Vec<usize> =
        all_totals(program).iter().filter_map(|total| total.weights.map(|(it, _)| it)).collect();
    tables.sort_unstable();
    tables.dedup();
    tables.retain(|table| matches!(program.tables[*table].place, TablePlace::Global | TablePlace::Variable));
    tables
}

/// `double weights0[2][3]`
pub fn declare_table(index: usize, table: &Table) -> String {
    let count = table.tenths.len() / table.rows;
    let rows = if table.rows > 1 { format!("[{}]", table.rows) } else { String::new() };
    format!("{} weights{index}{rows}[{count}]", table.element.names().0)
}

/// `double weights0[3] = {0.5, -1.0, 0.5}`
pub fn define_table(index: usize, table: &Table) -> String {
    let number = |tenths: &i64| match table.element {
        Element::Int => tenths.to_string(),
        Element::Float => format!("{}f", *tenths as f64 / 10.0 + 0.05),
        _ => format!("{}", *tenths as f64 / 10.0 + 0.05),
    };
    let row = |row: &[i64]| format!("{{{}}}", row.iter().map(number).collect::<Vec<_>>().join(", "));
    let rows: Vec<String> = table.tenths.chunks(table.tenths.len() / table.rows).map(row).collect();
    let value = if table.rows > 1 { format!("{{{}}}", rows.join(", ")) } else { rows[0].clone() };
    format!("{} = {value}", declare_table(index, table))
}

/// A loop that adds elements, or one that adds what an array of the point holds.
fn write_total(text: &mut Text, scope: &Scope, total: &Total) {
    let (number, element) = (total.number, total.element.names().0);
    let run = run_of(&total.reads).filter(|_| total.spelling % 3 != 1 || radius_of(total).is_some());
    let begins_there = total.spelling % 2 == 1 || radius_of(total).is_some();
    let from_first = run.filter(|_| begins_there).map_or(0, |(_, first)| first);
    let inner = run.map(|(axis, first)| scope.with_run(axis, first - from_first));
    let read = inner.as_ref().map(|inner| write_reference(inner, &total.reads[0]));
    let term = match &read {
        Some(read) if total.spelling.is_multiple_of(3) => read.clone(),
        _ => {
            write_parts(text, scope, total, read.as_deref(), from_first);
            format!("part{number}[{}]", counted("s", -from_first))
        }
    };
    let number_of = match radius_of(total).filter(|_| total.spelling & 16 != 0) {
        Some(_) => format!("s + {}", length_of(total).unwrap_or_default()),
        None => counted("s", -from_first),
    };
    let weight = total.weights.map(|(table, row)| write_weight(scope, table, row, &number_of));
    let term = weight.map_or(term.clone(), |weight| format!("{weight} * {term}"));
    text.line(format!("{element} total{number} = 0;"));
    text.open_bare(inner_loop(total, from_first));
    let is_long = total.spelling % 5 == 2;
    text.line(if is_long {
        format!("total{number} = total{number} + {term};")
    } else {
        format!("total{number} += {term};")
    });
    text.close_bare();
}

fn inner_loop(total: &Total, first: i64) -> String {
    if let Some(radius) = length_of(total).filter(|_| radius_of(total).is_some()) {
        return match total.spelling & 32 {
            0 => format!("for (int s = -{radius}; s <= {radius}; s++)"),
            _ => format!("for (int s = {radius}; s >= -{radius}; s--)"),
        };
    }
    let bound = match length_of(total) {
        Some(length) => counted(&length, first),
        None => (first + total.reads.len() as i64).to_string(),
    };
    format!("for (int s = {first}; s < {bound}; s++)")
}

/// The variable that says how many elements a sum has, if one does.
pub fn length_of(total: &Total) -> Option<String> {
    let name = if radius_of(total).is_some() { "radius" } else { "length" };
    total.has_variable_length().then(|| format!("{name}{}", total.number))
}

/// How many elements a sum has at most on each side of the one in its middle, and by how many fewer it may have, if a variable
/// says that.
fn radius_of(total: &Total) -> Option<(i64, i64)> {
    let Length::Radius(fewer) = total.length else { return None };
    let (_, first) = run_of(&total.reads)?;
    (total.reads.len() as i64 == 1 - 2 * first).then_some((-first, fewer.min(-first)))
}

/// The value of the variable in a run of the program, where that gives it one: `3 - (steps + n) % 2`.
pub fn measured_length(main: &Scope, total: &Total) -> Option<String> {
    let count = total.reads.len() as i64;
    let (most, fewer) = match (radius_of(total), total.length) {
        (_, Length::Known) => return None,
        (Some(radius), _) => radius,
        (None, Length::Measured(fewer) | Length::Radius(fewer)) => (count, fewer.min(count)),
    };
    Some(format!("{most} - (steps + (int){}) % {}", main.size(0), fewer + 1))
}

/// All sums whose lengths are variables.
pub fn sums_of_variable_length(program: &Program) -> Vec<&Total> {
    all_totals(program).into_iter().filter(|total| total.has_variable_length()).collect()
}

fn all_totals(program: &Program) -> Vec<&Total> {
    let statements = program.sweeps().flat_map(|sweep| &sweep.statements);
    totals_of(statements.flat_map(|statement| [&statement.value].into_iter().chain(&statement.otherwise)))
}

/// The elements in an array of the point: by a loop, one by one, or where it is declared.
fn write_parts(text: &mut Text, scope: &Scope, total: &Total, read: Option<&str>, first: i64) {
    let (number, element, count) = (total.number, total.element.names().0, total.reads.len());
    let reads: Vec<String> = total.reads.iter().map(|read| write_expr(scope, &Expr::Read(read.clone()))).collect();
    if read.is_none() && total.spelling.is_multiple_of(2) {
        return text.line(format!("{element} part{number}[{count}] = {{{}}};", reads.join(", ")));
    }
    text.line(format!("{element} part{number}[{count}];"));
    if let Some(read) = read {
        text.open_bare(inner_loop(total, first));
        text.line(format!("part{number}[{}] = {read};", counted("s", -first)));
        return text.close_bare();
    }
    for (place, read) in reads.iter().enumerate() {
        text.line(format!("part{number}[{place}] = {read};"));
    }
}

/// `weights0[1][s]`
fn write_weight(scope: &Scope, table: usize, row: usize, number: &str) -> String {
    let rows = if scope.program.tables[table].rows > 1 { format!("[{row}]") } else { String::new() };
    format!("weights{table}{rows}[{number}]")
}

/// `s`, `s + 2`
fn counted(name: &str, more: i64) -> String {
    match more {
        0 => name.to_string(),
        more if more < 0 => format!("{name} - {}", -more),
        more => format!("{name} + {more}"),
    }
}

/// The axis along which reads follow each other, and where they begin.
fn run_of(reads: &[Reference]) -> Option<(usize, i64)> {
    let (first, rest) = reads.split_first()?;
    let second = rest.first().filter(|it| it.field == first.field)?;
    let place = (0..first.subscripts.len()).find(|place| first.subscripts[*place] != second.subscripts[*place])?;
    let subscript = first.subscripts[place];
    let is_next = |(distance, read): (usize, &Reference)| {
        let mut moved = first.clone();
        moved.subscripts[place].offset += distance as i64;
        *read == moved
    };
    let is_plain = subscript.scale == 1 && subscript.size == 0;
    (is_plain && reads.iter().enumerate().all(is_next)).then_some((subscript.axis, subscript.offset))
}
