//! What is printed for people; and, with `--json`, for programs.

use crate::args::{GameFormat, RunsArg};
use crate::words::{count, grouped, percent, span};
use crate::{Failure, curves, growth, tables, words};
use arena::{Exam, SAMPLED_POSITIONS, ScoredPoints, TacticsExam, TacticsGrades, Truth};
use lab::{Bench, Contest, Report, RunContent, RunFile, RunState, Stopped, Summary};
use serde_json::json;
use std::io::Write;
use std::path::Path;

/// What came of a training, and what to do next.
pub fn summary(out: &mut impl Write, summary: &Summary, runs: &RunsArg) -> Result<(), Failure> {
    let Summary { run, generations, games, .. } = summary;
    let flag = runs.flag();
    match (summary.stopped, summary.champion) {
        (Stopped::Solved, _) => {
            writeln!(out, "solved: the champion of generation {generations} is perfect in every position")?
        }
        (Stopped::Generations, _) => writeln!(out, "finished: {} played", count(*generations, "generation"))?,
        (Stopped::Time, _) => writeln!(out, "the time is over after {}", count(*generations, "generation"))?,
        (Stopped::Interrupted, _) => {
            writeln!(out, "interrupted after {}; nothing is lost", count(*generations, "generation"))?
        }
    }
    let rate = grouped((*games as f64 / summary.seconds.max(1e-9)) as u64);
    let cpu = summary.cpu_seconds;
    writeln!(
        out,
        "{} in {}, {rate} a second ({cpu:.2} s of processor time)",
        count(*games, "game"),
        span(summary.seconds)
    )?;
    if summary.reused > 0 {
        writeln!(out, "{} more not played again: the same two had met before", count(summary.reused, "game"))?;
    }
    if let Some(champion) = summary.champion {
        let (hidden, edges) = (count(champion.hidden, "hidden node"), count(champion.edges, "edge"));
        writeln!(out, "champion: score {:.2}, {hidden}, {edges}", champion.score)?;
    }
    if let Some(found) = &summary.exam {
        exam(out, found)?;
    }
    growth::finals(out, &summary.finals)?;
    if let (Some(first), true) = (summary.first_solved, summary.stopped != Stopped::Solved) {
        writeln!(out, "first solved in generation {first}")?;
    }
    writeln!(out, "signature {}", summary.signature)?;
    writeln!(out, "run       {run} ({})", summary.file.display())?;
    writeln!(out)?;
    let gamete = program();
    if summary.finals_broken_off {
        writeln!(out, "the last champion's matches were broken off; to resume plays them")?;
    }
    if summary.stopped == Stopped::Interrupted || summary.finals_broken_off {
        writeln!(out, "Go on with         {gamete} resume {run}{flag}")?;
    }
    if summary.champion.is_some() {
        let game = lab::RunFile::open(&summary.file)?.info()?.game;
        writeln!(out, "Look at it with    {gamete} show {run}{flag}")?;
        writeln!(out, "Play against it    {gamete} play {game} --against run:{run}{flag}")?;
        writeln!(out, "Watch it play      {gamete} games {run}{flag}")?;
        writeln!(out, "See it grow        {gamete} growth {run}{flag}")?;
    }
    Ok(())
}

/// How whoever started this program can start it again: Cargo tells the programs that it runs.
fn program() -> &'static str {
    if std::env::var_os("CARGO").is_some() { "cargo run --release --" } else { "gamete" }
}

/// Grades in words.
pub fn exam(out: &mut impl Write, exam: &Exam) -> Result<(), Failure> {
    match exam {
        Exam::Truth(exam) => truth(out, exam),
        Exam::Tactics(exam) => tactics(out, exam),
    }
}

