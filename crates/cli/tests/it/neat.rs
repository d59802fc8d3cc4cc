//! NEAT and the tournament series from the command line: repeatable runs, and records of species and ancestors.

use super::Gamete;
use std::fs;

const SMALL: &str = "--set strategy.neat.population=14 --set setup.most_plies=24 --set record.genomes_every=4";
const SERIES: &str =
    "--set strategy.series.neat.population=14 --set setup.most_plies=24 --set strategy.series.tournaments=3";

#[test]
fn runs_are_the_same_on_threads_and_after_interruptions() {
    for (experiment, sets) in [
        ("minichess-16", SMALL),
        ("minichess-tt4", SERIES),
        (
            "minichess",
            "--set strategy.neat.population=14 --set schedule.circular.opponents=6 --set setup.most_plies=24",
        ),
        (
            "nim-2x4-neat",
            "--set strategy.neat.population=30 --set schedule.circular.opponents=10 --set stop.solved=false",
        ),
    ] {
        let gamete = Gamete::new();
        let train = |more: &str| gamete.json(&format!("train {experiment} {sets} {more}"));
        let alone = train("--generations 9 --threads 1 --name alone");
        let threads = train("--generations 9 --threads 6 --name threads");
        train("--generations 2 --name steps");
        gamete.json("resume steps --generations 5");
        let steps = gamete.json("resume steps --generations 9");
        for other in [&threads, &steps] {
            for field in ["signature", "games", "reused", "champion", "exam"] {
                assert_eq!(other[field], alone[field], "{experiment}: {field}");
            }
        }
        // Species, innovation numbers and births are equal, bit for bit.
        let books = |run: &str| {
            let shown = gamete.json(&format!("show {run}"));
            (shown["species"].clone(), shown["ancestry"].clone(), shown["genomes"].clone())
        };
        let (species, ancestry, genomes) = books("alone");
        assert_eq!((species.clone(), ancestry.clone(), genomes.clone()), books("threads"));
        assert_eq!((species.clone(), ancestry.clone(), genomes), books("steps"));
        let sizes: u64 = species.as_array().unwrap().iter().map(|species| species["size"].as_u64().unwrap()).sum();
        let population = if experiment == "nim-2x4-neat" { 30 } else { 14 };
        assert_eq!(sizes, 9 * population, "{experiment}: every genome is of one species");
        // The champion's ancestors lead back to the first generation.
        let line = ancestry.as_array().unwrap();
        let first = line.last().unwrap();
        assert_eq!(
            (first["generation"].as_u64(), &first["parents"]),
            (Some(1), &serde_json::json!([0, 0])),
            "{experiment}"
        );
        for pair in line.windows(2) {
            assert_eq!(pair[0]["parents"][0], pair[1]["genome"]);
        }
    }
}

#[test]
fn species_and_ancestors_are_shown_and_genomes_are_saved() {
    let gamete = Gamete::new();
    gamete.ok(&format!("train minichess-16 {SMALL} --generations 8 --name net"));
    let printed = gamete.ok("show net");
    assert!(printed.contains("species of generation 8") && printed.contains("ancestors of genome "), "{printed}");
    assert!(printed.contains("one of the first"), "{printed}");
    let shown = gamete.json("show net --generation 4");
    let genomes = shown["genomes"].as_array().unwrap();
    assert_eq!(genomes.len(), 14);
    assert!(genomes[0]["text"].as_str().unwrap().starts_with("genome 36 1 nodes "), "{}", genomes[0]);
    assert!(gamete.json("show net --generation 5")["genomes"].as_array().unwrap().is_empty());
    gamete.refused("show net --generation 9", "the run `net` has no generation 9; it has 1 to 8");
    // A genome plays like any other network.
    let line = genomes[3]["text"].as_str().unwrap();
    fs::write(gamete.folder().join("genome.txt"), line).unwrap();
    assert_eq!(gamete.json("match file:genome.txt random --game minichess --games 4")["games"], 4);
    for (from, to, why) in [
        (" | ", " ", "parts, but it must have three: head, nodes and connections"),
        ("0:0>36", "0:0>99", "goes to node 99, which is no node of the genome"),
        ("1:1>36", "0:1>36", "innovation 0 is there twice"),
        ("36:", "36:x", "where a number is expected"),
    ] {
        assert!(line.contains(from), "{line}");
        fs::write(gamete.folder().join("broken.txt"), line.replacen(from, to, 1)).unwrap();
        gamete.refused("exam file:broken.txt --game minichess", why);
    }
}

#[test]
fn parameters_that_cannot_be() {
    let gamete = Gamete::new();
    let check = |set: &str, why: &str| gamete.refused(&format!("train minichess --set strategy.neat.{set}"), why);
    check("mutation.add_node=1.5", "strategy.neat: mutation.add_node is 1.5, but a chance is from 0 to 1");
    check("species.threshold=0", "species.threshold is 0, but it must be a number above 0");
    check("population=1 --set strategy.neat.species.target=0", "a population of 1 is too small to pair");
    check(
        "population=6 --set strategy.neat.species.target=8",
        "species.target is 8, but it must be at most the population, 6",
    );
    check("mutation.loops=allow", "unknown choice `allow`");
    check("selection.parents=0", "selection.parents is 0, but it must be above 0, up to 1");
    gamete.refused(
        "train minichess-tt4 --set strategy.series.tournaments=0",
        "tournaments is 0, but it must be at least 1",
    );
    gamete.refused(
        "train minichess-tt4 --set strategy.series.neat.mutation.power=-1",
        "strategy.series: neat.mutation.power is -1",
    );
}
