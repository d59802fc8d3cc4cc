//! The report as one HTML page that needs no other file: texts, figures and tables, in light and dark colours.

use super::group_figures::GroupFigures;
use super::readings::{GroupReadings, Readings, seeds_in_words};
use super::table_words::sentence;
use super::tables::GroupTables;
use crate::labs::{Islands, Member, MemberState};
use figures::{Figure, Words, escaped, svg};
use std::fmt::Write;

/// The content of the page.
pub(crate) struct Page<'a> {
    pub readings: &'a Readings,
    pub sections: Vec<Section<'a>>,
}

/// The part of the page about one group.
pub(crate) struct Section<'a> {
    pub group: GroupReadings<'a>,
    pub figures: &'a GroupFigures,
    pub tables: &'a GroupTables,
}

const STYLE: &str = include_str!("page.css");

impl Page<'_> {
    /// The page as HTML.
    pub fn html(&self) -> String {
        let comparison = &self.readings.comparison;
        let lab = escaped(&comparison.lab);
        let mut text = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{lab} – Gamete</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{lab}</h1>\n"
        );
        if !comparison.about.is_empty() {
            let _ = writeln!(text, "<p class=\"about\">{}</p>", escaped(&comparison.about));
        }
        let _ = writeln!(text, "<p>{}</p>", escaped(&self.what()));
        text += &self.states();
        if self.sections.len() > 1 {
            text += "<nav aria-label=\"Groups\"><ul>\n";
            for (number, section) in self.sections.iter().enumerate() {
                let _ =
                    writeln!(text, "<li><a href=\"#group-{number}\">{}</a></li>", escaped(section.group.group.title()));
            }
            text += "</ul></nav>\n";
        }
        for (number, section) in self.sections.iter().enumerate() {
            text += &self.section(section, number);
        }
        text + "</main>\n</body>\n</html>\n"
    }

    /// A sentence that says what is compared.
    fn what(&self) -> String {
        let comparison = &self.readings.comparison;
        let configurations: usize = comparison.groups.iter().map(|group| group.configurations.len()).sum();
        let members = self.members().count();
        let measures: Vec<String> =
            self.readings.measures[..self.readings.compared].iter().map(|measure| measure.label()).collect();
        let groups = match comparison.groups.len() {
            1 => String::new(),
            several => format!(" in {several} groups"),
        };
        format!(
            "{} and {}{groups}. Compared: {}.",
            counted(configurations, "configuration"),
            counted(members, "run"),
            measures.join(", ")
        )
    }

    fn members(&self) -> impl Iterator<Item = (&Member, &super::readings::Reading)> {
        self.sections.iter().flat_map(|section| {
            let members = section.group.configurations();
            members.flat_map(|(configuration, read)| configuration.members.iter().zip(read))
        })
    }

    /// The number of runs in each state, and the problems of runs.
    fn states(&self) -> String {
        let states = [
            MemberState::Finished,
            MemberState::Running,
            MemberState::Interrupted,
            MemberState::Waiting,
            MemberState::Failed(String::new()),
        ];
        let count =
            |state: &MemberState| self.members().filter(|(member, _)| member.state.words() == state.words()).count();
        let counts = states.iter().map(|state| (state.words(), count(state))).filter(|(_, count)| *count > 0);
        let words: Vec<String> = counts.map(|(word, count)| format!("{count} {word}")).collect();
        let mut text = format!("<p>Runs: {}.</p>\n", escaped(&words.join(", ")));
        let mut problems = Vec::new();
        for (member, reading) in self.members() {
            if let MemberState::Failed(why) = &member.state {
                problems.push(format!("{} failed: {why}", member.name));
            }
            problems.extend(reading.problem.as_ref().map(|why| format!("{} cannot be read: {why}", member.name)));
        }
        if !problems.is_empty() {
            let items: Vec<String> = problems.iter().map(|problem| format!("<li>{}</li>", escaped(problem))).collect();
            let _ = writeln!(text, "<ul class=\"problems\">{}</ul>", items.join("\n"));
        }
        text
    }

    fn section(&self, section: &Section, number: usize) -> String {
        let mut text = format!("<section id=\"group-{number}\">\n");
        if self.sections.len() > 1 {
            let _ = writeln!(text, "<h2>{}</h2>", escaped(section.group.group.title()));
        }
        text += "<ul class=\"configurations\">\n";
        for (place, configuration) in section.group.group.configurations.iter().enumerate() {
            let _ = writeln!(
                text,
                "<li><strong>{}</strong>: experiment {}, {}{}{}</li>",
                escaped(&section.group.name(place)),
                escaped(&configuration.experiment),
                seeds_in_words(&configuration.seeds),
                configuration.islands.map_or_else(String::new, islands_in_words),
                settings_in_words(&configuration.settings)
            );
        }
        text += "</ul>\n";
        let not_measured: Vec<String> = (0..self.readings.compared)
            .filter(|&measure| !section.group.has(measure))
            .map(|measure| self.readings.measures[measure].words.clone())
            .collect();
        if !not_measured.is_empty() {
            let _ = writeln!(text, "<p>Not measured in any run: {}.</p>", escaped(&not_measured.join(", ")));
        }
        if section.group.examined() && !section.group.solved() {
            text +=
                "<p>No run has a champion that is perfect in every position, so there is no curve of success.</p>\n";
        }
        for figure in &section.figures.results {
            text += &picture(figure);
        }
        for table in &section.tables.tables {
            text += &table.html();
        }
        text += "<h3>Cost</h3>\n";
        text += &section.figures.cost.as_ref().map_or_else(String::new, picture);
        text + &section.tables.cost.html() + "</section>\n"
    }
}

fn picture(figure: &Figure) -> String {
    format!(
        "<figure>\n<figcaption><strong>{}</strong></figcaption>\n<div class=\"picture\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">{}</div>\n<p class=\"caption\">{}</p>\n</figure>\n",
        escaped(&sentence(&figure.title)),
        svg(figure, Words::Outside),
        escaped(&figure.caption)
    )
}

/// The parameters in which a configuration differs from others; if there are many, in an element that can be opened.
fn settings_in_words(settings: &[(String, String)]) -> String {
    const MOST: usize = 8;
    let words: Vec<String> = settings.iter().map(|(key, value)| escaped(&format!("{key} = {value}"))).collect();
    match words.len() {
        0 => String::new(),
        count if count > MOST => {
            format!("<details><summary>{count} parameters of its own</summary>{}</details>", words.join(", "))
        }
        _ => format!("; {}", words.join(", ")),
    }
}

fn islands_in_words(Islands { every, count }: Islands) -> String {
    format!(
        ", islands: every {} {} to the next",
        counted(every as usize, "generation"),
        match count {
            1 => "its champion moves".to_string(),
            count => format!("its last {count} champions move"),
        }
    )
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
