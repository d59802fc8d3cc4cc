//! Tests of ratings: known cases, and the coverage of the intervals.

use super::*;
use chance::{Rng, rng_for};
use games::{Outcome, Side};

const WON: [Outcome; 2] = [Outcome::Win(Side::First), Outcome::Win(Side::Second)];
const LOST: [Outcome; 2] = [Outcome::Win(Side::Second), Outcome::Win(Side::First)];
const DRAWN: [Outcome; 2] = [Outcome::Draw, Outcome::Draw];
const NONE: Rating = Rating { elo: None, low: None, high: None };

/// A match with these numbers of pairs won, drawn and lost.
fn played(first: usize, second: usize, pairs: [u32; 3]) -> Match {
    let mut score = MatchScore::default();
    for (pair, count) in [WON, DRAWN, LOST].into_iter().zip(pairs) {
        (0..count).for_each(|_| score.add_pair(pair));
    }
    Match { first, second, score }
}

#[track_caller]
fn check(players: usize, matches: &[Match], expected: &[f64]) {
    let found = ratings(players, 0, matches);
    for (rating, expected) in found.iter().zip(expected) {
        let (elo, low, high) = (rating.elo.unwrap(), rating.low.unwrap(), rating.high.unwrap());
        assert!((elo - expected).abs() < 0.001, "{elo} instead of {expected}");
        assert!(*expected == 0.0 || low < elo && elo < high, "{rating:?}");
    }
    assert_eq!(found.len(), expected.len());
}

#[test]
fn known_ratings() {
    check(2, &[played(1, 0, [75, 0, 25])], &[0.0, 190.848]);
    check(2, &[played(0, 1, [75, 0, 25])], &[0.0, -190.848]);
    check(2, &[played(0, 1, [10, 7, 10])], &[0.0, 0.0]);
    check(2, &[played(0, 1, [0, 50, 0])], &[0.0, 0.0]);
    check(2, &[played(1, 0, [20, 50, 5]), played(0, 1, [0, 0, 25])], &[0.0, 147.191]);
    check(3, &[played(1, 0, [75, 0, 25]), played(1, 2, [25, 0, 75])], &[0.0, 190.848, 381.697]);
    // All three shares fit the same ratings: 3 : 1, 3 : 1 and 9 : 1.
    let ring = [played(1, 0, [30, 0, 10]), played(2, 1, [9, 6, 1]), played(2, 0, [8, 2, 0])];
    check(3, &ring, &[0.0, 190.848, 381.697]);
}

#[test]
fn with_one_opponent_as_in_a_single_match() {
    for pairs in [[60, 20, 20], [50, 10, 40], [95, 4, 1], [0, 1, 99], [100, 0, 0]] {
        let (alone, one) = (played(1, 0, pairs).score.rating(), ratings(2, 0, &[played(1, 0, pairs)])[1]);
        let near = |a: Option<f64>, b: Option<f64>, most: f64| match (a, b) {
            (Some(a), Some(b)) => (a - b).abs() < most,
            (a, b) => a == b,
        };
        assert!(near(alone.elo, one.elo, 1e-3) && near(alone.low, one.low, 9.0), "{alone:?} {one:?}");
        assert!(near(alone.high, one.high, 9.0), "{alone:?} {one:?}");
    }
}

/// Tallies add up the pairs of all matches between two players, in either order.
#[test]
fn tallies_add_up_pairs() {
    for pairs in [[1, 0, 0], [0, 3, 0], [60, 20, 20], [3, 2, 900]] {
        let [won, drawn, lost] = pairs.map(f64::from);
        for (first, won) in [(0, won), (1, lost)] {
            let one = played(first, 1 - first, pairs);
            let tally = tallies(2, &[one, one])[&(0, 1)];
            assert_eq!(tally.pairs, 2.0 * f64::from(pairs.iter().sum::<u32>()));
            assert!((tally.shares - 2.0 * (won + 0.5 * drawn)).abs() < 1e-9, "{pairs:?}");
            assert!((tally.squares - 2.0 * (won + 0.25 * drawn)).abs() < 1e-9, "{pairs:?}");
        }
    }
}

