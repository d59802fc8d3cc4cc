//! Misère Nim: take any number of matches from one stack; the side that takes the last match of all loses.

mod coding;
mod solver;

use crate::game::shown;
use crate::{Allowed, Decoder, Described, Encoder, Game, NotationError, Outcome, Side, Solver, WeightedStarts, key};
use chance::Rng;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

pub use coding::{Counts, Digits, Direct, Slots};
pub use solver::{NimSolver, bouton};

/// The highest number of stacks in a game.
pub const MOST_STACKS: usize = 8;

/// Stacks of matches, and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nim {
    /// The stacks from index `count` on are empty.
    stacks: [u16; MOST_STACKS],
    count: u8,
    side: Side,
}

impl Nim {
    /// A position with the first side to move; it needs 1 to [`MOST_STACKS`] stacks.
    pub fn new(stacks: &[u16]) -> Nim {
        let mut all = [0; MOST_STACKS];
        all[..stacks.len()].copy_from_slice(stacks);
        Nim { stacks: all, count: stacks.len() as u8, side: Side::First }
    }

    /// The number of matches in each stack.
    pub fn stacks(&self) -> &[u16] {
        &self.stacks[..usize::from(self.count)]
    }
}

/// A move: takes some matches from one stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Take {
    /// The index of the stack, from 0; text counts from 1.
    pub stack: u8,
    /// The number of matches.
    pub amount: u16,
}

/// How a game of Nim begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The number of matches in each stack; for random starts, the highest number.
    pub stacks: Vec<u16>,
    /// How a start is made from `stacks`.
    pub start: Start,
}

/// How a start is made from a list of stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Start {
    /// Exactly these stacks.
    Fixed,
    /// Each stack has from 1 match to its number of matches, all equally likely.
    Random,
    /// One random stack has from 1 match to its number of matches; the others are empty.
    Single,
}

impl crate::Setup for Setup {
    const KEYS: &'static [Described] = &[
        key(
            "stacks",
            "number of matches in each stack, for random starts the highest number; 1 to 8 stacks",
            Allowed::WholeList(1.0, 65535.0),
        ),
        key(
            "start",
            "how a start is made from the stacks",
            Allowed::Choice(&[
                ("fixed", "exactly these stacks"),
                ("random", "each stack has from 1 match to its number, all equally likely"),
                ("single", "one random stack has from 1 match to its number; the others are empty"),
            ]),
        ),
    ];

    fn usual() -> Setup {
        Setup { stacks: vec![3, 5, 7], start: Start::Fixed }
    }

    fn checked(&self) -> Result<(), crate::SetupError> {
        let found = self.stacks.len();
        if !(1..=MOST_STACKS).contains(&found) {
            return Err(crate::SetupError(format!("{found} stacks, but Nim is played with 1 to {MOST_STACKS}")));
        }
        match self.stacks.iter().position(|&stack| stack == 0) {
            Some(place) => {
                Err(crate::SetupError(format!("stack {} has 0 matches, but each needs 1 to 65535", place + 1)))
            }
            None => Ok(()),
        }
    }
}

