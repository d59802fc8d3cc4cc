use super::*;
use crate::labs::LabFolder;

const TEXT: &str = r#"
about = "Which exponent is best?"
seeds = 3
measures = ["grade"]
last = 1
baselines = ["nim-2x4-c1-exponent-1.0"]

[[configuration]]
experiment = "nim-2x4-c1"
set = { stop.generations = 20, "record.past_games" = 4 }
grid = { "strategy.enn.exponent" = [1.0, 2.0], strategy.enn.population = [60, 100] }

[[configuration]]
experiment = "nim-2x4"
name = "ours"
group = "others"
seeds = "1001-1002"
"#;

fn parse(text: &str) -> Result<Lab, Error> {
    Lab::parse("x", "x.toml", text, Path::new(""))
}

#[test]
fn grids_seeds_and_names() {
    let text = TEXT.replace("nim-2x4-c1-exponent-1.0", "nim-2x4-c1-exponent-1.0-population-60");
    let lab = parse(&text).unwrap();
    let names: Vec<&str> = lab.configurations.iter().map(|configuration| configuration.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "nim-2x4-c1-exponent-1.0-population-60",
            "nim-2x4-c1-exponent-1.0-population-100",
            "nim-2x4-c1-exponent-2.0-population-60",
            "nim-2x4-c1-exponent-2.0-population-100",
            "ours"
        ]
    );
    assert!(lab.configurations[0].is_baseline && !lab.configurations[1].is_baseline);
    let parameters = lab.configurations[2].experiment.text();
    for set in ["generations = 20", "past_games = 4", "exponent = 2.0", "population = 60"] {
        assert!(parameters.contains(set), "{set} in {parameters}");
    }
    let folder = LabFolder::plan(&lab, Path::new("nowhere")).unwrap();
    let members: Vec<String> = folder.members().into_iter().map(|(_, name)| name).collect();
    assert_eq!(members.len(), 4 * 3 + 2);
    assert_eq!(members[4], "ours-seed-1001");
    assert_eq!(members[5], "nim-2x4-c1-exponent-1.0-population-60-seed-2");
}

#[test]
fn another_experiments_strategy_can_be_taken() {
    let text = TEXT
        .replace("name = \"ours\"", "name = \"ours\"\nstrategy = \"nim-2x4-ga\"")
        .replace("nim-2x4-c1-exponent-1.0", "ours");
    let lab = parse(&text).unwrap();
    let ours = &lab.configurations[4].experiment;
    assert_eq!((ours.name.as_str(), ours.strategy()), ("nim-2x4", "ga"));
}

