//! What the documentation shows is what there is.

#[test]
fn the_shown_command_is_the_real_one() {
    let shown = include_str!("../../../../docs/extending-command.md");
    let command = include_str!("../../src/commands/perft.rs");
    assert!(shown.contains(&format!("```rust\n{command}```")), "docs/extending-command.md and perft.rs differ");
}

#[test]
fn the_shown_program_is_the_example() {
    let main = |text: &str| {
        let begin = text.find("Program::new()").expect("there is a program");
        text[begin..].split(".run()").next().unwrap_or_default().to_string()
    };
    let shown = main(include_str!("../../../../docs/extending.md"));
    assert_eq!(shown, main(include_str!("../../../../examples/own-game/src/main.rs")));
}