impl Game for Nim {
    type Move = Take;
    type Setup = Setup;
    const NAME: &'static str = "nim";
    const ABOUT: &'static str = "take any number of matches from one stack; the side that takes the last match loses";
    const ENCODERS: &'static [&'static dyn Encoder<Nim>] = &[&Counts, &Digits];
    const DECODERS: &'static [&'static dyn Decoder<Nim>] = &[&Direct, &Slots];

    fn start(setup: &Setup, rng: &mut Rng) -> Nim {
        let mut game = Nim::new(&setup.stacks);
        let draw = |most: u16, rng: &mut Rng| 1 + rng.below(usize::from(most)) as u16;
        match setup.start {
            Start::Fixed => {}
            Start::Random => {
                for (stack, &most) in game.stacks.iter_mut().zip(&setup.stacks) {
                    *stack = draw(most, rng);
                }
            }
            Start::Single => {
                let chosen = rng.below(setup.stacks.len());
                game.stacks = [0; MOST_STACKS];
                game.stacks[chosen] = draw(setup.stacks[chosen], rng);
            }
        }
        game
    }

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut Vec<Take>) {
        for (stack, &matches) in self.stacks().iter().enumerate() {
            moves.extend((1..=matches).map(|amount| Take { stack: stack as u8, amount }));
        }
    }

    fn count_moves(&self) -> Option<usize> {
        Some(self.stacks().iter().map(|&matches| usize::from(matches)).sum())
    }

    /// Reads the text directly: tall stacks have half a million moves, too many to list.
    fn find_move(&self, text: &str) -> Option<Take> {
        let (stack, amount) = text.split_once(':')?;
        let mv = Take { stack: stack.parse::<u8>().ok()?.checked_sub(1)?, amount: amount.parse().ok()? };
        let matches = *self.stacks().get(usize::from(mv.stack))?;
        // A number can be written in several ways, but a move's text is unique.
        ((1..=matches).contains(&mv.amount) && mv.to_string() == text).then_some(mv)
    }

    fn play(&mut self, mv: Take) {
        self.stacks[usize::from(mv.stack)] -= mv.amount;
        self.side = !self.side;
    }

    fn outcome(&self) -> Option<Outcome> {
        // No matches are left, so the other side took the last one and loses.
        (self.stacks == [0; MOST_STACKS]).then_some(Outcome::Win(self.side))
    }

    fn why_won(&self) -> &'static str {
        "the last match is taken"
    }

    fn key(&self) -> u64 {
        let fold = |key: u64, part: u64| (key ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        let stacks = self.stacks.iter().fold(u64::from(self.count), |key, &stack| fold(key, u64::from(stack)));
        fold(stacks, self.side as u64)
    }

    fn fits(&self, setup: &Setup) -> Result<(), crate::SetupError> {
        let (found, wanted) = (self.stacks().len(), setup.stacks.len());
        if found != wanted {
            let stacks = if found == 1 { "stack" } else { "stacks" };
            return Err(crate::SetupError(format!("{self} has {found} {stacks}, but {wanted} are needed")));
        }
        // A network could be shown larger stacks, but it never learnt to play with them, and no output may name them.
        let over = self.stacks().iter().zip(&setup.stacks).position(|(&stack, &most)| stack > most);
        match over {
            Some(place) => Err(crate::SetupError(format!(
                "stack {} of {self} holds {} matches, but at most {} are possible",
                place + 1,
                self.stacks[place],
                setup.stacks[place]
            ))),
            None => Ok(()),
        }
    }

    fn diagram(&self) -> String {
        const WIDE: u16 = 60;
        let row = |(place, &stack): (usize, &u16)| match stack {
            0..=WIDE => format!("{}  {}", place + 1, "|".repeat(usize::from(stack))).trim_end().to_string(),
            _ => format!("{}  {}… ({stack})", place + 1, "|".repeat(usize::from(WIDE))),
        };
        self.stacks().iter().enumerate().map(row).collect::<Vec<_>>().join("\n")
    }

    fn starts(setup: &Setup, most: usize) -> Option<WeightedStarts<Nim>> {
        let sizes = setup.stacks.iter().map(|&stack| usize::from(stack));
        match setup.start {
            Start::Fixed => Some(vec![(Nim::new(&setup.stacks), 1.0)]),
            Start::Random => {
                let count = sizes.clone().try_fold(1usize, |product, size| product.checked_mul(size))?;
                (count <= most).then(|| {
                    let draw = |mut number: usize| {
                        let mut game = Nim::new(&setup.stacks);
                        for (stack, size) in game.stacks.iter_mut().zip(sizes.clone()) {
                            *stack = 1 + (number % size) as u16;
                            number /= size;
                        }
                        (game, 1.0)
                    };
                    (0..count).map(draw).collect()
                })
            }
            Start::Single => (sizes.clone().sum::<usize>() <= most).then(|| {
                let mut starts = Vec::new();
                for (stack, &size) in setup.stacks.iter().enumerate() {
                    for matches in 1..=size {
                        let mut stacks = vec![0; setup.stacks.len()];
                        stacks[stack] = matches;
                        starts.push((Nim::new(&stacks), 1.0 / f64::from(size)));
                    }
                }
                starts
            }),
        }
    }

    fn positions(setup: &Setup, most: usize) -> Option<Vec<Nim>> {
        if setup.start == Start::Single {
            // One stack leads only to smaller ones, and these are starts, too.
            return Some(Nim::starts(setup, most)?.into_iter().map(|(game, _)| game).collect());
        }
        let sizes = || setup.stacks.iter().map(|&stack| usize::from(stack) + 1);
        let count =
            sizes().try_fold(1usize, |product, size| product.checked_mul(size)).filter(|&count| count <= most)?;
        let position = |mut number: usize| {
            let mut game = Nim::new(&setup.stacks);
            for (stack, size) in game.stacks.iter_mut().zip(sizes()) {
                *stack = (number % size) as u16;
                number /= size;
            }
            game
        };
        // Number 0 is the end: no matches are left.
        Some((1..count).map(position).collect())
    }

    fn for_mover(&self) -> Nim {
        Nim { side: Side::First, ..*self }
    }

    fn move_number(&self, mv: Take) -> usize {
        let before: usize = self.stacks[..usize::from(mv.stack)].iter().map(|&stack| usize::from(stack)).sum();
        before + usize::from(mv.amount) - 1
    }

    fn solver(setup: &Setup) -> Option<Box<dyn Solver<Nim>>> {
        Some(Box::new(NimSolver::new(setup)))
    }
}

impl fmt::Display for Nim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, stack) in self.stacks().iter().enumerate() {
            write!(f, "{}{stack}", if place == 0 { "" } else { "," })?;
        }
        match self.side {
            Side::First => Ok(()),
            Side::Second => write!(f, " second"),
        }
    }
}