#[track_caller]
fn check(from: &str, to: &str, expected: &str) {
    let text = TEXT.replace("nim-2x4-c1-exponent-1.0", "ours");
    let changed = text.replacen(from, to, 1);
    assert_ne!(changed, text, "nothing was replaced");
    let error = parse(&changed).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn invalid_labs_are_refused() {
    check("\"nim-2x4-c1\"", "\"nim-2x4-c11\"", "there is no experiment `nim-2x4-c11`; did you mean `nim-2x4-c1`?");
    check("\"nim-2x4-c1\"", "\"here/none.toml\"", "there is no file here/none.toml");
    check(
        "\"strategy.enn.exponent\"",
        "\"strategy.enn.exponnt\"",
        "configuration 1: `nim-2x4-c1-exponnt-1.0-population-60`: nim-2x4-c1: unknown key",
    );
    check("\"strategy.enn.exponent\"", "\"strategy.enn.exponnt\"", "did you mean `strategy.enn.exponent`?");
    check("[60, 100]", "[60, 2]", "a population of 2 is too small");
    check("[60, 100]", "[60, \"many\"]", "population is \"many\", but it must be a whole number from 2 to 1000000");
    check("[60, 100]", "60", "grid: strategy.enn.population is 60, but a list of values");
    check("[60, 100]", "[]", "is an empty list");
    check("[60, 100]", "[60, 60]", "grid: strategy.enn.population has 60 twice");
    check("name = \"ours\"", "name = \"ours/theirs\"", "cannot be a run's name");
    check("seeds = 3", "seeds = 0", "seeds is 0, but a number of seeds from 1 to 100000");
    check("seeds = 3", "seeds = [1, -1]", "but a number of seeds from 1 to 100000");
    check("\"1001-1002\"", "\"1002-1001\"", "configuration 2: seeds is \"1002-1001\"");
    check("seeds = 3", "seeds = [1, 1]", "seeds has 1 twice, but each belongs there once");
    check("name = \"ours\"", "name = \"-ours\"", "cannot be a run's name");
    check("name = \"ours\"", "name = \"\"", "configuration 2: its name is empty");
    check(
        "\"nim-2x4\"",
        "\"tic-tac-toe\"\nstrategy = \"td\"",
        "strategy, which is that of another experiment: there is no",
    );
    check("group = \"others\"", "islands = 3", "islands is 3, but { every = 10, count = 1 } or the like belongs here");
    check(
        "experiment = \"nim-2x4\"\nname = \"ours\"\ngroup = \"others\"",
        "experiment = \"tic-tac-toe\"\nname = \"ours\"",
        "plays nim and `ours` tic-tac-toe, but only runs of the same game can be compared",
    );
    let many =
        |count: usize| format!("[{}]", (1..=count).map(|value| format!("{value}.5")).collect::<Vec<_>>().join(", "));
    check("[1.0, 2.0]", &many(20_000), "more than 100000 members; give fewer seeds or fewer values");
    check("baselines = [\"ours\"]", "baselines = [\"our\"]", "there is no configuration `our`; did you mean `ours`?");
    check("[\"grade\"]", "[\"grad\"]", "there is no measure `grad`; there are grade, ");
    check("last = 1", "last = 0", "last is 0");
    check("seeds = 3", "seads = 3", "x.toml, line 3, column 1: unknown key `seads`; did you mean `seeds`?");
    check("stop.generations = 20", "seed = 20", "`seed` cannot be set here");
}

#[test]
fn most_keys_are_optional() {
    let lab = parse("seeds = 2\n[[configuration]]\nexperiment = \"nim-2x4\"").unwrap();
    assert_eq!((lab.measures, lab.last, lab.configurations.len()), (vec!["grade".to_string()], 10, 1));
    assert!(parse("seeds = 2").unwrap_err().to_string().contains("there is no [[configuration]]"));
}

#[test]
fn seeds_are_typed_as_ranges_or_one_by_one() {
    assert_eq!(seeds("1001-1003").unwrap(), [1001, 1002, 1003]);
    assert_eq!(seeds("5,7").unwrap(), [5, 7]);
    for wrong in ["1001", "[1, 2]", "5-1", "few", "1,x", ""] {
        let error = seeds(wrong).unwrap_err().to_string();
        assert!(error.contains("but a range such as 1001-1010, or several such as 1001,1005, belong here"), "{error}");
    }
    assert!(seeds("1,1").unwrap_err().to_string().contains("seeds has 1 twice"));
}

#[test]
fn all_labs_are_shipped_and_right() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/labs");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    let mut names: Vec<String> = shipped_labs().map(|(name, _)| name.to_string()).collect();
    files.sort();
    names.sort();
    assert_eq!(files, names);
    for (name, _) in shipped_labs() {
        Lab::open(name).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Small files with huge grids must not take much time or memory.
#[test]
fn small_files_that_mean_too_much() {
    let list = |count: usize| (1..=count).map(|number| number.to_string()).collect::<Vec<_>>().join(", ");
    // With an empty list among long ones, the number of combinations is still checked first.
    let keys = ["guests", "opening_plies", "record.past_games", "record.growth_games", "stop.generations"];
    for (keys, values, why) in
        [(&keys[..], 100, "more than 100000 members"), (&keys[..1], 10_001, "more than 10000 conf")]
    {
        let grid: Vec<String> = keys.iter().map(|key| format!("{key} = [{}]", list(values))).collect();
        for empty in ["", "strategy.enn.population = []\n"] {
            let text = format!(
                "seeds = 1\n[[configuration]]\nexperiment = \"nim-2x4\"\n[configuration.grid]\n{}\n{empty}",
                grid.join("\n")
            );
            let error = Lab::parse("a", "a", &text, Path::new("")).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }
    // Long lists of seeds are searched only once.
    let text = format!("{},1", list(90_000).replace(' ', ""));
    assert!(seeds(&text).unwrap_err().to_string().contains("seeds has 1 twice"));
    let deep = format!("seeds = {}1{}", "[".repeat(50_000), "]".repeat(50_000));
    assert!(Lab::parse("a", "a", &deep, Path::new("")).is_err());
    let dotted = format!("{}a = 1", "a.".repeat(50_000));
    assert!(Lab::parse("a", "a", &dotted, Path::new("")).is_err());
}
