//! Tests of the example strategy that the documentation shows.

#[path = "../examples/own_strategy.rs"]
#[allow(dead_code)]
mod own_strategy;

#[test]
fn the_shown_strategy_is_the_example() {
    let example = include_str!("../examples/own_strategy.rs");
    let shown = include_str!("../../../docs/extending-strategy.md");
    assert!(
        shown.contains(&format!("```rust\n{example}```")),
        "docs/extending-strategy.md and examples/own_strategy.rs differ"
    );
}

#[test]
fn the_shown_strategy_runs() {
    own_strategy::main().unwrap();
    let info = evolution::strategies().pop().unwrap();
    assert_eq!((info.name, info.describe("mutations").is_some()), ("hill-climber", true));
    // The first call has registered it.
    let error = own_strategy::main().unwrap_err().to_string();
    assert_eq!(error, "there is a strategy `hill-climber` already; choose another name");
    let error =
        toml::from_str::<evolution::StrategyConfig>("[hill-climber]\npopulation = 3\nmutatons = 1").unwrap_err();
    assert_eq!(error.message(), "unknown field `mutatons`, expected `population` or `mutations`");
    assert_eq!(error.span(), Some(30..38));
}
