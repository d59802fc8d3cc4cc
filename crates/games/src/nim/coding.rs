//! How stacks of matches become a network's inputs, and how its outputs name a move.

use super::{Nim, Setup, Take};
use crate::game::highest;
use crate::{Attempt, Decoder, Encoder, Inputs};

/// One input per stack: its number of matches.
pub struct Counts;

impl Encoder<Nim> for Counts {
    fn name(&self) -> &'static str {
        "counts"
    }
    fn about(&self) -> &'static str {
        "one input per stack: its number of matches"
    }
    fn width(&self, setup: &Setup) -> usize {
        setup.stacks.len()
    }
    fn encode(&self, _: &Setup, game: &Nim, inputs: &mut Inputs) {
        for (input, &matches) in game.stacks().iter().enumerate() {
            inputs.set(input, f32::from(matches));
        }
    }
    fn label(&self, _: &Setup, input: usize) -> String {
        format!("matches in stack {}", input + 1)
    }
}

/// The binary digits of every stack, lowest first, as 0 or 1.
pub struct Digits;

impl Digits {
    /// The number of binary digits of the largest stack, used for all stacks.
    fn per_stack(setup: &Setup) -> usize {
        (u16::BITS - setup.stacks.iter().max().map_or(0, |most| most.leading_zeros())) as usize
    }
}

impl Encoder<Nim> for Digits {
    fn name(&self) -> &'static str {
        "digits"
    }
    fn about(&self) -> &'static str {
        "the binary digits of every stack, lowest first, as 0 or 1"
    }
    fn width(&self, setup: &Setup) -> usize {
        setup.stacks.len() * Digits::per_stack(setup)
    }
    fn encode(&self, setup: &Setup, game: &Nim, inputs: &mut Inputs) {
        let digits = Digits::per_stack(setup);
        for (stack, &matches) in game.stacks().iter().enumerate() {
            for digit in 0..digits {
                inputs.set(stack * digits + digit, f32::from(matches >> digit & 1));
            }
        }
    }
    fn label(&self, setup: &Setup, input: usize) -> String {
        let digits = Digits::per_stack(setup);
        format!("stack {}, digit worth {}", input / digits + 1, 1u32 << (input % digits))
    }
}

/// Two outputs, truncated toward zero: the index of the stack, from 0, and the number of matches.
pub struct Direct;

impl Direct {
    /// The stack and the amount that the outputs name. NaN counts as 0.
    fn read(outputs: &[f32]) -> (i64, i64) {
        (outputs[0] as i64, outputs[1] as i64)
    }
}

impl Decoder<Nim> for Direct {
    fn name(&self) -> &'static str {
        "direct"
    }
    fn about(&self) -> &'static str {
        "two outputs, truncated toward zero: the index of the stack, from 0, and the number of matches"
    }
    fn width(&self, _: &Setup) -> usize {
        2
    }
    fn decode(&self, _: &Setup, game: &Nim, outputs: &[f32]) -> Attempt<Take> {
        let (stack, amount) = Direct::read(outputs);
        attempt(game, stack, amount)
    }
    fn attempt_text(&self, _: &Setup, outputs: &[f32]) -> String {
        let (stack, amount) = Direct::read(outputs);
        format!("{}:{amount}", stack.saturating_add(1))
    }
    fn label(&self, _: &Setup, output: usize) -> String {
        ["stack, from 0", "amount"][output].to_string()
    }
}

/// One output per stack, then one per amount; the highest output of each group names the move.
pub struct Slots;

impl Slots {
    fn read(setup: &Setup, outputs: &[f32]) -> (i64, i64) {
        let (stacks, amounts) = outputs.split_at(setup.stacks.len());
        (highest(stacks) as i64, highest(amounts) as i64 + 1)
    }
}

