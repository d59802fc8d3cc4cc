use super::*;

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
    let members: Vec<String> = lab.members().iter().map(|(each, seed)| each.member_name(*seed)).collect();
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
fn what_is_wrong_is_said() {
    check("\"nim-2x4-c1\"", "\"nim-2x4-c11\"", "there is no experiment `nim-2x4-c11`; did you mean `nim-2x4-c1`?");
    check("\"nim-2x4-c1\"", "\"here/none.toml\"", "there is no file here/none.toml");
    check("\"strategy.enn.exponent\"", "\"strategy.enn.exponnt\"", "configuration 1: nim-2x4-c1: unknown key");
    check("\"strategy.enn.exponent\"", "\"strategy.enn.exponnt\"", "did you mean `strategy.enn.exponent`?");
    check("[60, 100]", "[60, 2]", "a population of 2 is too small");
    check("[60, 100]", "[60, \"many\"]", "found string \"many\", but a whole number from 0 up belongs here");
    check("[60, 100]", "60", "grid: strategy.enn.population is 60, but a list of values");
    check("[60, 100]", "[]", "is an empty list");
    check("[60, 100]", "[60, 60]", "two members are called");
    check("name = \"ours\"", "name = \"ours/theirs\"", "cannot be a run's name");
    check("seeds = 3", "seeds = 0", "seeds is 0, but a number of seeds from 1 up");
    check("seeds = 3", "seeds = [1, -1]", "but a number of seeds from 1 up");
    check("\"1001-1002\"", "\"1002-1001\"", "configuration 2: seeds is \"1002-1001\"");
    check("seeds = 3", "seeds = [1, 1]", "two members are called");
    check("baselines = [\"ours\"]", "baselines = [\"our\"]", "there is no configuration `our`; did you mean `ours`?");
    check("[\"grade\"]", "[\"grad\"]", "there is no measure `grad`; there are grade, ");
    check("last = 1", "last = 0", "last is 0");
    check("seeds = 3", "seads = 3", "x.toml, line 3, column 1: unknown key `seads`; did you mean `seeds`?");
    check("stop.generations = 20", "seed = 20", "`seed` is not set here");
}

#[test]
fn all_labs_are_shipped_and_right() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../labs");
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
