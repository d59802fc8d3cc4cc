//! The champion's strength on the game's ladder, measured while a population learns.

use super::Gamete;

const MEASURED: &str = "--set record.final_games=0 --set record.strength_every=3 --set record.strength_games=8 --set record.strength_nodes=40";

#[test]
fn measuring_strength_changes_nothing_and_is_repeatable() {
    let gamete = Gamete::new();
    let train = |more: &str| gamete.json(&format!("train tic-tac-toe --seed 1001 {more}"));
    let unmeasured = train("--generations 7 --name unmeasured --set record.final_games=0");
    let alone = train(&format!("{MEASURED} --generations 7 --name alone --threads 1"));
    train(&format!("{MEASURED} --generations 2 --name steps --threads 4"));
    gamete.json("resume steps --generations 4 --threads 4");
    let steps = gamete.json("resume steps --generations 7 --threads 4");
    assert_eq!(alone["signature"], unmeasured["signature"]);
    assert!(unmeasured["strongest"].is_null());
    for field in ["signature", "champion", "strongest"] {
        assert_eq!(alone[field], steps[field], "{field}");
    }
    let strongest = &alone["strongest"];
    assert!([3, 6].map(|generation| generation.into()).contains(&strongest["generation"]), "{strongest}");
    assert!(strongest["low"].as_f64() < strongest["elo"].as_f64(), "{strongest}");
    let shown = gamete.ok("show alone");
    assert!(shown.contains("strongest: the champion of generation"), "{shown}");
    assert!(shown.contains("champion's Elo on the game's ladder"), "{shown}");
}

#[test]
fn a_run_can_stand_for_its_strongest_champion_and_stop_when_it_is_strong() {
    let gamete = Gamete::new();
    let sets = format!("{MEASURED} --set record.final=strength");
    let run = gamete.json(&format!("train tic-tac-toe --seed 1001 --generations 9 --name run {sets}"));
    let strongest = run["strongest"]["generation"].as_u64().unwrap();
    gamete.ok("export run --out whole.json");
    gamete.ok(&format!("export run@{strongest} --out strongest.json"));
    let read = |name: &str| std::fs::read_to_string(gamete.folder().join(name)).unwrap();
    assert_eq!(read("whole.json"), read("strongest.json"));
    // 1 Elo is less than the champion of any measured generation has.
    let strong = gamete.json(&format!("train tic-tac-toe --seed 1001 --name strong {sets} --set stop.strength=1"));
    assert_eq!((&strong["stopped"], &strong["generations"]), (&"strength".into(), &3.into()));
    let told = gamete.ok("resume strong");
    assert!(told.contains("its champion of generation 3 has the strength at which the run stops"), "{told}");
    assert_eq!(gamete.json("resume strong --generations 5")["generations"], 5);
}

#[test]
fn keys_of_strength_that_do_not_fit_are_refused() {
    let gamete = Gamete::new();
    let check = |words: &str, why: &str| gamete.refused(&format!("train {words} --generations 1"), why);
    check("nim-2x4 --set record.strength_every=1", "but nim has no ladder on which strength is measured; use 0");
    check("tic-tac-toe --set stop.strength=500", "but record.strength_every is 0, so that no strength is measured");
    check("tic-tac-toe --set record.final=strength", "but record.strength_every is 0");
    check("tic-tac-toe --set stop.strength=-3", "stop.strength is -3, but it must be");
    check("tic-tac-toe --set record.strength_every=1 --set record.strength_games=1", "from 2 to 10000");
    check("tic-tac-toe --set record.final=best", "newest");
}