/// Points or shares of test positions in a table: a row for each suite, a column for each way to play.
fn tactics(out: &mut impl Write, exam: &TacticsExam) -> Result<(), Failure> {
    let TacticsExam { grades, positions, searched, endgames } = exam;
    let asked = count(*positions as u64, "test position");
    let most: f64 = grades.shares.keys().filter_map(|suite| suite.points()).sum();
    match (grades.scored, grades.grade_low, grades.grade_high) {
        (Some(ScoredPoints { points, points_low: low, points_high: high }), ..) => {
            writeln!(out, "exam: {points:.1} of {most:.0} points (95 % between {low:.1} and {high:.1}) on {asked}")?
        }
        (None, low, high) => {
            let [low, high] = [low.unwrap_or(0.0), high.unwrap_or(1.0)].map(percent);
            writeln!(out, "exam: {} of {asked} solved (95 % between {low} and {high})", percent(grades.grade))?
        }
    }
    let columns: Vec<_> = std::iter::once(grades).chain(searched.iter().map(|column| &column.grades)).collect();
    let mut head = vec!["suite".to_string()];
    let mut all = vec!["all".to_string()];
    if most > 0.0 {
        head.push("of".to_string());
        all.push(format!("{most:.0}"));
    }
    head.push(match (searched.is_empty(), most > 0.0) {
        (false, _) => "alone".to_string(),
        (true, true) => "points".to_string(),
        (true, false) => "solved".to_string(),
    });
    head.extend(searched.iter().map(|column| match (column.depth, column.mcts) {
        (Some(depth), _) => format!("depth {depth}"),
        (None, rounds) => format!("mcts {}", rounds.unwrap_or(0)),
    }));
    let mut rows: Vec<Vec<String>> = Vec::new();
    for suite in grades.shares.keys() {
        let mut row = vec![format!("{} {}", suite.name().to_uppercase(), suite.about())];
        row.extend(suite.points().map(|points| format!("{points:.0}")));
        let share = |grades: &TacticsGrades| grades.shares.get(suite).copied().unwrap_or(0.0);
        row.extend(columns.iter().map(|grades| match suite.points() {
            Some(points) => format!("{:.1}", points * share(grades)),
            None => percent(share(grades)),
        }));
        rows.push(row);
    }
    all.extend(columns.iter().map(|grades| match grades.scored {
        Some(scored) => format!("{:.1}", scored.points),
        None => percent(grades.grade),
    }));
    rows.push(all);
    tables::print(out, &head.iter().map(String::as_str).collect::<Vec<_>>(), &rows)?;
    if let Some(share) = endgames {
        writeln!(out, "endgames: {} of moves keep what the tables promise", percent(*share))?;
    }
    Ok(())
}

/// Test positions, as text or one JSON object for each.
pub fn questions(out: &mut impl Write, text: &str, json: bool) -> Result<(), Failure> {
    if !json {
        write!(out, "{text}")?;
        return Ok(());
    }
    for line in text.lines() {
        let parts: Vec<&str> = line.split(" | ").collect();
        if let [suite, position, right] = parts[..] {
            let right: Vec<&str> = right.split(' ').collect();
            writeln!(out, "{}", json!({ "suite": suite, "position": position, "right": right }))?;
        }
    }
    Ok(())
}

/// Test positions that were not solved.
pub fn failures(out: &mut impl Write, exam: &Exam, failures: &[arena::Failure]) -> Result<(), Failure> {
    if let Exam::Truth(_) = exam
        && failures.is_empty()
    {
        writeln!(out, "(every move is right)")?;
        return Ok(());
    }
    let row = |failure: &arena::Failure| {
        vec![failure.suite.to_uppercase(), failure.position.clone(), failure.played.clone(), failure.right.join(" ")]
    };
    tables::print(out, &["suite", "position", "played", "right"], &failures.iter().map(row).collect::<Vec<_>>())?;
    Ok(())
}

