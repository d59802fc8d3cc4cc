//! Columns of text that line up.

use std::io::Write;

/// Prints rows under a head (which may be empty): columns as wide as their widest cell, the last as it is.
pub fn print(out: &mut impl Write, head: &[&str], rows: &[Vec<String>]) -> std::io::Result<()> {
    let head: Vec<String> = head.iter().map(|title| title.to_string()).collect();
    let all = || std::iter::once(&head).filter(|head| !head.is_empty()).chain(rows);
    let columns = all().map(Vec::len).max().unwrap_or(0);
    let width =
        |column: usize| all().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in all() {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', width + 2 - cell.chars().count()));
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