/// For three players, both ends of the interval can also be found by fitting the middle player with bisection.
#[test]
fn bounds_agree_with_plain_arithmetic() {
    for last in [[9, 1, 0], [10, 0, 0]] {
        let matches = [played(1, 0, [15, 5, 8]), played(2, 1, last), played(2, 0, [10, 0, 0])];
        let scale = Scale::new(3, 0, &tallies(3, &matches));
        let rating = ratings(3, 0, &matches)[2];
        let top = scale.above[2].unwrap();
        let off = |elo: f64| {
            let strength = elo * std::f64::consts::LN_10 / 400.0;
            // The points that the top and the middle player won beyond those expected, and the information matrix.
            let look = |middle: f64| {
                let (mut pulls, mut matrix) = ([0.0; 2], [0.0; 3]);
                for link in &scale.links {
                    let of = |node| {
                        if node == top {
                            strength
                        } else if node == 2 {
                            0.0
                        } else {
                            middle
                        }
                    };
                    let p = 1.0 / (1.0 + (of(link.second) - of(link.first)).exp());
                    let worth = link.won + link.lost;
                    for (node, sign) in [(link.first, 1.0), (link.second, -1.0)].into_iter().filter(|n| n.0 < 2) {
                        pulls[usize::from(node != top)] += sign * (link.won - worth * p);
                        matrix[usize::from(node != top)] += worth * p * (1.0 - p);
                    }
                    if link.first.max(link.second) < 2 {
                        matrix[2] -= worth * p * (1.0 - p);
                    }
                }
                (pulls, matrix)
            };
            let (mut low, mut high) = (-50.0, 50.0);
            for _ in 0..100 {
                let middle = 0.5 * (low + high);
                *(if look(middle).0[1] > 0.0 { &mut low } else { &mut high }) = middle;
            }
            let ([pull, _], [a, b, c]) = look(low);
            pull * (b / (a * b - c * c)).sqrt()
        };
        assert!((off(rating.low.unwrap()) - Z).abs() < 1e-3, "{rating:?}");
        assert_eq!(rating.high.is_some(), last[1] > 0);
        rating.high.inspect(|&high| assert!((off(high) + Z).abs() < 1e-3, "{rating:?}"));
    }
}

#[test]
fn one_sided_scores_have_one_bound() {
    // 1 won everything, 2 lost everything, 3 and 4 are equal but lost everything to 0, and 5 only beat 2.
    let matches = [
        played(1, 0, [20, 0, 0]),
        played(1, 2, [20, 0, 0]),
        played(2, 0, [0, 0, 20]),
        played(3, 0, [0, 0, 50]),
        played(3, 4, [10, 5, 10]),
        played(5, 2, [20, 0, 0]),
    ];
    let found = ratings(7, 0, &matches);
    let shape = |r: &Rating| (r.elo.is_some(), r.low.is_some(), r.high.is_some());
    let (all, none, low, high) =
        ((true, true, true), (false, false, false), (false, true, false), (false, false, true));
    assert_eq!(found.iter().map(shape).collect::<Vec<_>>(), [all, low, high, high, high, none, none]);
    assert!(found[1].low.unwrap() > 100.0 && found[2].high.unwrap() < -100.0, "{found:?}");
    assert!(found[3].high.unwrap() < -400.0 && found[4].high.unwrap() < found[3].high.unwrap() + 150.0, "{found:?}");
    // A single draw by way of others is enough for both bounds.
    let more = [&matches[..], &[played(5, 6, [0, 1, 0]), played(6, 0, [0, 1, 0])]].concat();
    assert!(ratings(7, 0, &more)[5..].iter().all(|r| r.elo.is_some()), "{:?}", ratings(7, 0, &more));
    // A ladder in which each player won all games against the next.
    let ladder: Vec<Match> = (1..60).map(|place| played(place, place - 1, [100, 0, 0])).collect();
    let found = ratings(60, 0, &ladder);
    assert!(found[1..].iter().all(|r| shape(r) == low && r.low.unwrap() > 400.0), "{found:?}");
    assert!(found.is_sorted_by(|a, b| a.low <= b.low), "{found:?}");
}

#[test]
fn invalid_matches_are_ignored() {
    assert_eq!(ratings(0, 0, &[]), []);
    assert_eq!(ratings(1, 0, &[]), [Rating { elo: Some(0.0), low: Some(0.0), high: Some(0.0) }]);
    assert_eq!(ratings(2, 0, &[])[1], NONE);
    assert_eq!(ratings(2, 7, &[played(0, 1, [1, 2, 3])]), [NONE; 2]);
    let silly = [played(0, 1, [0, 0, 0]), played(1, 1, [3, 2, 1]), played(0, 2, [1, 2, 3]), played(9, 1, [1, 2, 3])];
    assert_eq!(ratings(2, 0, &silly)[1], NONE);
    let mut broken = played(0, 1, [0, 0, 0]);
    broken.score.wins = 5;
    assert_eq!(ratings(2, 0, &[broken])[1], NONE);
    for pairs in [[1, 0, 0], [0, 1, 0], [0, 0, 1]] {
        let one = ratings(2, 0, &[played(1, 0, pairs)])[1];
        assert!(one.low.into_iter().chain(one.high).all(|end| end.is_finite() && end.abs() < 2000.0), "{one:?}");
    }
    let long = ratings(2, 0, &[played(1, 0, [1_000_000, 0, 1])])[1];
    assert!(long.high.unwrap() > 2400.0 && long.low.unwrap() < 2400.0 && long.low.unwrap() > 1800.0, "{long:?}");
}

/// Few games, most of them one-sided, between random players.
#[test]
fn ends_are_finite_and_in_order() {
    let rng = &mut rng_for(9, &[]);
    for _ in 0..2000 {
        let players = 2 + rng.below(12);
        let matches: Vec<Match> = (0..rng.below(3 * players))
            .map(|_| {
                let case = Case { draws: rng.unit(), alike: rng.unit(), pairs: 1 + rng.below(6) as u32, players };
                let score = play(1000.0 * f64::from(rng.gaussian()), &case, rng);
                Match { first: rng.below(players), second: rng.below(players), score }
            })
            .collect();
        for rating in ratings(players, 0, &matches) {
            let ends: Vec<f64> = [rating.low, rating.elo, rating.high].into_iter().flatten().collect();
            assert!(ends.is_sorted() && ends.iter().all(|end| end.abs() < 20_000.0), "{rating:?} {matches:?}");
            assert_eq!(rating.elo.is_some(), rating.low.is_some() && rating.high.is_some());
        }
    }
}