/// What came of replaying a file. One thing wrong is the error; several are listed before it.
pub fn checked(out: &mut impl Write, file: &Path, checked: &lab::CheckedFile, json: bool) -> Result<(), Failure> {
    let lab::CheckedFile { games, meaning } = checked;
    if json {
        games.iter().try_for_each(|game| writeln!(out, "{}", json!(game)))?;
    }
    let plies: usize = games.iter().map(|game| game.plies).sum();
    let all = count(games.len() as u64, "game");
    let problems: Vec<&String> = games.iter().filter_map(|game| game.problem.as_ref()).collect();
    let refuse = |what: &str| Err(Failure::Lab(lab::Error::Refused(format!("{}: {what}", file.display()))));
    match problems[..] {
        [] => {}
        [problem] => return refuse(problem),
        _ => {
            if !json {
                problems.iter().try_for_each(|problem| writeln!(out, "{problem}"))?;
                meaning.iter().try_for_each(|meaning| writeln!(out, "{meaning}"))?;
            }
            return refuse(&format!("something is wrong with {} of {all}", problems.len()));
        }
    }
    if !json {
        writeln!(out, "{}: {all}, {}, all legal", file.display(), count(plies as u64, "move"))?;
        meaning.iter().try_for_each(|meaning| writeln!(out, "{meaning}"))?;
    }
    Ok(())
}

/// All endings of a game in a table.
pub fn endings(out: &mut impl Write, endings: &[games::Ending], json: bool) -> Result<(), Failure> {
    if json {
        endings.iter().try_for_each(|ending| writeln!(out, "{}", json!(ending)))?;
        return Ok(());
    }
    let longest = |plies: u32, count: u64| if count == 0 { "-".to_string() } else { plies.to_string() };
    let row = |ending: &games::Ending| {
        let numbers = [ending.positions, ending.won, ending.drawn, ending.lost].map(grouped);
        let mut row = vec![ending.name.clone()];
        row.extend(numbers);
        row.extend([longest(ending.longest_won, ending.won), longest(ending.longest_lost, ending.lost)]);
        row
    };
    writeln!(out, "The mover's pieces come first; longest wins and defeats in plies.")?;
    let head = ["ending", "positions", "won", "drawn", "lost", "longest win", "defeat"];
    tables::print(out, &head, &endings.iter().map(row).collect::<Vec<_>>())?;
    Ok(())
}

/// What is known of one position.
pub fn probe(out: &mut impl Write, probe: &lab::Probe, json: bool) -> Result<(), Failure> {
    if json {
        writeln!(out, "{}", json!(probe))?;
        return Ok(());
    }
    let told = |value: &str, plies: Option<u32>| match plies {
        Some(1) if value != "drawn" => format!("{value} in 1 ply"),
        Some(plies) if value != "drawn" => format!("{value} in {plies} plies"),
        _ => value.to_string(),
    };
    writeln!(out, "{}: {}", probe.position, told(probe.value, probe.plies))?;
    let row = |mv: &lab::ProbedMove| vec![format!("  {}", mv.mv), told(mv.value, mv.plies)];
    tables::print(out, &[], &probe.moves.iter().map(row).collect::<Vec<_>>())?;
    Ok(())
}

/// Two grades in words.
fn truth(out: &mut impl Write, exam: &Truth) -> Result<(), Failure> {
    let positions = count(exam.positions as u64, "position");
    let kind = if exam.sampled { "the" } else { "all" };
    writeln!(out, "exam: {} perfect over {kind} {positions},", percent(exam.all_positions))?;
    if exam.sampled {
        writeln!(out, "      of {} drawn from too many, that can be graded,", grouped(SAMPLED_POSITIONS as u64))?;
    }
    writeln!(out, "      {} over those it meets in games against itself", percent(exam.on_policy))?;
    Ok(())
}

/// A match in words.
pub fn contest(out: &mut impl Write, one: &str, two: &str, contest: &Contest) -> Result<(), Failure> {
    let Contest { wins, draws, losses, games, score, .. } = contest;
    // Adding 0 makes one zero of two.
    let bound = |elo: Option<f64>, none: &str| elo.map_or(none.to_string(), |elo| format!("{:+.0}", elo.round() + 0.0));
    if contest.interrupted {
        writeln!(out, "interrupted after {games} games")?;
    }
    let (wins, draws, losses) = (grouped((*wins).into()), grouped((*draws).into()), grouped((*losses).into()));
    writeln!(out, "{one} against {two}")?;
    writeln!(
        out,
        "{wins} won, {draws} drawn, {losses} lost of {}: {}",
        count((*games).into(), "game"),
        percent(*score)
    )?;
    writeln!(
        out,
        "Elo {} (95 % between {} and {})",
        bound(contest.elo, "unbounded"),
        bound(contest.elo_low, "-∞"),
        bound(contest.elo_high, "+∞")
    )?;
    Ok(())
}