impl Decoder<Nim> for Slots {
    fn name(&self) -> &'static str {
        "slots"
    }
    fn about(&self) -> &'static str {
        "one output per stack, then one per amount; the highest of each group names the move"
    }
    fn width(&self, setup: &Setup) -> usize {
        setup.stacks.len() + setup.stacks.iter().max().map_or(0, |&most| usize::from(most))
    }
    fn decode(&self, setup: &Setup, game: &Nim, outputs: &[f32]) -> Attempt<Take> {
        let (stack, amount) = Slots::read(setup, outputs);
        attempt(game, stack, amount)
    }
    fn attempt_text(&self, setup: &Setup, outputs: &[f32]) -> String {
        let (stack, amount) = Slots::read(setup, outputs);
        format!("{}:{amount}", stack + 1)
    }
    fn label(&self, setup: &Setup, output: usize) -> String {
        match output.checked_sub(setup.stacks.len()) {
            None => format!("from stack {}", output + 1),
            Some(amount) => format!("take {}", amount + 1),
        }
    }
}

/// The attempt to take `amount` from `stack`. If it is illegal, the nearest move is on the nearest stack with matches,
/// the lower one if two are equally near, with the nearest possible amount.
fn attempt(game: &Nim, stack: i64, amount: i64) -> Attempt<Take> {
    let stacks = game.stacks();
    let named = usize::try_from(stack).ok().and_then(|stack| stacks.get(stack));
    if let Some(&matches) = named
        && (1..=i64::from(matches)).contains(&amount)
    {
        return Attempt::Legal(Take { stack: stack as u8, amount: amount as u16 });
    }
    let held = (0..stacks.len()).filter(|&place| stacks[place] > 0);
    let nearest = held.min_by_key(|&place| stack.abs_diff(place as i64)).expect("the game is not over");
    let amount = amount.clamp(1, i64::from(stacks[nearest])) as u16;
    Attempt::Illegal { nearest: Take { stack: nearest as u8, amount } }
}

#[cfg(test)]
mod tests {
    use super::super::Start;
    use super::*;

    #[track_caller]
    fn check(decoder: &dyn Decoder<Nim>, stacks: &[u16], outputs: &[f32], expected: &str) {
        let setup = Setup { stacks: vec![4; stacks.len()], start: Start::Random };
        assert_eq!(outputs.len(), decoder.width(&setup));
        let found = match decoder.decode(&setup, &Nim::new(stacks), outputs) {
            Attempt::Legal(mv) => mv.to_string(),
            Attempt::Illegal { nearest } => format!("{} so {nearest}", decoder.attempt_text(&setup, outputs)),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn direct_outputs_are_truncated() {
        check(&Direct, &[4, 4], &[0.0, 1.0], "1:1");
        check(&Direct, &[4, 4], &[1.9, 3.99], "2:3");
        check(&Direct, &[4, 4], &[-0.9, 1.5], "1:1");
    }

    #[test]
    fn illegal_attempts_have_a_nearest_move() {
        check(&Direct, &[4, 4], &[-1.0, 2.0], "0:2 so 1:2");
        check(&Direct, &[4, 2], &[7.5, 9.0], "8:9 so 2:2");
        check(&Direct, &[4, 4], &[1.0, 0.9], "2:0 so 2:1");
        check(&Direct, &[4, 0], &[1.0, 2.0], "2:2 so 1:2");
        check(&Direct, &[3, 0, 3], &[1.0, 2.0], "2:2 so 1:2");
        check(&Direct, &[4, 4], &[f32::NAN, f32::INFINITY], &format!("1:{} so 1:4", i64::MAX));
        check(&Direct, &[4, 4], &[f32::INFINITY, f32::NAN], &format!("{}:0 so 2:1", i64::MAX));
    }

    #[test]
    fn slots_take_the_highest() {
        check(&Slots, &[4, 4], &[0.1, 0.2, 0.0, 0.0, 0.5, 0.4], "2:3");
        check(&Slots, &[4, 4], &[0.2, 0.2, 0.5, 0.5, 0.5, 0.5], "1:1");
        check(&Slots, &[1, 4], &[0.2, 0.1, 0.0, 0.0, 0.5, 0.4], "1:3 so 1:1");
        check(&Slots, &[0, 4], &[0.2, 0.1, 0.0, 0.0, 0.5, 0.4], "1:3 so 2:3");
        check(&Slots, &[4, 4], &[f32::NAN, -1.0, f32::NAN, 0.0, 0.0, f32::NAN], "2:2");
    }

    #[test]
    fn digits_are_binary() {
        let setup = Setup { stacks: vec![8, 2], start: Start::Random };
        let inputs = crate::encode(&Digits, &setup, &Nim::new(&[6, 1]));
        assert_eq!(inputs, [0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    }
}