/// How tournaments are drawn: the share of draws, the share of second games that repeat the first, and pairs per match.
struct Case {
    draws: f64,
    alike: f64,
    pairs: u32,
    players: usize,
}

/// A random match at this difference in strength; the expected share of points is Elo's.
fn play(lead: f64, case: &Case, rng: &mut Rng) -> MatchScore {
    let expected = 1.0 / (1.0 + 10f64.powf(-lead / 400.0));
    let draw = case.draws * 2.0 * expected.min(1.0 - expected);
    let chances = [expected - 0.5 * draw, draw, 1.0 - expected - 0.5 * draw];
    let outcome = |side: Side, result: usize| [Outcome::Win(side), Outcome::Draw, Outcome::Win(!side)][result];
    let mut score = MatchScore::default();
    for _ in 0..case.pairs {
        let [one, other] = [(); 2].map(|()| rng.weighted(&chances).unwrap());
        let second = if rng.unit() < case.alike { one } else { other };
        score.add_pair([outcome(Side::First, one), outcome(Side::Second, second)]);
    }
    score
}

/// Players from 0 to about 1500 Elo play against their neighbours and against some distant players.
fn tournament(case: &Case, rng: &mut Rng) -> (Vec<f64>, Vec<Match>) {
    let step = 1500.0 / (case.players - 1) as f64;
    let truth: Vec<f64> = (0..case.players)
        .map(|place| if place == 0 { 0.0 } else { step * (place as f64 + 0.3 * f64::from(rng.gaussian())) })
        .collect();
    let mut matches = Vec::new();
    for first in 1..case.players {
        let mut meet = |second: usize| {
            let score = play(truth[first] - truth[second], case, rng);
            matches.push(Match { first, second, score });
        };
        meet(first - 1);
        if first % 3 == 0 {
            meet(first - 3);
        }
        if first == case.players / 2 {
            meet(0);
        }
    }
    (truth, matches)
}

/// Intervals must contain the true rating in 95 of 100 cases, over all players and for the strongest alone.
#[test]
fn the_intervals_hold_the_truth() {
    let cases = [
        Case { draws: 0.0, alike: 0.0, pairs: 10, players: 11 },
        Case { draws: 0.5, alike: 0.0, pairs: 10, players: 11 },
        Case { draws: 0.3, alike: 0.5, pairs: 10, players: 11 },
        Case { draws: 0.3, alike: 0.5, pairs: 100, players: 11 },
        Case { draws: 0.9, alike: 0.0, pairs: 25, players: 16 },
        Case { draws: 0.3, alike: 1.0, pairs: 50, players: 6 },
        Case { draws: 0.2, alike: 0.0, pairs: 50, players: 4 },
        Case { draws: 0.2, alike: 0.2, pairs: 100, players: 3 },
    ];
    for (number, case) in cases.iter().enumerate() {
        let rng = &mut rng_for(7, &[number as u64]);
        let mut held = vec![0u32; case.players];
        for _ in 0..1000 {
            let (truth, matches) = tournament(case, rng);
            for ((held, rating), truth) in held.iter_mut().zip(ratings(case.players, 0, &matches)).zip(truth) {
                let holds = rating.low.is_none_or(|low| low <= truth) && rating.high.is_none_or(|h| truth <= h);
                *held += u32::from(holds);
            }
        }
        let all = f64::from(held[1..].iter().sum::<u32>()) / (1000 * (case.players - 1)) as f64;
        let best = f64::from(held[case.players - 1]) / 1000.0;
        assert!((0.93..=0.98).contains(&all), "case {number}: {all}");
        assert!((0.93..=0.98).contains(&best), "case {number}, the strongest: {best}");
    }
}

#[test]
fn many_players_fit_their_strengths() {
    for (players, yardsticks, far) in [(67, 7, 0), (100, 0, 1000)] {
        let rng = &mut rng_for(8, &[players as u64]);
        let case = Case { draws: 0.3, alike: 0.2, pairs: 25, players };
        let (truth, mut matches) = tournament(&case, rng);
        let yards = (1..players).flat_map(|first| (0..yardsticks).map(move |n| (first, n * players / yardsticks)));
        let others: Vec<_> = (0..far).map(|_| (rng.below(players), rng.below(players))).chain(yards).collect();
        for (first, second) in others {
            matches.push(Match { first, second, score: play(truth[first] - truth[second], &case, rng) });
        }
        let found = ratings(players, 0, &matches);
        let near = found.iter().zip(truth).filter(|(rating, truth)| (rating.elo.unwrap() - truth).abs() < 100.0);
        assert!(near.count() > players * 9 / 10);
    }
}