/// All runs of a folder.
pub fn runs(out: &mut impl Write, folder: &Path, json: bool) -> Result<(), Failure> {
    let entries = lab::list_runs(folder)?;
    let labs = if json { Vec::new() } else { lab::list_labs(folder) };
    if entries.is_empty() && labs.is_empty() && !json {
        writeln!(out, "there are no runs in {}; `gamete train` makes one", folder.display())?;
    }
    let mut rows = Vec::new();
    let mut broken = Vec::new();
    for entry in &entries {
        match &entry.content {
            Ok(RunContent { info, state, last, exam }) => {
                let generation = last.as_ref().map_or(0, |report| report.generation);
                let seconds = age(info.created);
                if json {
                    let line = json!({
                        "run": entry.name, "file": entry.file, "experiment": info.experiment, "game": info.game,
                        "strategy": info.strategy, "seed": info.seed, "generation": generation, "exam": exam,
                        "age_seconds": seconds, "state": state.to_string(),
                    });
                    writeln!(out, "{line}")?;
                    continue;
                }
                let grade = exam.as_ref().map_or("-".to_string(), |exam| percent(exam.grade()));
                rows.push(vec![
                    entry.name.clone(),
                    info.game.clone(),
                    info.strategy.clone(),
                    generation.to_string(),
                    grade,
                    span(seconds as f64),
                    in_words(state),
                ]);
            }
            Err(error) if json => {
                writeln!(out, "{}", json!({ "run": entry.name, "file": entry.file, "error": error.to_string() }))?
            }
            Err(error) => broken.push(error.to_string()),
        }
    }
    if !rows.is_empty() {
        tables::print(out, &["run", "game", "strategy", "generation", "exam", "age", "state"], &rows)?;
    }
    let row = |folder: lab::LabFolder| {
        let comparison = folder.comparison();
        let states: Vec<_> = comparison.members().map(|member| member.state.words()).collect();
        let of = |words: &str| states.iter().filter(|state| **state == words).count().to_string();
        let about = folder.about().lines().next().unwrap_or_default().to_string();
        vec![folder.name(), states.len().to_string(), of("finished"), of("running"), of("failed"), about]
    };
    let mut in_labs = Vec::new();
    for found in labs {
        match found {
            Ok(folder) => in_labs.push(row(folder)),
            Err(error) => broken.push(error.to_string()),
        }
    }
    for error in broken {
        writeln!(out, "cannot be read: {error}")?;
    }
    if !in_labs.is_empty() {
        tables::print(out, &["lab", "members", "finished", "running", "failed", "about"], &in_labs)?;
    }
    Ok(())
}

/// How a run stands, for people; `--json` says it as the file does.
fn in_words(state: &RunState) -> String {
    match state {
        RunState::Stopped(Stopped::Generations) => "finished".to_string(),
        RunState::Stopped(Stopped::Time) => "time is over".to_string(),
        other => other.to_string(),
    }
}

fn age(created: i64) -> i64 {
    let now =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64);
    (now - created).max(0)
}

/// Longer networks are not shown: nobody reads thousands of weights.
const LONGEST_NETWORK: usize = 2000;

/// Generations and values.
type Points = Vec<(f64, f64)>;

