//! Prints rows of text in aligned columns.

use crate::plain;
use std::io::Write;

/// Prints rows below a head, which may be empty. Columns are as wide as their widest cell; numbers are aligned right.
pub fn print(out: &mut impl Write, head: &[&str], rows: &[Vec<String>]) -> std::io::Result<()> {
    let head: Vec<String> = head.iter().map(|title| title.to_string()).collect();
    // Cells can be names from files: they must not break the lines and columns.
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|cell| plain::line(cell)).collect()).collect();
    let all: Vec<&Vec<String>> = std::iter::once(&head).filter(|head| !head.is_empty()).chain(&rows).collect();
    let is_number = |cell: &String| cell.chars().all(|c| c.is_ascii_digit() || " .-+%".contains(c));
    let numbers: Vec<bool> = (0..all.iter().map(|row| row.len()).max().unwrap_or(0))
        .map(|column| rows.iter().filter_map(|row| row.get(column)).all(is_number))
        .collect();
    for (row, widths) in all.iter().zip(std::iter::repeat(widths(&all))) {
        let cells: Vec<String> = (row.iter().enumerate())
            .map(|(column, cell)| match numbers[column] {
                true => " ".repeat(widths[column] - cell.chars().count()) + cell,
                false => cell.clone(),
            })
            .collect();
        writeln!(out, "{}", padded(&cells, &widths).trim_end())?;
    }
    Ok(())
}

/// Prints rows whose last cell is prose. On a terminal the prose is wrapped between words, within its own column.
pub fn print_wrapped(out: &mut impl Write, rows: &[Vec<String>]) -> std::io::Result<()> {
    let terminal = console::Term::stdout();
    let columns = if terminal.is_term() { usize::from(terminal.size().1) } else { usize::MAX };
    let widths = widths(&rows.iter().collect::<Vec<_>>());
    for row in rows {
        let Some((prose, cells)) = row.split_last() else { continue };
        let mut line = padded(cells, &widths);
        let indent = line.chars().count();
        for word in prose.split(' ') {
            let length = line.chars().count();
            if length > indent && length + word.chars().count() > columns {
                writeln!(out, "{}", line.trim_end())?;
                line = " ".repeat(indent);
            }
            line.push_str(word);
            line.push(' ');
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn widths(rows: &[&Vec<String>]) -> Vec<usize> {
    let columns = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    (0..columns).map(width).collect()
}

fn padded(cells: &[String], widths: &[usize]) -> String {
    let mut line = String::new();
    for (cell, width) in cells.iter().zip(widths) {
        line.push_str(cell);
        line.extend(std::iter::repeat_n(' ', width + 2 - cell.chars().count()));
    }
    line
}
