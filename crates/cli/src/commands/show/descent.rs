//! Where the champion comes from: species, ancestors, and which kinds of inheritance made progress.

use crate::words::{count, grouped, percent};
use crate::{Failure, tables};
use runs::RunFile;
use std::io::Write;
use trainer::InheritanceReport;

/// Prints species and ancestors, if the strategy records them.
pub fn kin(out: &mut impl Write, file: &RunFile, generation: u64, ancestry: &[trainer::Birth]) -> Result<(), Failure> {
    let species = file.species(generation)?;
    if !species.is_empty() {
        writeln!(out, "species of generation {generation}")?;
        let row = |s: &trainer::SpeciesReport| {
            let age = s.generation - s.born + 1;
            let best = format!("{:.2}", s.best_score);
            vec![s.species.to_string(), s.size.to_string(), age.to_string(), best, s.representative.to_string()]
        };
        let head = ["species", "size", "age", "best score", "representative"];
        tables::print(out, &head, &species.iter().map(row).collect::<Vec<_>>())?;
        writeln!(out)?;
    }
    if let Some(champion) = ancestry.first() {
        let count = count(ancestry.len() as u64 - 1, "ancestor");
        writeln!(out, "ancestors of genome {}, by the fitter parent each time: {count}", champion.genome)?;
        // Of a long list, only both ends are printed.
        const ENDS: usize = 8;
        let row = |birth: &trainer::Birth| {
            let parents = match birth.parents {
                [0, 0] => "one of the first".to_string(),
                [one, two] if one == two => format!("of {one}"),
                [one, two] => format!("of {one} and {two}"),
            };
            vec![
                birth.genome.to_string(),
                format!("generation {}", birth.generation),
                format!("species {}", birth.species),
                parents,
            ]
        };
        let mut rows: Vec<Vec<String>> = ancestry.iter().map(row).collect();
        if rows.len() > 2 * ENDS + 1 {
            let left_out = rows.len() - 2 * ENDS;
            rows.splice(ENDS..rows.len() - ENDS, [vec![format!("… {left_out} more …")]]);
        }
        tables::print(out, &[], &rows)?;
        writeln!(out)?;
    }
    Ok(())
}

/// Prints which kinds of inheritance made progress, over all generations. The change of answers is the mean of the
/// generations' medians.
pub fn inheritance(out: &mut impl Write, file: &RunFile) -> Result<(), Failure> {
    // Each kind with the sum of its changes, and their number.
    let mut ways: Vec<(InheritanceReport, f64, u64)> = Vec::new();
    file.each_inheritance(|found| {
        let (sum, count) = (found.change.unwrap_or(0.0), u64::from(found.change.is_some()));
        match ways.iter_mut().find(|(way, ..)| way.way == found.way) {
            Some((way, changes, changed)) => {
                way.count += found.count;
                way.improved += found.improved;
                way.stayed += found.stayed;
                (*changes, *changed) = (*changes + sum, *changed + count);
            }
            None => ways.push((found, sum, count)),
        }
    })?;
    if ways.is_empty() {
        return Ok(());
    }
    let mean = |(way, changes, changed): (InheritanceReport, f64, u64)| InheritanceReport {
        change: (changed > 0).then(|| changes / changed as f64),
        ..way
    };
    let ways: Vec<InheritanceReport> = ways.into_iter().map(mean).collect();
    let all: u64 = ways.iter().map(|found| found.improved).sum();
    let share = |part: u64, of: u64| if of == 0 { "-".to_string() } else { percent(part as f64 / of as f64) };
    let row = |found: &InheritanceReport| {
        vec![
            found.way.clone(),
            grouped(found.count),
            share(found.improved, found.count),
            share(found.improved, all),
            share(found.stayed, found.count),
            found.change.map_or("-".to_string(), |change| format!("{change:.4}")),
        ]
    };
    writeln!(
        out,
        "inheritance: networks that scored more than their parents (elites: that ranked higher than before), by kind"
    )?;
    let head = ["way", "networks", "improved", "of all improvements", "stayed", "change of answers"];
    tables::print(out, &head, &ways.iter().map(row).collect::<Vec<_>>())?;
    writeln!(out)?;
    Ok(())
}
