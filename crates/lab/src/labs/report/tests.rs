//! Tests of whole reports of small labs: their content, and that they depend only on results.

use super::*;
use crate::labs::{Compared, Group, Member, MemberState};
use crate::{Machine, TrainOptions, Unwatched, Watcher, resume, train};
use figures::Cell;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;
use runs::{RunFile, Times};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use trainer::{Experiment, MEASURES, Report};

/// Trains a small run. With `interrupted` it is stopped after this number of generations and then resumed.
fn trained(folder: &Path, name: &str, seed: u64, generations: u64, more: &[&str], interrupted: Option<u64>) {
    struct Impatient<'a>(Option<u64>, &'a AtomicBool);
    impl Watcher for Impatient<'_> {
        fn begin(&mut self, _: &str, _: &Path, _: u64, _: u64) {}
        fn generation(&mut self, report: &Report, _: Times) {
            self.1.store(Some(report.generation) == self.0, Ordering::Relaxed);
        }
        fn finals(&mut self, _: u64, _: u64) {}
    }
    let mut experiment = Experiment::shipped("nim-2x4").unwrap();
    let (seed, generations) = (format!("seed={seed}"), format!("stop.generations={generations}"));
    let small = ["strategy.enn.population=12", "schedule.circular.opponents=4"];
    experiment.set(&[&small[..], &[&seed[..], &generations[..]], more].concat()).unwrap();
    let options = TrainOptions {
        runs: folder.into(),
        name: Some(name.into()),
        machine: Machine::threads(1),
        ..TrainOptions::default()
    };
    let stop = AtomicBool::new(false);
    train(experiment, &options, &mut Impatient(interrupted, &stop), &stop).unwrap();
    if interrupted.is_some() {
        resume(folder, name, None, &Machine::threads(1), &mut Unwatched, &AtomicBool::new(false)).unwrap();
    }
}

fn configuration(folder: &Path, name: &str, seeds: &[u64]) -> Compared {
    let member = |&seed: &u64| {
        let run = format!("{name}-{seed}");
        let file = folder.join(format!("{run}.db"));
        let state = if file.exists() { MemberState::Finished } else { MemberState::Waiting };
        Member { name: run, seed, file, state }
    };
    let members = seeds.iter().map(member).collect();
    let settings = vec![("guests".to_string(), "0".to_string())];
    Compared {
        name: name.to_string(),
        experiment: "nim-2x4".to_string(),
        settings,
        islands: None,
        seeds: seeds.to_vec(),
        members,
    }
}

fn comparison(groups: Vec<Group>) -> Comparison {
    let measures = ["grade", "past_share", "grade over positions met"].map(str::to_string).to_vec();
    Comparison { lab: "trial".into(), about: "Whether <it> works.".into(), measures, last: 2, groups }
}

/// Two configurations with three seeds each.
fn lab(folder: &Path, interrupted: Option<u64>) -> Comparison {
    for seed in 1..=3 {
        trained(folder, &format!("plain-{seed}"), seed, 12, &["stop.solved=false"], interrupted);
        trained(folder, &format!("lonely-{seed}"), seed, 12, &["guests=0"], interrupted);
    }
    let configurations = ["plain", "lonely"].map(|name| configuration(folder, name, &[1, 2, 3])).to_vec();
    comparison(vec![Group { name: "nim".into(), baseline: Some(0), configurations }])
}

fn texts(files: &[PathBuf]) -> BTreeMap<String, String> {
    let read = |file: &PathBuf| {
        (file.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(file).unwrap())
    };
    files.iter().map(read).collect()
}

