//! A table of a report, which can be written as CSV, Markdown and HTML.

use crate::lettering::parts;
use std::fmt::Write;

/// A table with its title and caption.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The name in file names.
    pub name: String,
    /// What the table shows.
    pub title: String,
    /// Units, seeds, and what the columns mean.
    pub caption: String,
    /// The titles of the columns.
    pub columns: Vec<String>,
    /// The rows, each with one cell for every column.
    pub rows: Vec<Vec<Cell>>,
}

/// One cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A text.
    Text(String),
    /// A whole number.
    Count(u64),
    /// A number with a fraction.
    Number(f64),
    /// No value.
    Nothing,
}

impl From<Option<f64>> for Cell {
    fn from(value: Option<f64>) -> Cell {
        value.map_or(Cell::Nothing, Cell::Number)
    }
}

impl From<Option<u64>> for Cell {
    fn from(value: Option<u64>) -> Cell {
        value.map_or(Cell::Nothing, Cell::Count)
    }
}

impl From<usize> for Cell {
    fn from(value: usize) -> Cell {
        Cell::Count(value as u64)
    }
}

impl From<&str> for Cell {
    fn from(value: &str) -> Cell {
        Cell::Text(value.to_string())
    }
}

impl Cell {
    /// The cell for people: numbers have four digits, without trailing zeros.
    pub fn words(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Count(count) => count.to_string(),
            Cell::Number(number) => in_digits(*number),
            Cell::Nothing => "–".to_string(),
        }
    }

    /// The cell for programs: numbers have all digits.
    fn exact(&self) -> String {
        match self {
            Cell::Text(text) if text.contains([',', '"', '\n', '\r']) => format!("\"{}\"", text.replace('"', "\"\"")),
            Cell::Text(text) => text.clone(),
            Cell::Count(count) => count.to_string(),
            Cell::Number(number) => number.to_string(),
            Cell::Nothing => String::new(),
        }
    }

    fn is_number(&self) -> bool {
        !matches!(self, Cell::Text(_))
    }
}

/// A number as text with four digits.
pub fn in_digits(number: f64) -> String {
    let size = number.abs();
    let text = match size {
        _ if size == 0.0 => return "0".to_string(),
        0.0..0.001 => format!("{number:.1e}"),
        0.001..10.0 => format!("{number:.4}"),
        10.0..100.0 => format!("{number:.2}"),
        100.0..1000.0 => format!("{number:.1}"),
        _ => format!("{number:.0}"),
    };
    let text = if text.contains('.') && !text.contains('e') {
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    } else {
        text
    };
    text.replace('-', "−")
}

/// A text with the special characters of HTML and SVG escaped.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Texts with more characters than this may be broken into several lines in a table.
const LONG: usize = 24;

