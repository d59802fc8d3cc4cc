//! Small runs must learn with every seed.

use super::Gamete;

#[test]
fn three_seeds_in_three_beat_chance_by_far() {
    for seed in 1..=3 {
        let gamete = Gamete::new();
        let trained = gamete.json(&format!("train nim-2x4 --seed {seed} --name r"));
        assert_eq!(trained["stopped"], "solved", "seed {seed}");
        assert_eq!(trained["exam"]["all_positions"], 1.0);
        let score = gamete.json("match run:r random --game nim --games 1000 --plies 0");
        // Each start is played with both sides, and only one side can force a win; so a much higher share is impossible.
        assert!(score["score"].as_f64().unwrap() > 0.75, "seed {seed}: {score}");
        let even = gamete.json("match run:r perfect --game nim --games 200 --plies 0");
        assert_eq!(even["score"], 0.5, "seed {seed}: {even}");
    }
}

#[test]
fn chess_is_played_better_than_by_chance() {
    let gamete = Gamete::new();
    gamete.json("train minichess-enn --generations 15 --name r");
    let score = gamete.json("match run:r random --game minichess --games 200");
    assert!(score["elo_low"].as_f64().unwrap() > 100.0, "{score}");
    // The limit of plies ends a game without captures.
    let short = gamete.json("match first first --game minichess --games 2 --setup most_plies=6");
    assert_eq!((&short["draws"], &short["games"]), (&2.into(), &2.into()));
}

#[test]
fn a_thesis_configuration_is_solved_as_in_the_thesis() {
    for seed in 1..=3 {
        let trained = Gamete::new().json(&format!("train nim-1-8-c6 --seed {seed} --generations 60"));
        assert!(trained["first_solved"].as_u64().is_some(), "seed {seed}: {trained}");
    }
}