#[test]
fn a_report_is_whole_and_needs_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let comparison = lab(folder.path(), None);
    let mut told = Vec::new();
    let report = folder.path().join("report");
    let written = write_report(&comparison, &report, &mut |what| told.push(what.to_string())).unwrap();
    assert_eq!(told[0], "reading 6 runs");
    let page = std::fs::read_to_string(&written.page).unwrap();
    assert!(
        page.contains("<h1>trial</h1>")
            && page.contains("Whether &lt;it&gt; works.")
            && page.contains("Runs: 6 finished.")
            && page.contains("experiment nim-2x4, seeds 1 to 3; guests = 0")
    );
    let without_names = page.replace("http://www.w3.org/2000/svg", "");
    for foreign in ["http:", "https:", "<script", "<link", "src="] {
        assert!(!without_names.contains(foreign), "{foreign}");
    }
    // Captions contain units and seeds, on the page and in the pictures.
    let captions: Vec<&str> = page.split("<p class=\"caption\">").skip(1).collect();
    assert_eq!(captions.len(), page.matches("<figure").count());
    assert!(captions.iter().all(|caption| caption.to_lowercase().contains("seeds 1 to 3")));
    for figure in written.figures.iter().filter(|figure| figure.extension().unwrap() == "svg") {
        let text = std::fs::read_to_string(figure).unwrap();
        assert!(text.contains("Unit") && text.replace("</text>\n", " ").contains("eed"), "{}", figure.display());
        let picture = std::fs::read(figure.with_extension("png")).unwrap();
        assert!(picture.starts_with(b"\x89PNG") && picture.len() > 10_000, "{}", figure.display());
    }
    let names: Vec<String> = texts(&written.tables).into_keys().collect();
    let expected = ["comparison", "cost", "final", "ranking", "runs", "solved"];
    assert_eq!(
        names,
        expected.iter().flat_map(|name| [format!("{name}.csv"), format!("{name}.md")]).collect::<Vec<_>>()
    );
    let hidden = |folder: &Path| {
        std::fs::read_dir(folder).unwrap().any(|entry| entry.unwrap().file_name().to_string_lossy().starts_with('.'))
    };
    assert!(![report.clone(), report.join("figures"), report.join("tables")].iter().any(|folder| hidden(folder)));
}

#[test]
fn tables_depend_on_results_alone() {
    let tables = |interrupted| {
        let folder = tempfile::tempdir().unwrap();
        let written =
            write_report(&lab(folder.path(), interrupted), &folder.path().join("report"), &mut |_| ()).unwrap();
        let mut tables = texts(&written.tables);
        tables.retain(|name, _| !name.starts_with("cost"));
        tables
    };
    let uninterrupted = tables(None);
    assert_eq!(uninterrupted, tables(Some(5)));
    assert_eq!(uninterrupted, tables(None));
}

#[test]
fn final_values_are_those_of_the_runs() {
    let folder = tempfile::tempdir().unwrap();
    let comparison = lab(folder.path(), None);
    let readings = Readings::of(&comparison).unwrap();
    let tables = tables_of(&readings);
    let finals = &tables[0].tables[1];
    assert_eq!((finals.name.as_str(), finals.rows.len()), ("final", 6));
    let grade = |seed: u64| {
        let reports = RunFile::open(&folder.path().join(format!("plain-{seed}.db"))).unwrap().reports(11).unwrap();
        reports.iter().map(|report| report.exam.as_ref().unwrap().grade()).sum::<f64>() / 2.0
    };
    let mut grades = [1, 2, 3].map(grade);
    grades.sort_by(f64::total_cmp);
    assert_eq!(finals.rows[0][2..4], [Cell::Count(3), Cell::Number(grades[1])]);
    // A part of the exam is read from the exam.
    let met = |seed: u64| match RunFile::open(&folder.path().join(format!("plain-{seed}.db")))
        .unwrap()
        .last_exam()
        .unwrap()
    {
        Some(arena::Exam::Truth(truth)) => truth.on_policy,
        other => panic!("{other:?}"),
    };
    let curves = curves_of(&readings);
    let part = curves[0].measures.iter().find(|curves| curves.measure == "grade over positions met").unwrap();
    let mut last = [1, 2, 3].map(met);
    last.sort_by(f64::total_cmp);
    assert_eq!(
        (part.configurations[0].generation.last(), part.configurations[0].median.last()),
        (Some(&12), Some(&last[1]))
    );
}