/// A text as HTML in which long names may be broken after punctuation, as in figures.
fn breakable(text: &str) -> String {
    let word = |word: &str| parts(word).into_iter().map(escaped).collect::<Vec<_>>().join("<wbr>");
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

impl Table {
    /// The table as CSV, with all digits. A cell without a value is empty.
    pub fn csv(&self) -> String {
        let heads: Vec<Cell> = self.columns.iter().map(|head| head.as_str().into()).collect();
        let line = |row: &Vec<Cell>| row.iter().map(Cell::exact).collect::<Vec<_>>().join(",") + "\n";
        [&heads].into_iter().chain(&self.rows).map(line).collect()
    }

    /// The table as Markdown, with rounded numbers, title and caption.
    pub fn markdown(&self) -> String {
        let mark = |column: usize| if self.is_numeric(column) { "---:" } else { "---" };
        let marks: Vec<&str> = (0..self.columns.len()).map(mark).collect();
        let mut text = format!("**{}**\n\n| {} |\n| {} |\n", self.title, self.columns.join(" | "), marks.join(" | "));
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(|cell| cell.words().replace('|', "\\|")).collect();
            text += &format!("| {} |\n", cells.join(" | "));
        }
        text + &format!("\n{}\n", self.caption)
    }

    /// The table as part of an HTML page, with title and caption.
    pub fn html(&self) -> String {
        let [title, caption] = [&self.title, &self.caption].map(|words| escaped(words));
        let head = format!("<figure class=\"table\">\n<figcaption><strong>{title}</strong></figcaption>\n");
        let region = format!("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\">");
        format!("{head}{region}{}</div>\n<p class=\"caption\">{caption}</p>\n</figure>\n", self.grid())
    }

    /// The HTML of the columns' titles and the rows alone.
    pub fn grid(&self) -> String {
        let kind = |column: usize| match column {
            _ if self.is_numeric(column) => " class=\"number\"",
            _ if self.rows.iter().any(|row| row[column].words().chars().count() > LONG) => " class=\"words\"",
            _ => "",
        };
        let mut text = "<table>\n<thead><tr>".to_string();
        for (column, head) in self.columns.iter().enumerate() {
            let _ = write!(text, "<th scope=\"col\"{}>{}</th>", kind(column), escaped(head));
        }
        text += "</tr></thead>\n<tbody>\n";
        for row in &self.rows {
            text += "<tr>";
            for (column, cell) in row.iter().enumerate() {
                let words = breakable(&cell.words());
                let _ = match column {
                    0 => write!(text, "<th scope=\"row\"{}>{words}</th>", kind(column)),
                    _ => write!(text, "<td{}>{words}</td>", kind(column)),
                };
            }
            text += "</tr>\n";
        }
        text + "</tbody>\n</table>"
    }

    fn is_numeric(&self, column: usize) -> bool {
        self.rows.iter().all(|row| row[column].is_number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_exact_for_programs_and_short_for_people() {
        let table = Table {
            name: "t".into(),
            title: "A & B".into(),
            caption: "Units: none.".into(),
            columns: ["name", "value"].map(str::to_string).to_vec(),
            rows: vec![
                vec!["a, \"b\" | c".into(), Cell::Number(1.0 / 3.0)],
                vec!["d".into(), Cell::Nothing],
                vec!["e".into(), 7usize.into()],
            ],
        };
        assert_eq!(table.csv(), "name,value\n\"a, \"\"b\"\" | c\",0.3333333333333333\nd,\ne,7\n");
        let markdown = table.markdown();
        assert!(markdown.contains("| name | value |\n| --- | ---: |\n"), "{markdown}");
        assert!(markdown.contains("| a, \"b\" \\| c | 0.3333 |"), "{markdown}");
        assert!(table.html().contains("<strong>A &amp; B</strong>"));
    }

    #[test]
    fn long_names_may_be_broken_and_numbers_are_aligned() {
        let row = |name: &str, what: &str| vec![name.into(), what.into(), Cell::Number(-0.5)];
        let table = Table {
            name: "t".into(),
            title: "T".into(),
            caption: String::new(),
            columns: ["name", "measure", "value"].map(str::to_string).to_vec(),
            rows: vec![row("rate-0.125", "grade"), row("population-60 & more", "perfect turns of the champion")],
        };
        let html = table.html();
        for part in [
            "<th scope=\"col\">name</th><th scope=\"col\" class=\"words\">measure</th><th scope=\"col\" class=\"number\">",
            "<th scope=\"row\">rate-<wbr>0.125</th>",
            "<th scope=\"row\">population-<wbr>60 &amp; more</th><td class=\"words\">perfect turns of the champion</td>",
            "<td class=\"number\">−0.5</td>",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }

    #[test]
    fn digits() {
        let found = [0.0, 1.0, 0.12345, -0.5, 12.345, 123.45, 98_765.4, 0.000_012_3].map(in_digits);
        assert_eq!(found, ["0", "1", "0.1235", "−0.5", "12.35", "123.5", "98765", "1.2e−5"]);
    }
}
