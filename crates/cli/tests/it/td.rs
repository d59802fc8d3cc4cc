//! TD(λ) from the command line: one network learns from games against itself.

use super::Gamete;

#[test]
fn runs_are_the_same_on_threads_and_after_interruptions() {
    for (experiment, sets) in [
        ("nim-2x4-td", "--set stop.solved=false --set strategy.td.rate_halves=3"),
        ("tic-tac-toe-td", "--set blunders=0.1 --set opening_plies=2 --set record.exam_every=1"),
        ("minichess-td", "--set schedule.self-play.games=3 --set record.growth_games=2"),
        ("minichess-td", "--set schedule.self-play.games=2 --set player.depth=1 --set setup.repetitions=3"),
    ] {
        let gamete = Gamete::new();
        let sets = format!("{sets} --set record.final_games=0");
        let train = |more: &str| gamete.json(&format!("train {experiment} --seed 1001 {sets} {more}"));
        let alone = train("--generations 7 --threads 1 --name alone");
        let threads = train("--generations 7 --threads 6 --name threads");
        train("--generations 2 --name steps");
        gamete.json("resume steps --generations 5");
        let steps = gamete.json("resume steps --generations 7");
        for other in [&threads, &steps] {
            for field in ["signature", "games", "reused", "champion", "exam"] {
                assert_eq!(other[field], alone[field], "{experiment}: {field}");
            }
        }
        let other_seed = gamete.json(&format!("train {experiment} {sets} --seed 1002 --generations 7"));
        assert_ne!(other_seed["signature"], alone["signature"]);
    }
}

/// Small runs must learn with every seed.
#[test]
fn three_seeds_in_three_learn() {
    for seed in 1001..=1003 {
        let gamete = Gamete::new();
        let trained = gamete.json(&format!("train nim-2x4-td --seed {seed} --name nim"));
        assert_eq!(trained["stopped"], "solved", "seed {seed}");
        let even = gamete.json("match run:nim perfect --game nim --games 200 --plies 0");
        assert_eq!(even["score"], 0.5, "seed {seed}: {even}");
        let first = |generations: u64| {
            let trained = gamete.json(&format!("train tic-tac-toe-td --seed {seed} --generations {generations}"));
            trained["exam"]["all_positions"].as_f64().unwrap()
        };
        let (early, late) = (first(1), first(60));
        assert!(late > 0.85 && late > early + 0.05, "seed {seed}: {early} to {late}");
        let chess = "train minichess-td --generations 12 --name chess --set record.final_games=0";
        gamete.json(&format!("{chess} --seed {seed}"));
        let score = gamete.json("match run:chess random --game minichess --games 100");
        assert!(score["elo_low"].as_f64().unwrap() > 100.0, "seed {seed}: {score}");
    }
}

#[test]
fn its_runs_are_shown_as_all_are() {
    let gamete = Gamete::new();
    let trained = gamete.json("train nim-2x4-td --seed 1001 --name nim --generations 5 --set stop.solved=false");
    assert_eq!((&trained["generations"], &trained["games"]), (&5.into(), &500.into()));
    let shown = gamete.ok("show nim");
    assert!(shown.contains("td") && shown.contains("500"), "{shown}");
    gamete.ok("games nim");
    assert!(gamete.ok("list strategies").contains("td"));
    assert!(gamete.ok("list schedules").contains("self-play"));
    let scorings = gamete.ok("list scorings");
    assert!(scorings.contains("exam") && scorings.contains("win, draw, loss"), "{scorings}");
    let refused = |set: &str, why: &str| gamete.refused(&format!("train nim-2x4-td --set {set}"), why);
    refused("player.head=direct", "strategy.td learns values of positions; use `value`");
    refused("strategy.td.lambda=2", "lambda is 2, but it must be from 0 to 1");
    refused("schedule.self-play.games=0", "games is 0, but it must be at least 1");
    refused("strategy.td.population=5", "unknown key");
}