#[test]
fn runs_that_stop_when_solved_end_at_their_last_value() {
    let folder = tempfile::tempdir().unwrap();
    trained(folder.path(), "plain-1", 1, 6, &[], None);
    // A run that was perfect in the end, and only then.
    let run = Connection::open(folder.path().join("plain-1.db")).unwrap();
    run.execute_batch(
        "update run set stopped = 'solved'; update generation set grade = 0.5; update generation set grade = 1 where generation = 6;",
    )
    .unwrap();
    runs::seal_run(&folder.path().join("plain-1.db")).unwrap();
    let configurations = vec![configuration(folder.path(), "plain", &[1])];
    let group = Group { name: "nim".into(), baseline: None, configurations };
    let tables = tables_of(&Readings::of(&comparison(vec![group])).unwrap());
    let finals = &tables[0].tables[0];
    assert_eq!((finals.name.as_str(), &finals.rows[0][3]), ("final", &Cell::Number(1.0)));
    assert!(finals.caption.contains("counts as its last generation"), "{}", finals.caption);
}

#[test]
fn runs_may_be_missing_failed_or_broken() {
    let folder = tempfile::tempdir().unwrap();
    trained(folder.path(), "plain-1", 1, 6, &["stop.solved=false"], None);
    trained(folder.path(), "plain-2", 2, 3, &["stop.solved=false", "record.exam_every=2"], None);
    std::fs::write(folder.path().join("plain-3.db"), "no run").unwrap();
    let mut plain = configuration(folder.path(), "plain", &[1, 2, 3, 4]);
    plain.members[1].state = MemberState::Failed("the disk was full".into());
    let absent = configuration(folder.path(), "absent", &[1, 2]);
    let groups = ["one", "Two & more"].map(|name| Group {
        name: name.to_string(),
        baseline: Some(1),
        configurations: vec![plain.clone(), absent.clone()],
    });
    let written = write_report(&comparison(groups.to_vec()), folder.path(), &mut |_| ()).unwrap();
    let page = std::fs::read_to_string(&written.page).unwrap();
    assert!(page.contains("plain-2 failed: the disk was full"));
    assert!(page.contains("plain-3 cannot be read: ") && page.contains("is not a run"));
    let tables = texts(&written.tables);
    assert!(tables["one-final.csv"].contains("absent,grade of the champion's exam (share),0,,,,,,,,\n"));
    // A failed run does not count, although it has generations.
    assert!(
        tables["one-final.csv"].contains("\nplain,grade of the champion's exam (share),1,"),
        "{}",
        tables["one-final.csv"]
    );
    assert!(tables["one-final.md"].contains("One run failed and is left out."));
    assert!(tables["two-more-comparison.csv"].starts_with("configuration,"));
    assert_eq!(written.rows, 2 * 6);
}

#[test]
fn a_group_without_a_name_is_called_others() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a-1", "b-1", "b-2"] {
        trained(folder.path(), name, 1, 3, &["stop.solved=false"], None);
    }
    let configurations = [configuration(folder.path(), "a", &[1]), configuration(folder.path(), "b", &[1, 2])].to_vec();
    let group = |name: &str| Group { name: name.into(), baseline: None, configurations: configurations.clone() };
    let groups = comparison(vec![group("nim"), group("")]);
    let written = write_report(&groups, folder.path(), &mut |_| ()).unwrap();
    let page = std::fs::read_to_string(&written.page).unwrap();
    for part in ["<li><a href=\"#group-1\">others</a></li>", "<h2>others</h2>", "<strong>Others: Grade of"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("<h2></h2>") && !page.contains("<strong>:"));
    let tables = texts(&written.tables);
    assert!(tables.contains_key("others-final.csv") && tables.contains_key("nim-final.csv"), "{:?}", tables.keys());
    // A sentence begins with the seeds, not with a configuration's name.
    assert!(tables["others-cost.md"].contains("once more. Seed 1; seeds 1, 2 of b."), "{}", tables["others-cost.md"]);
    let live = live_report(&groups).unwrap();
    assert_eq!(live.groups.iter().map(|group| group.name.as_str()).collect::<Vec<_>>(), ["nim", "others"]);
    // A run of three generations has none between the second and the third.
    let figures =
        texts(&written.figures.iter().filter(|file| file.extension().unwrap() == "svg").cloned().collect::<Vec<_>>());
    let along: Vec<&str> = figures["nim-learning-grade.svg"]
        .split("text-anchor=\"middle\">")
        .skip(1)
        .map(|rest| rest.split('<').next().unwrap())
        .collect();
    assert_eq!(along, ["0", "1", "2", "3", "generation"]);
}