/// One run: what it is, how it went, and its champion.
pub fn run(
    out: &mut impl Write,
    file: &RunFile,
    generation: Option<u64>,
    runs: &RunsArg,
    json: bool,
) -> Result<(), Failure> {
    let info = file.info()?;
    let reports = file.reports(0)?;
    let solved = file.first_solved()?;
    let last = reports.last().map_or(0, |report| report.generation);
    if let Some(wanted) = generation.filter(|wanted| !(1..=last).contains(wanted)) {
        let what = format!("the run `{}` has no generation {wanted}; it has 1 to {last}", file.name());
        return Err(Failure::Lab(lab::Error::Refused(what)));
    }
    let shown = generation.unwrap_or(last);
    let champion = reports.iter().find(|report| report.generation == shown);
    let ancestry = match champion.and_then(|report| report.champion_genome) {
        Some(genome) => file.ancestry(genome)?,
        None => Vec::new(),
    };
    let ratings = file.ratings()?;
    if json {
        let line = json!({
            "run": file.name(), "file": file.path(), "experiment": info.experiment, "game": info.game, "strategy": info.strategy,
            "seed": info.seed, "program": info.program, "state": file.state().to_string(), "first_solved": solved,
            "parameters": info.parameters, "generations": reports, "species": file.species(1, last)?,
            "ancestry": ancestry, "genomes": file.genomes(shown)?, "inheritance": file.inheritance()?,
            "finals": file.finals()?, "ratings": ratings,
        });
        writeln!(out, "{line}")?;
        return Ok(());
    }
    writeln!(
        out,
        "{}: {} bred by {}, experiment {}, seed {}",
        file.name(),
        info.game,
        info.strategy,
        info.experiment,
        info.seed
    )?;
    writeln!(
        out,
        "{}, {}, in {}",
        in_words(&file.state()),
        count(reports.len() as u64, "generation"),
        file.path().display()
    )?;
    if file.state() == RunState::Killed {
        writeln!(out, "go on with: {} resume {}{}", program(), file.name(), runs.flag())?;
    }
    let Some(last) = reports.last() else { return Ok(()) };
    let (games, judged) = (count(last.games, "game"), count(last.evaluations, "position"));
    writeln!(out, "{games}, {judged} judged by networks, in {}", span(last.seconds))?;
    if last.reused > 0 {
        writeln!(out, "{} more not played again: the same two had met before", count(last.reused, "game"))?;
    }
    if let Some(found) = file.last_exam()? {
        exam(out, &found)?;
    }
    if let Some(first) = solved {
        writeln!(out, "first solved in generation {first}")?;
    }
    writeln!(out)?;
    let width = console::Term::stdout().size().1.clamp(40, 100);
    let curve = |value: &dyn Fn(&Report) -> Option<f64>| -> Points {
        reports.iter().filter_map(|report| Some((report.generation as f64, value(report)?))).collect()
    };
    let share = Some([0.0, 1.0]);
    let grades = reports.iter().find_map(|report| report.exam.as_ref()).map_or_else(Vec::new, |exam| exam.parts());
    let part = |place: usize| curve(&|r| Some(r.exam.as_ref()?.parts().get(place)?.1));
    let mut curves: Vec<(String, Points, Option<[f64; 2]>)> =
        grades.iter().enumerate().map(|(place, (name, _))| (format!("{name} (share)"), part(place), share)).collect();
    let kinds = file.species(1, last.generation)?;
    if !kinds.is_empty() {
        let mut counts = std::collections::BTreeMap::new();
        kinds.iter().for_each(|species| *counts.entry(species.generation).or_insert(0.0) += 1.0);
        let points = counts.into_iter().map(|(generation, count)| (generation as f64, count)).collect();
        curves.push(("species".to_string(), points, None));
    }
    curves.extend([
        ("points against champions of the past (share)".to_string(), curve(&|r| r.past_share), share),
        ("result against the five champions before, from -1 to 1".to_string(), curve(&|r| r.growth), Some([-1.0, 1.0])),
        ("champion's score".to_string(), curve(&|r| Some(r.best_score)), None),
        ("turns per game".to_string(), curve(&|r| Some(r.mean_turns)), None),
        ("champion's edges".to_string(), curve(&|r| Some(r.champion_edges as f64)), None),
    ]);
    for (title, points, bounds) in curves {
        for line in curves::draw(&title, &points, bounds, width, 8) {
            writeln!(out, "{line}")?;
        }
        writeln!(out)?;
    }
    if let Some(ratings) = &ratings {
        growth::ratings(out, ratings)?;
        writeln!(out)?;
    }
    let finals = file.finals()?;
    if !finals.is_empty() {
        growth::finals(out, &finals)?;
        writeln!(out)?;
    }
    growth::inheritance(out, &file.inheritance()?)?;
    kin(out, file, shown, &ancestry)?;
    let (generation, network) = file.champion(Some(shown))?;
    let layers: Vec<String> = network.layer_sizes().iter().map(|size| size.to_string()).collect();
    writeln!(out, "champion of generation {generation}: layers {}, {} edges", layers.join("-"), network.edges())?;
    let text = network.to_string();
    if text.len() <= LONGEST_NETWORK {
        writeln!(out, "{text}")?;
    } else {
        let (gamete, run, flag) = (program(), file.name(), runs.flag());
        writeln!(out, "too long to be shown; `{gamete} export {run}@{generation}{flag}` writes it all")?;
    }
    Ok(())
}

