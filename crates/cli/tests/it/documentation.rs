//! The documentation agrees with the code, and its links and pages are complete.

use super::workspace;
use std::path::{Path, PathBuf};

#[test]
fn the_shown_command_is_the_real_one() {
    let shown = include_str!("../../../../docs/extending-command.md");
    let command = include_str!("../../src/commands/perft.rs");
    assert!(shown.contains(&format!("```rust\n{command}```")), "docs/extending-command.md and perft.rs differ");
}

#[test]
fn the_shown_program_is_the_example() {
    let main = |text: &str| {
        let begin = text.find("Program::new()").expect("there is a program");
        text[begin..].split(".run()").next().unwrap_or_default().to_string()
    };
    let shown = main(include_str!("../../../../docs/extending.md"));
    assert_eq!(shown, main(include_str!("../../../../examples/own-game/src/main.rs")));
}

#[test]
fn links_in_the_book_lead_somewhere() {
    let docs = workspace().join("docs");
    let summary = docs.join("SUMMARY.md");
    let book = markdown_files(&docs);
    let listed: Vec<PathBuf> = links(&prose(&read(&summary))).iter().map(|link| docs.join(link)).collect();
    let mut wrong = Vec::new();
    let missing = book.iter().filter(|page| **page != summary && !listed.contains(page));
    wrong.extend(missing.map(|page| format!("{}: not listed in docs/SUMMARY.md", page.display())));
    let outside = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "SECURITY.md"].map(|name| workspace().join(name));
    for page in book.iter().chain(&outside) {
        let lines = prose(&read(page));
        let dead = links(&lines).into_iter().filter(|link| !leads_somewhere(page, link));
        wrong.extend(dead.map(|link| format!("{}: the link {link} leads nowhere", page.display())));
        let wide = lines.iter().filter(|line| line.chars().count() > WIDEST && !may_be_wide(line));
        wrong.extend(wide.map(|line| format!("{}: a line wider than {WIDEST}: {line}", page.display())));
    }
    let length = read(&workspace().join("README.md")).lines().count();
    if length > LONGEST_README {
        wrong.push(format!("README.md has {length} lines, but at most {LONGEST_README} are allowed"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn headings_become_anchors() {
    let check = |heading: &str, expected: &str| assert_eq!(anchor(heading), expected);
    check("## Principal variation", "principal-variation");
    check("# English draughts: `draughts`", "english-draughts-draughts");
    check("### `[player]`", "player");
    check("## 5. A harder game, and which player is stronger", "5-a-harder-game-and-which-player-is-stronger");
}

/// The greatest width of a line of prose, in characters. Prose is wrapped at 120; a few characters more are allowed, so
/// that a changed word does not move a whole paragraph.
const WIDEST: usize = 125;
/// The greatest number of lines of README.md.
const LONGEST_README: usize = 150;

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All Markdown files in a folder and the folders below it.
fn markdown_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        if next.is_dir() {
            open.extend(std::fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()));
        } else if next.extension().is_some_and(|ending| ending == "md") {
            found.push(next);
        }
    }
    found.sort();
    found
}

/// The lines of a page that are not inside a block of code.
fn prose(text: &str) -> Vec<String> {
    let mut in_code = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if !in_code {
            lines.push(line.to_string());
        }
    }
    lines
}

/// The targets of all links and pictures. Text between backticks is code and holds no links.
fn links(lines: &[String]) -> Vec<String> {
    let targets = |line: &String| {
        let plain: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        let ends = plain.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_string()));
        ends.collect::<Vec<_>>()
    };
    lines.iter().flat_map(targets).collect()
}

/// Whether a link of a page leads to an existing file and, if it names a heading, to that heading.
fn leads_somewhere(page: &Path, link: &str) -> bool {
    if ["https://", "http://", "mailto:"].iter().any(|scheme| link.starts_with(scheme)) {
        return true;
    }
    let (path, heading) = link.split_once('#').map_or((link, None), |(path, heading)| (path, Some(heading)));
    let target = if path.is_empty() { page.to_path_buf() } else { page.parent().unwrap().join(path) };
    let has = |heading: &str| {
        target.is_file() && prose(&read(&target)).iter().any(|line| line.starts_with('#') && anchor(line) == heading)
    };
    target.exists() && heading.is_none_or(has)
}

/// The anchor that GitHub and mdBook give to a heading: letters, digits, `-` and `_` in lower case, and `-` for spaces.
fn anchor(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = words.chars().filter(|letter| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

/// Whether a line may be wider than others: a row of a table, or a line that is only a link.
fn may_be_wide(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '-', '*']);
    line.starts_with('|') || (line.starts_with(['[', '!']) && line.ends_with(')'))
}
