//! Random search, CMA-ES and OpenAI's evolution strategy from the command line: repeatable runs, and refused parameters.

use super::Gamete;

#[test]
fn runs_are_the_same_on_threads_and_in_steps() {
    for words in [
        "nim-2x4-random",
        "nim-2x4-cma-es --set strategy.cma-es.covariance=full",
        "nim-2x4-cma-es --set strategy.cma-es.covariance=separable",
        // Its axes are computed only every few generations, and the run is stopped in between.
        "nim-2x4-cma-es --set strategy.cma-es.hidden=[30] --set strategy.cma-es.population=6 --set schedule.circular.opponents=2",
        "nim-2x4-openai-es",
    ] {
        let gamete = Gamete::new();
        let words = format!("{words} --set stop.solved=false --seed 3");
        let whole = gamete.json(&format!("train {words} --generations 14 --name whole --threads 1"));
        let threads = gamete.json(&format!("train {words} --generations 14 --name threads --threads 5"));
        assert_eq!(whole["signature"], threads["signature"], "{words}");
        gamete.json(&format!("train {words} --generations 5 --name steps"));
        gamete.json("resume steps --generations 6");
        let steps = gamete.json("resume steps --generations 14");
        assert_eq!(whole["signature"], steps["signature"], "{words}");
        assert_eq!(whole["champion"], steps["champion"], "{words}");
    }
}

#[test]
fn all_are_listed() {
    let listed = Gamete::new().ok("list strategies");
    for name in ["random-search", "cma-es", "openai-es"] {
        assert!(listed.contains(name), "{name} is missing:\n{listed}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let gamete = Gamete::new();
    for (experiment, set, why) in [
        (
            "random",
            "random-search.elites=200",
            "elites is 200, but it must be from 1 to 199: at least one network of 200 must be new",
        ),
        ("random", "random-search.range=0", "range is 0, but it must be above 0, up to 100"),
        ("cma-es", "cma-es.sigma=0", "sigma is 0, but it must be from 0.000001 to 100"),
        ("cma-es", "cma-es.covariance=diagonal", "`diagonal`"),
        ("openai-es", "openai-es.population=2", "population is 2, but it must be at least 3: the centre and a pair"),
        ("openai-es", "openai-es.momentum=1", "momentum is 1, but it must be from 0 to 0.9999"),
    ] {
        gamete.refused(&format!("train nim-2x4-{experiment} --set strategy.{set}"), why);
    }
    gamete.refused(
        "train nim-2x4-cma-es --set strategy.cma-es.covariance=full --set strategy.cma-es.hidden=[600]",
        "covariance is full, but the networks have 2401 weights and biases, and full needs at most 2000",
    );
}
