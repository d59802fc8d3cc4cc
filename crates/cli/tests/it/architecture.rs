//! The crates depend on each other as the picture in ARCHITECTURE.md shows, and modules do not import each other in a
//! circle.

use super::workspace;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Dependencies: from each crate or module to those that it uses.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// Everything that a crate or module uses, directly or through others.
fn reached(uses: &Uses, from: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![from.to_string()];
    while let Some(next) = open.pop() {
        let steps = uses.get(&next).into_iter().flatten();
        open.extend(steps.filter(|step| found.insert((*step).clone())).cloned().collect::<Vec<_>>());
    }
    found
}

/// The crates of the workspace with the crates that they use, named after their folders.
fn crates() -> Uses {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
    let words = ["metadata", "--format-version", "1", "--no-deps", "--offline", "--locked"];
    let said = Command::new(cargo).args(words).current_dir(workspace()).output().unwrap();
    let metadata: Value = serde_json::from_slice(&said.stdout).unwrap();
    let folder_of = |path: &str| Path::new(path).file_name().unwrap().to_str().unwrap().to_string();
    let of = |package: &Value| {
        let folder = Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap().to_str().unwrap();
        let normal = package["dependencies"].as_array().unwrap().iter().filter(|each| each["kind"].is_null());
        let ours = normal.filter_map(|each| each["path"].as_str()).map(folder_of);
        (folder_of(folder), ours.collect())
    };
    metadata["packages"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn the_picture_of_the_crates_is_true() {
    let mut drawn: Vec<(String, String)> = Vec::new();
    let text = std::fs::read_to_string(workspace().join("ARCHITECTURE.md")).unwrap();
    let picture = text.split("```mermaid").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    for line in picture.lines() {
        let chain: Vec<&str> = line.split("-->").map(str::trim).collect();
        drawn.extend(chain.windows(2).map(|pair| (pair[0].to_string(), pair[1].to_string())));
    }
    drawn.sort();
    // An arrow is drawn only if no longer path leads to the same crate.
    let crates = crates();
    let mut used: Vec<(String, String)> = Vec::new();
    for (name, uses) in &crates {
        let by_others: BTreeSet<String> = uses.iter().flat_map(|each| reached(&crates, each)).collect();
        used.extend(uses.difference(&by_others).map(|each| (each.clone(), name.clone())));
    }
    used.sort();
    assert_eq!(drawn, used, "left: ARCHITECTURE.md; right: what the manifests say");
}

#[test]
fn files_that_are_named_exist() {
    let docs = std::fs::read_dir(workspace().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    // The examples of extensions name files that do not exist yet.
    let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_string();
    let pages = docs.filter(|path| name(path).ends_with(".md") && !name(path).starts_with("extending-"));
    let mut missing = Vec::new();
    for page in pages.chain(["ARCHITECTURE.md", "README.md", "SECURITY.md"].map(|page| workspace().join(page))) {
        let text = std::fs::read_to_string(&page).unwrap();
        // Every second part between backticks is code. Words in capitals are placeholders.
        let named = text.split('`').skip(1).step_by(2).filter(|part| {
            let stands_for = |word: &str| word.len() > 1 && word.chars().all(|letter| letter.is_ascii_uppercase());
            part.contains("/src/") && !part.contains(char::is_whitespace) && !part.split(['/', '.']).any(stands_for)
        });
        let there = |path: &str| workspace().join("crates").join(path.trim_start_matches("crates/")).exists();
        missing.extend(named.filter(|path| !there(path)).map(|path| format!("{}: {path}", page.display())));
    }
    assert!(missing.is_empty(), "files that are not there are named:\n{}", missing.join("\n"));
}

#[test]
fn modules_do_not_import_each_other_in_a_circle() {
    for name in crates().keys() {
        let circles = circles(&Sources::read(&workspace().join("crates").join(name).join("src")));
        assert!(circles.is_empty(), "in crates/{name}:\n{}", circles.join("\n"));
    }
}

/// What is looked up by the name of a game must also know games of other crates.
#[test]
fn games_of_other_crates_are_known_everywhere() {
    let (mut looked_up, mut added) = (BTreeSet::new(), BTreeSet::new());
    for name in crates().keys() {
        for (_, text) in Sources::read(&workspace().join("crates").join(name).join("src")).0 {
            let names = |text: &str| text.split(|letter: char| !letter.is_alphanumeric()).next().unwrap().to_string();
            looked_up.extend(text.split("games::by_name!(").skip(1).map(|rest| (name.clone(), names(rest))));
            let before = |text: &str| text.rsplit(|letter: char| !letter.is_alphanumeric()).next().unwrap().to_string();
            let calls: Vec<&str> = text.split("::add_game::<").collect();
            added.extend(calls[..calls.len() - 1].iter().map(|text| (name.clone(), before(text))));
        }
    }
    assert!(looked_up.len() >= 20, "{looked_up:?}");
    let forgotten: Vec<_> = looked_up.difference(&added).collect();
    assert!(forgotten.is_empty(), "`own_games.rs` does not register: {forgotten:?}");
}

/// Names that a crate which works in memory must not use.
const OUTSIDE: [&str; 6] = ["std::fs", "std::time", "Instant", "SystemTime", "Duration", "rusqlite"];
const THREADS: [&str; 2] = ["std::thread", "thread::"];

#[test]
fn one_generation_needs_no_file_clock_or_thread() {
    let check = |name: &str, forbidden: &[&str]| {
        for (module, text) in Sources::read(&workspace().join("crates").join(name).join("src")).0 {
            let found: Vec<_> = forbidden.iter().filter(|word| text.contains(**word)).collect();
            assert!(found.is_empty(), "crates/{name}/src, module {}: {found:?}", module.join("::"));
        }
    };
    let all = [&OUTSIDE[..], &THREADS[..]].concat();
    ["chance", "parameters", "evolution", "trainer"].into_iter().for_each(|name| check(name, &all));
    // These two start threads: `games` to make endgame tables, `arena` to play the games of a generation.
    ["games", "arena"].into_iter().for_each(|name| check(name, &OUTSIDE));
}

#[test]
fn libraries_name_no_commands_and_no_flags() {
    const LIBRARIES: [&str; 8] = ["arena", "trainer", "runs", "players", "lab", "figures", "evolution", "games"];
    let mut found = Vec::new();
    for name in LIBRARIES {
        for (module, text) in Sources::read(&workspace().join("crates").join(name).join("src")).0 {
            let named = literals(&text).into_iter().filter(|literal| names_a_command(literal));
            found.extend(named.map(|literal| format!("crates/{name}/src, module {}: {literal}", module.join("::"))));
        }
    }
    assert!(found.is_empty(), "errors carry facts, and `cli` and `web` name commands:\n{}", found.join("\n"));
}

#[test]
fn commands_in_texts_are_found() {
    let check = |source: &str, expected: bool| {
        assert_eq!(literals(source).iter().any(|literal| names_a_command(literal)), expected, "{source}");
    };
    check(r#"f("no lab; `gamete lab run` makes one")"#, true);
    check(r#"f("go on with gamete resume", '"', "\\"")"#, true);
    check(r#"f('"', "it is there", "choose --force")"#, true);
    check(r#"f(b"gamete tables 1")"#, false);
    check(r#"f("a -- b, from 1--2", "the Gamete of today"); i -= --j"#, false);
}

/// Whether a text names a command of the program, or a flag.
fn names_a_command(literal: &str) -> bool {
    const COMMANDS: [&str; 10] =
        ["train", "resume", "runs", "list", "lab", "check", "questions", "show", "match", "serve"];
    let flags = literal.split("--").skip(1).any(|rest| rest.starts_with(|letter: char| letter.is_ascii_lowercase()));
    let commands = literal.split("gamete ").skip(1).any(|rest| {
        let word = rest.split(|letter: char| !letter.is_ascii_lowercase()).next().unwrap_or_default();
        COMMANDS.contains(&word)
    });
    literal.contains("`gamete ") || flags || commands
}

/// All string literals of a source file.
fn literals(source: &str) -> Vec<String> {
    let (mut found, mut open): (Vec<String>, Option<String>) = (Vec::new(), None);
    let mut letters = source.replace("'\"'", "' '").chars().collect::<Vec<_>>().into_iter();
    while let Some(letter) = letters.next() {
        match (letter, &mut open) {
            ('"', Some(_)) => found.extend(open.take()),
            ('"', None) => open = Some(String::new()),
            ('\\', Some(text)) => text.extend(letters.next()),
            (letter, Some(text)) => text.push(letter),
            (_, None) => {}
        }
    }
    found
}

#[test]
fn circles_are_found() {
    let check = |files: &[(&str, &str)], expected: usize| {
        let of = |(name, text): &(&str, &str)| (path_of(name, "::"), text.to_string());
        assert_eq!(circles(&Sources(files.iter().map(of).collect())).len(), expected, "{files:?}");
    };
    check(&[("", "mod a; mod b;"), ("a", "use crate::b::B;"), ("b", "")], 0);
    check(&[("", "mod a; mod b;"), ("a", "use crate::b::B;"), ("b", "fn f() { crate::a::g() }")], 1);
    // Through a re-exported name, and from a module further down.
    check(&[("", "pub use a::A;"), ("a", "use crate::b;"), ("b", ""), ("b::c", "use crate::{A, d};")], 1);
    check(&[("a", ""), ("a::b", "use super::c::C;"), ("a::c", "use super::{b::B};")], 1);
    check(&[("a", ""), ("a::b", "use super::Parent;"), ("c", "use crate::a;")], 0);
}

/// The path of a module or item within its crate, as a list of names.
type Words = Vec<String>;

fn path_of(text: &str, between: &str) -> Words {
    text.split(between).filter(|word| !word.is_empty()).map(str::to_string).collect()
}

/// The modules of a crate with their source, without tests and comments.
struct Sources(BTreeMap<Words, String>);

impl Sources {
    fn read(folder: &Path) -> Sources {
        let mut found = BTreeMap::new();
        let mut open = vec![folder.to_path_buf()];
        while let Some(next) = open.pop() {
            if next.is_dir() {
                open.extend(std::fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()));
                continue;
            }
            let module = next.strip_prefix(folder).unwrap().with_extension("");
            let mut path = path_of(module.to_str().unwrap(), "/");
            let of_tests = |word: &String| ["tests", "testing"].contains(&word.as_str()) || word.ends_with("_tests");
            if next.extension().is_none_or(|ending| ending != "rs") || path.iter().any(of_tests) {
                continue;
            }
            if path == ["lib"] || path == ["main"] {
                path.clear();
            }
            let text = std::fs::read_to_string(&next).unwrap();
            let text = text.split("\nmod tests {").next().unwrap();
            let code = text.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n");
            found.entry(path).or_insert_with(String::new).push_str(&code);
        }
        Sources(found)
    }

    /// The module that defines the item at a path. Re-exports (`pub use`) are followed.
    fn module_of(&self, mut path: Words) -> Words {
        for _ in 0..8 {
            let known = (0..=path.len()).rev().find(|&length| self.0.contains_key(&path[..length])).unwrap_or(0);
            let (module, rest) = path.split_at(known);
            let passed_on = rest.first().and_then(|name| self.passed_on(module, name));
            match passed_on {
                Some(there) if there != path => path = there,
                _ => return module.to_vec(),
            }
        }
        path
    }

    fn passed_on(&self, module: &[String], name: &str) -> Option<Words> {
        let text = self.0.get(module)?;
        text.split("pub").skip(1).find_map(|part| {
            let part = part.trim_start_matches("(crate)").trim_start_matches("(super)").trim_start();
            let tree = part.strip_prefix("use ")?.split(';').next()?;
            let paths = paths(tree);
            let path = paths.iter().find(|path| path.len() > 1 && path.last().is_some_and(|last| last == name))?;
            match path[0].as_str() {
                "crate" => Some(path[1..].to_vec()),
                "self" => Some([module, &path[1..]].concat()),
                _ => Some([module, path].concat()),
            }
        })
    }
}

/// All paths of a tree such as `a::{b, c::d}`.
fn paths(tree: &str) -> Vec<Words> {
    let Some((before, inside)) = tree.split_once('{') else {
        let name = tree.split_whitespace().next().unwrap_or_default();
        return vec![path_of(name.trim_end_matches(';'), "::")];
    };
    let (mut depth, mut part, mut found) = (0, String::new(), Vec::new());
    let root = path_of(before.trim(), "::");
    let mut end = |part: &mut String| {
        let all = paths(std::mem::take(part).trim());
        found.extend(all.into_iter().filter(|path| !path.is_empty()).map(|path| [&root[..], &path].concat()));
    };
    for letter in inside.chars() {
        match letter {
            '}' if depth == 0 => break,
            ',' if depth == 0 => end(&mut part),
            _ => {
                depth += i32::from(letter == '{') - i32::from(letter == '}');
                part.push(letter);
            }
        }
    }
    end(&mut part);
    found
}

/// The paths that a module names with `crate::` and `super::`, as paths within the crate.
fn named(module: &Words, text: &str) -> Vec<Words> {
    let mut found = Vec::new();
    for root in ["crate::", "super::"] {
        for (at, _) in text.match_indices(root) {
            let before = &text[..at];
            if before.ends_with("::") || before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$') {
                continue;
            }
            let mut tree = &text[at + root.len()..];
            let mut base = if root == "crate::" { Vec::new() } else { module[..module.len() - 1].to_vec() };
            while let Some(up) = tree.strip_prefix("super::") {
                tree = up;
                base.pop();
            }
            // A path ends where neither a name nor a brace follows.
            let mut depth = 0;
            let ends = |c: char| {
                depth += i32::from(c == '{') - i32::from(c == '}');
                depth < 0 || depth == 0 && !(c.is_alphanumeric() || "_:{}".contains(c))
            };
            let tree = tree.split(ends).next().unwrap_or_default();
            found.extend(paths(tree).into_iter().map(|path| [&base[..], &path].concat()));
        }
    }
    found
}

/// Circles among the modules of one folder, each as one line.
fn circles(sources: &Sources) -> Vec<String> {
    // For each folder: its modules use each other, no matter which module below them contains the import.
    let mut levels: BTreeMap<Words, Uses> = BTreeMap::new();
    for (module, text) in &sources.0 {
        for path in named(module, text) {
            let other = sources.module_of(path);
            let common = module.iter().zip(&other).take_while(|(one, two)| one == two).count();
            if let (Some(one), Some(two)) = (module.get(common), other.get(common)) {
                let uses = levels.entry(module[..common].to_vec()).or_default();
                uses.entry(one.clone()).or_default().insert(two.clone());
            }
        }
    }
    let mut found = BTreeSet::new();
    for (folder, uses) in &levels {
        for module in uses.keys() {
            let mut circle: Vec<String> = reached(uses, module).into_iter().collect();
            circle.retain(|other| reached(uses, other).contains(module));
            if !circle.is_empty() {
                found.insert(format!("{}: {}", folder.join("::"), circle.join(", ")));
            }
        }
    }
    found.into_iter().collect()
}