#[test]
fn an_empty_lab_is_refused_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let configurations = vec![configuration(folder.path(), "plain", &[1, 2])];
    let empty = comparison(vec![Group { name: "nim".into(), baseline: None, configurations }]);
    let error = write_report(&empty, &folder.path().join("report"), &mut |_| ()).unwrap_err();
    assert_eq!(error.to_string(), "there is nothing to report of `trial`: no run has finished a generation yet");
    assert!(!folder.path().join("report").exists());
}

#[test]
fn all_generations_can_be_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let written = write_report(&lab(folder.path(), None), folder.path(), &mut |_| ()).unwrap();
    let reader = SerializedFileReader::new(std::fs::File::open(&written.generations).unwrap()).unwrap();
    let columns: Vec<String> = reader
        .metadata()
        .file_metadata()
        .schema_descr()
        .columns()
        .iter()
        .map(|column| column.name().to_string())
        .collect();
    assert_eq!(columns[..7], ["lab", "group", "configuration", "member", "seed", "generation", "best_score"]);
    assert_eq!(columns.len(), 5 + RunFile::generation_columns().len());
    let signature = columns.iter().position(|name| name == "signature").unwrap();
    let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
    assert_eq!(rows.len() as u64, written.rows);
    let reports = RunFile::open(&folder.path().join("plain-1.db")).unwrap().reports(0).unwrap();
    for (row, report) in rows.iter().zip(&reports) {
        assert_eq!((row.get_string(3).unwrap().as_str(), row.get_ulong(4).unwrap()), ("plain-1", 1));
        assert_eq!(
            (row.get_long(5).unwrap() as u64, row.get_double(6).unwrap()),
            (report.generation, report.best_score)
        );
        assert_eq!(row.get_double(8).ok(), report.past_share);
        assert_eq!(row.get_string(signature).unwrap(), &report.signature);
    }
}

/// Makes a run longer by copying its generations.
fn stretch(file: &Path, generations: i64) {
    let connection = Connection::open(file).unwrap();
    let statement = connection.prepare("select * from generation limit 0").unwrap();
    let values: Vec<&str> = statement.column_names().skip(1).collect();
    let known: i64 = connection.query_row("select max(generation) from generation", [], |row| row.get(0)).unwrap();
    let sql = format!(
        "with recursive more(n) as (select {known} union all select n + {known} from more where n + {known} < {generations})
         insert into generation select generation + n, {} from generation, more where generation + n <= {generations}",
        values.join(", ")
    );
    connection.execute(&sql, []).unwrap();
    connection.execute("update population set generation = ?", [generations]).unwrap();
    runs::seal_run(file).unwrap();
}

#[test]
fn long_runs_are_reported_soon() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    for seed in 1..=2u64 {
        let first = format!("a-{seed}");
        trained(folder.path(), &first, seed, 50, &["stop.solved=false"], None);
        stretch(&folder.path().join(format!("{first}.db")), 1000);
        for name in &names[1..] {
            let from = folder.path().join(format!("{first}.db"));
            std::fs::copy(from, folder.path().join(format!("{name}-{seed}.db"))).unwrap();
        }
    }
    let configurations = names.map(|name| configuration(folder.path(), name, &[1, 2])).to_vec();
    let long = comparison(vec![Group { name: "nim".into(), baseline: Some(0), configurations }]);
    // A hundred such runs should take less than 20 seconds of one core. The test has fourteen, without optimisation. It
    // counts the processor time of this thread only, so other work of the machine does not matter.
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let (written, time) = alone.install(|| {
        let start = cpu_time::ThreadTime::now();
        let written = write_report(&long, folder.path(), &mut |_| ()).unwrap();
        (written, start.elapsed())
    });
    assert!(time.as_secs() < 20, "{time:?}");
    assert_eq!(written.rows, 14_000);
    let curves = curves_of(&Readings::of(&long).unwrap());
    let band = &curves[0].measures[0].configurations[0];
    assert_eq!((curves[0].stride, band.generation.len(), band.generation[0], band.generation[124]), (8, 125, 8, 1000));
}

