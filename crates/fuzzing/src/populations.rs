//! Checks saved populations of every strategy.

use chance::rng_for;
use evolution::{Results, Shape, StrategyConfig, StrategyInfo};
use std::collections::BTreeMap;
use std::sync::OnceLock;

const SHAPE: Shape = Shape { inputs: 4, outputs: 1 };

/// A strategy with its default parameters, except for a small population of small networks.
fn config(name: &str) -> &'static StrategyConfig {
    static CONFIGS: OnceLock<BTreeMap<&str, StrategyConfig>> = OnceLock::new();
    let configs = CONFIGS.get_or_init(|| {
        let small = |StrategyInfo { name, .. }: StrategyInfo| {
            let usual = StrategyConfig::usual(name).expect("the strategy is listed");
            let mut strategies = toml::Table::try_from(usual).expect("parameters can be written");
            let mut params = strategies[name].as_table_mut().expect("it is this strategy");
            if name == "series" {
                params.insert("tournaments".to_string(), 2.into());
                params = params["neat"].as_table_mut().expect("a series is one of NEAT");
            }
            for (key, value) in [
                ("population", 6.into()),
                ("elites", 2.into()),
                ("hidden", toml::Value::Array(vec![3.into()])),
                ("wired", 0.into()),
                ("tries", 3.into()),
                ("remembered", 3.into()),
            ] {
                if params.get(key).is_some_and(|old| old.same_type(&value)) {
                    params.insert(key.to_string(), value);
                }
            }
            if let Some(toml::Value::Table(species)) = params.get_mut("species") {
                species.insert("target".to_string(), 2.into());
                species.insert("least".to_string(), 0.into());
            }
            let config: StrategyConfig = strategies.try_into().expect("a strategy with other numbers");
            config.checked().and_then(|()| config.fits(SHAPE)).expect("the small numbers are valid");
            (name, config)
        };
        evolution::strategies().into_iter().map(small).collect()
    });
    &configs[name]
}

pub fn check(strategy: &str, bytes: &[u8]) {
    let config = config(strategy);
    let Ok(mut population) = config.restore(SHAPE, bytes) else { return };
    // A restored population is saved with the same bytes again.
    let saved = population.save();
    let again = config.restore(SHAPE, &saved).expect("what was saved can be restored");
    assert!(again.save() == saved, "a restored population is saved otherwise");
    for generation in 0..4 {
        let networks = population.networks();
        assert_eq!(networks.len(), config.population());
        for network in networks {
            assert_eq!(network.shape(), SHAPE);
        }
        crate::networks::check(&networks[0]);
        if let Some(kin) = population.kin() {
            assert_eq!(kin.genomes.len(), config.population());
        }
        if let Some(text) = population.genome_text(0) {
            crate::networks::genome(text.as_bytes());
        }
        let scores: Vec<f64> = (0..config.population()).map(|place| ((7 * place + generation) % 5) as f64).collect();
        let won: Vec<Vec<Vec<f32>>> = scores.iter().map(|score| vec![vec![*score as f32; SHAPE.inputs]]).collect();
        let results = Results { won: &won, ..Results::of(&scores) };
        population.advance(&results, &mut rng_for(1, &[generation as u64]));
        if let Some(learner) = population.learner() {
            learner.follow(&[0.5, -1.0, 0.0, 2.0]);
            learner.end(&[0.0; 4], 1.0);
        }
    }
    let saved = population.save();
    if let Err(error) = config.restore(SHAPE, &saved) {
        panic!("the population cannot be restored after some generations: {error}")
    }
}

/// The saved bytes of a population after this number of generations.
pub fn saved(strategy: &str, generations: u64) -> Vec<u8> {
    let config = config(strategy);
    let mut population = config.create(SHAPE, &mut rng_for(1, &[]));
    for generation in 0..generations {
        let scores: Vec<f64> =
            (0..config.population()).map(|place| ((3 * place + generation as usize) % 5) as f64).collect();
        let won: Vec<Vec<Vec<f32>>> = scores.iter().map(|score| vec![vec![*score as f32; SHAPE.inputs]]).collect();
        population.advance(&Results { won: &won, ..Results::of(&scores) }, &mut rng_for(2, &[generation]));
    }
    population.save()
}