impl FromStr for Nim {
    type Err = NotationError;

    /// Reads `3,5,7`, or `3,5,7 second` if the second side is to move.
    fn from_str(text: &str) -> Result<Nim, NotationError> {
        let mut words = text.split_whitespace();
        let (stacks, side) = (words.next().unwrap_or(""), words.next().unwrap_or("first"));
        let side = Side::BOTH.into_iter().find(|known| known.name() == side && words.next().is_none());
        let stacks: Option<Vec<u16>> = stacks.split(',').map(|stack| stack.parse().ok()).collect();
        match (stacks, side) {
            (Some(stacks), Some(side)) if stacks.len() <= MOST_STACKS => Ok(Nim { side, ..Nim::new(&stacks) }),
            _ => Err(NotationError(format!(
                "`{}` is no position of Nim; expected 1 to {MOST_STACKS} stacks of 0 to 65535 matches, such as `3,5,7` or `3,5,7 second`",
                shown(text)
            ))),
        }
    }
}

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.stack + 1, self.amount)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Setup as _;
    use chance::rng_for;

    #[track_caller]
    fn check_moves(position: &str, expected: &str) {
        let mut moves = Vec::new();
        position.parse::<Nim>().unwrap().legal_moves(&mut moves);
        let text: Vec<String> = moves.iter().map(|mv| mv.to_string()).collect();
        assert_eq!(text.join(" "), expected);
    }

    #[test]
    fn any_number_from_one_stack() {
        check_moves("2,0,3", "1:1 1:2 3:1 3:2 3:3");
        check_moves("1", "1:1");
        check_moves("0,0", "");
    }

    #[test]
    fn moves_are_found_as_if_they_were_listed() {
        let game = Nim::new(&[2, 0, 3]);
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        assert_eq!(game.count_moves(), Some(moves.len()));
        for text in [
            "1:1", "1:2", "1:3", "1:0", "0:1", "2:1", "3:3", "3:4", "4:1", "9:1", "256:1", "01:1", "+1:1", "1:+1",
            "1: 1", "1:1:1", ":", "",
        ] {
            assert_eq!(game.find_move(text), moves.iter().copied().find(|mv| mv.to_string() == text), "{text}");
        }
    }

    #[test]
    fn the_last_match_loses() {
        let mut game = Nim::new(&[2]);
        game.play(Take { stack: 0, amount: 1 });
        assert_eq!(game.outcome(), None);
        game.play(Take { stack: 0, amount: 1 });
        assert_eq!(game.outcome(), Some(Outcome::Win(Side::First)));
    }

    #[track_caller]
    fn check_refused(position: &str) {
        let error = position.parse::<Nim>().unwrap_err();
        assert!(error.0.contains("such as"), "{error}");
    }

    #[test]
    fn text_that_is_no_position() {
        for text in ["", "a", "1,,2", "-1", "65536", "1,2,3,4,5,6,7,8,9", "3 third", "3 second first", "3;4", "second"]
        {
            check_refused(text);
        }
    }

    #[track_caller]
    fn check_starts(stacks: &[u16], start: Start, count: usize) {
        let setup = Setup { stacks: stacks.to_vec(), start };
        setup.checked().unwrap();
        let starts = Nim::starts(&setup, 1000).unwrap();
        assert_eq!(starts.len(), count);
        assert!(Nim::starts(&setup, count - 1).is_none() || start == Start::Fixed);
        let total: f64 = starts.iter().map(|(_, weight)| weight).sum();
        let mut rng = rng_for(3, &[]);
        let mut seen = vec![0.0; count];
        const DRAWS: usize = 20_000;
        for _ in 0..DRAWS {
            let game = Nim::start(&setup, &mut rng);
            seen[starts.iter().position(|(known, _)| *known == game).unwrap()] += 1.0 / DRAWS as f64;
        }
        for ((game, weight), share) in starts.iter().zip(seen) {
            assert!((weight / total - share).abs() < 0.02, "{game}: {share} drawn, {} expected", weight / total);
        }
    }

    #[test]
    fn starts_are_those_that_are_drawn() {
        check_starts(&[3, 5, 7], Start::Fixed, 1);
        check_starts(&[4, 4], Start::Random, 16);
        check_starts(&[8], Start::Random, 8);
        check_starts(&[2, 4], Start::Single, 6);
    }

    #[test]
    fn impossible_setups_get_a_sentence() {
        let refused = |stacks: &[u16]| Setup { stacks: stacks.to_vec(), start: Start::Fixed }.checked().unwrap_err().0;
        assert_eq!(refused(&[]), "0 stacks, but Nim is played with 1 to 8");
        assert_eq!(refused(&[3, 0]), "stack 2 has 0 matches, but each needs 1 to 65535");
        assert_eq!(refused(&[1; 9]), "9 stacks, but Nim is played with 1 to 8");
    }
}