/// Species and descent, where the strategy keeps such books.
fn kin(out: &mut impl Write, file: &RunFile, generation: u64, ancestry: &[lab::Birth]) -> Result<(), Failure> {
    let species = file.species(generation, generation)?;
    if !species.is_empty() {
        writeln!(out, "species of generation {generation}")?;
        let row = |s: &lab::SpeciesReport| {
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
        writeln!(out, "descent of genome {}, the fitter parent each time: {count}", champion.genome)?;
        // Long lines are told by their ends.
        const ENDS: usize = 8;
        let row = |birth: &lab::Birth| {
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

/// Recorded games, turn by turn.
pub fn games(
    out: &mut impl Write,
    file: &RunFile,
    generation: Option<u64>,
    format: GameFormat,
    json: bool,
) -> Result<(), Failure> {
    let last = file.last_report()?.map_or(0, |report| report.generation);
    if let Some(wanted) = generation.filter(|wanted| !(1..=last).contains(wanted)) {
        let what = format!("the run `{}` has no generation {wanted}; it has 1 to {last}", file.name());
        return Err(Failure::Lab(lab::Error::Refused(what)));
    }
    let replays = lab::replays(file, generation)?;
    if replays.is_empty() && !json {
        match generation {
            Some(generation) => tell!("no games of generation {generation} were kept"),
            None => tell!("no games were kept"),
        }
    }
    for replay in &replays {
        if json {
            writeln!(out, "{}", json!(replay))?;
            continue;
        }
        if let Some(form) = format.form() {
            writeln!(out, "{}", lab::write_record(&file.name(), &file.info()?.game, form, replay)?)?;
            continue;
        }
        let game = &replay.game;
        writeln!(out, "champion of generation {} against champion of generation {}", game.first, game.second)?;
        let rows: Vec<Vec<String>> = (replay.turns.iter().enumerate())
            .map(|(number, turn)| {
                let note = if turn.legal { "" } else { "illegal, and loses" };
                vec![
                    format!("{:4}.", number + 1),
                    turn.side.name().into(),
                    turn.position.clone(),
                    turn.mv.clone(),
                    note.into(),
                ]
            })
            .collect();
        tables::print(out, &[], &rows)?;
        match game.outcome.as_str() {
            "draw" => writeln!(out, "drawn\n")?,
            winner => writeln!(out, "{winner} wins\n")?,
        }
    }
    Ok(())
}

/// Ratios in a table.
pub fn bench(out: &mut impl Write, bench: &Bench, json: bool) -> Result<(), Failure> {
    if json {
        writeln!(out, "{}", json!(bench))?;
        return Ok(());
    }
    for ratio in &bench.ratios {
        let (plain, fast) = (words::rate(ratio.plain), words::rate(ratio.fast));
        writeln!(out, "{}", ratio.name)?;
        writeln!(out, "    {:.1} times: {plain} and {fast} {} a second", ratio.ratio, ratio.unit)?;
    }
    writeln!(out, "Signature: {}", bench.signature)?;
    Ok(())
}