/// The texts of a picture with their places: left, top, right, bottom.
fn places_of_words(picture: &str) -> Vec<([f64; 4], &str)> {
    let place = |element: &'_ str| {
        let value = |name: &str| {
            let from = element.find(&format!(" {name}=\"")).unwrap() + name.len() + 3;
            element[from..].split('"').next().unwrap().parse::<f64>().unwrap()
        };
        let words = &element[element.find('>').unwrap() + 1..];
        let (x, y, size) = (value("x"), value("y"), value("font-size"));
        let wide = figures::width(&words.replace("&amp;", "&"), size);
        let left = if element.contains("\"middle\"") {
            x - wide / 2.0
        } else if element.contains("\"end\"") {
            x - wide
        } else {
            x
        };
        [left, y - 0.73 * size, left + wide, y + 0.21 * size]
    };
    let elements = picture.split("<text").skip(1).map(|rest| &rest[..rest.find("</text>").unwrap()]);
    elements.map(|element| (place(element), element)).collect()
}

#[test]
fn nothing_in_pictures_lies_upon_words() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 1..=2 {
        trained(folder.path(), &format!("first-{seed}"), seed, 12, &["stop.solved=false", "setup.stacks=[2, 2]"], None);
    }
    for count in [1, 3, 5, 11] {
        let named = |number: usize| match number {
            0 => "short".to_string(),
            _ => format!("nim-2x4-strategy.enn.mutation.rate-0.125-schedule.circular.opponents-{number}"),
        };
        let copied = |number: usize| {
            for seed in 1..=2 {
                let copy = folder.path().join(format!("{}-{seed}.db", named(number)));
                std::fs::copy(folder.path().join(format!("first-{seed}.db")), copy).unwrap();
            }
            configuration(folder.path(), &named(number), &[1, 2])
        };
        let group = Group {
            name: "nim".into(),
            baseline: (count > 1).then_some(0),
            configurations: (0..count).map(copied).collect(),
        };
        let written = write_report(&comparison(vec![group]), &folder.path().join("report"), &mut |_| ()).unwrap();
        for (file, picture) in texts(
            &written.figures.iter().filter(|figure| figure.extension().unwrap() == "svg").cloned().collect::<Vec<_>>(),
        ) {
            let words = places_of_words(&picture);
            let height: f64 =
                picture.split("viewBox=\"0 0 760 ").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
            for (number, (place, element)) in words.iter().enumerate() {
                let [left, top, right, bottom] = place;
                let inside = *left >= 0.0 && *top >= 0.0 && *right <= 760.0 && *bottom <= height;
                assert!(inside, "{count} configurations, {file}: {element} at {place:?} is cut");
                for (other, second) in &words[number + 1..] {
                    let apart = *right <= other[0] || other[2] <= *left || *bottom <= other[1] || other[3] <= *top;
                    assert!(apart, "{count} configurations, {file}: {element} and {second}");
                }
                for circle in picture.split("<circle ").skip(1) {
                    let of = |name: &str| {
                        circle.split(name).nth(1).unwrap()[2..].split('"').next().unwrap().parse::<f64>().unwrap()
                    };
                    // A point too near to a text could be mistaken for a part of it.
                    let (x, y, r) = (of("cx"), of("cy"), of(" r") + 4.0);
                    let apart = x + r <= *left || x - r >= *right || y + r <= *top || y - r >= *bottom;
                    assert!(apart, "{count} configurations, {file}: a point at {x}, {y} is too near to {element}");
                }
            }
        }
    }
}

#[test]
fn a_run_has_figures_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    trained(folder.path(), "plain", 1, 6, &["stop.solved=false"], None);
    let run = RunFile::open(&folder.path().join("plain.db")).unwrap();
    let written = write_run_figures(&run, &folder.path().join("figures")).unwrap();
    let mut names: Vec<String> =
        written.iter().map(|file| file.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    names.dedup();
    // Figures of exams, of the measures that were taken, and of cost.
    let last = run.last_report().unwrap().unwrap();
    let taken = MEASURES.iter().filter(|measure| measure.value(&last).is_some());
    let mut expected: Vec<&str> = taken.filter_map(|measure| Some(measure.figure?.file)).collect();
    expected.dedup();
    assert_eq!(names, [&["grade"], &expected[..], &["cost"]].concat());
    assert!(["score", "grade-in-games", "past", "hidden", "edges", "turns"].iter().all(|name| expected.contains(name)));
    assert!(std::fs::read_to_string(&written[0]).unwrap().contains("seed 1"));
}
