//! Who was born when, of whom, in little room: births are most of what a long run has to tell.
//!
//! A row of the table `births` holds up to [`MOST`] births with numbers one after the other. Parents and species are
//! each told by one letter: the number of that letter, less the column's base, as the view `birth` in `run_schema.sql`
//! reads them in plain SQL. Of a hundred births a letter mostly takes one byte.

use super::rows::BIRTHS;
use crate::database::Damaged;
use rusqlite::{Connection, OptionalExtension, Row};
use trainer::Birth;

/// How many births a row holds at most: to find a letter SQLite goes through all before it.
pub(super) const MOST: usize = 256;
/// Letters that are no letters, which UTF-8 leaves out.
const GAP: u64 = 0xd800;
const GAP_SIZE: u64 = 0x800;
/// The greatest number that one letter can tell.
const MOST_TOLD: u64 = 0x10_ffff - GAP_SIZE - 1;

/// Some births, one number after the other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Block {
    first: u64,
    generation: u64,
    /// What is added to the numbers of first parents, of second parents and of species.
    bases: [u64; 3],
    /// By birth.
    letters: [String; 3],
}

/// Births of one generation as blocks.
pub(super) fn packed(births: &[Birth]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut rest = births;
    while !rest.is_empty() {
        let (some, others) = rest.split_at(fitting(rest));
        blocks.push(Block::new(some));
        rest = others;
    }
    blocks
}

/// How many of the first births go into one block.
fn fitting(births: &[Birth]) -> usize {
    let mut bounds = columns(&births[0]).map(|value| (value, value));
    let fits = |(place, birth): &(usize, &Birth)| {
        for (value, (low, high)) in columns(birth).into_iter().zip(&mut bounds) {
            // None of the parents is 0, which is told as 0 whatever the base is.
            if value != 0 {
                *low = if *low == 0 { value } else { value.min(*low) };
                *high = value.max(*high);
            }
        }
        let in_order = birth.genome == births[0].genome + *place as u64 && birth.generation == births[0].generation;
        in_order && bounds.iter().all(|(low, high)| high - low < MOST_TOLD)
    };
    births.iter().take(MOST).enumerate().take_while(fits).count().max(1)
}

fn columns(birth: &Birth) -> [u64; 3] {
    [birth.parents[0], birth.parents[1], birth.species]
}

impl Block {
    fn new(births: &[Birth]) -> Block {
        let bases = [0, 1, 2].map(|column| {
            births.iter().map(|birth| columns(birth)[column]).filter(|value| *value != 0).min().unwrap_or(0)
        });
        let letters = [0, 1, 2]
            .map(|column| births.iter().map(|birth| letter(columns(birth)[column], bases[column])).collect::<String>());
        Block { first: births[0].genome, generation: births[0].generation, bases, letters }
    }

    pub fn read(row: &Row) -> rusqlite::Result<Block> {
        let number = |column| BIRTHS.number(row, column);
        let letters = |column| BIRTHS.value(row, column);
        Ok(Block {
            first: number("first")?,
            generation: number("generation")?,
            bases: [number("parent_one_base")?, number("parent_two_base")?, number("species_base")?],
            letters: [letters("parent_one")?, letters("parent_two")?, letters("species")?],
        })
    }

    pub fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let Block { first, generation, bases: [one, two, species], letters: [ones, twos, all_species] } = self;
        let numbers = [*first, *generation, self.count(), *one, *two, *species].map(|number| number as i64);
        let [first, generation, count, one, two, species] = &numbers;
        BIRTHS.insert(connection, &[first, generation, count, one, ones, two, twos, species, all_species])
    }

    pub fn count(&self) -> u64 {
        self.letters[0].chars().count() as u64
    }

    /// The generation of its births.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// All births.
    pub fn births(&self) -> Vec<Birth> {
        let [ones, twos, species] = [0, 1, 2].map(|column| {
            self.letters[column].chars().map(move |letter| number(letter, self.bases[column])).collect::<Vec<u64>>()
        });
        let birth = |((place, one), (two, species)): ((usize, &u64), (&u64, &u64))| Birth {
            genome: self.first + place as u64,
            generation: self.generation,
            parents: [*one, *two],
            species: *species,
        };
        ones.iter().enumerate().zip(twos.iter().zip(&species)).map(birth).collect()
    }
}

/// 0 is the letter 1; the base is the letter 2.
fn letter(value: u64, base: u64) -> char {
    let told = if value == 0 { 1 } else { value - base + 2 };
    let code = if told < GAP { told } else { told + GAP_SIZE };
    char::from_u32(code as u32).expect("blocks hold what letters can tell")
}

fn number(letter: char, base: u64) -> u64 {
    let code = u64::from(u32::from(letter));
    let told = if code < GAP { code } else { code - GAP_SIZE };
    if told < 2 { 0 } else { base.saturating_add(told - 2) }
}

/// The block that holds a birth, if there is one.
pub(super) fn block_of(connection: &Connection, genome: u64) -> rusqlite::Result<Option<Block>> {
    let sql = "select * from births where first <= ? order by first desc limit 1";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row([genome.min(i64::MAX as u64) as i64], |row| match BIRTHS.is_intact(row)? {
        true => Block::read(row),
        false => Err(Damaged { what: BIRTHS.name_of(row) }.into()),
    });
    found.optional()
}

/// The number of the last genome of which the birth is known; 0 where there is none.
pub(super) fn last_genome(connection: &Connection) -> rusqlite::Result<u64> {
    Ok(block_of(connection, u64::MAX)?.map_or(0, |block| block.first + block.count() - 1))
}

#[cfg(test)]
mod tests {
    use super::super::SCHEMA;
    use super::super::rows::whole;
    use super::*;
    use chance::rng_for;

    fn birth(genome: u64, one: u64, two: u64, species: u64) -> Birth {
        Birth { genome, generation: 7, parents: [one, two], species }
    }

    /// What goes in comes out, by our own reading and by the view's.
    #[track_caller]
    fn check(births: &[Birth], blocks: usize) {
        let found = packed(births);
        assert_eq!(found.len(), blocks);
        assert_eq!(found.iter().flat_map(Block::births).collect::<Vec<_>>(), births);
        let file = Connection::open_in_memory().unwrap();
        file.execute_batch(SCHEMA).unwrap();
        found.iter().for_each(|block| block.write(&file).unwrap());
        let mut statement = file.prepare("select * from birth order by genome").unwrap();
        let rows = statement.query_map([], |row| {
            let parents = [whole(row, 2)?, whole(row, 3)?];
            Ok(Birth { genome: whole(row, 0)?, generation: whole(row, 1)?, parents, species: whole(row, 4)? })
        });
        assert_eq!(rows.unwrap().collect::<Result<Vec<_>, _>>().unwrap(), births);
        assert_eq!(last_genome(&file).unwrap(), births.last().map_or(0, |birth| birth.genome));
        for birth in births {
            let block = block_of(&file, birth.genome).unwrap().unwrap();
            assert!(block.births().contains(birth));
        }
    }

    #[test]
    fn births_go_both_ways() {
        check(&[], 0);
        check(&[birth(1, 0, 0, 1)], 1);
        check(&[birth(1, 0, 0, 1), birth(2, 0, 0, 2), birth(4, 1, 2, 3)], 2);
        check(&[birth(100, 99, 99, 1), birth(101, 1, 0, 1), birth(102, 98, 57_345, 500)], 1);
        // Farther apart than a letter can tell.
        check(&[birth(9_000_000, 1, 2, 1), birth(9_000_001, 8_999_999, 1, 1)], 2);
        check(&[birth(9_000_000, 1, 2, 1), birth(9_000_001, MOST_TOLD, 1, 1)], 1);
        check(&[birth(9_000_000, 1, 2, 1), birth(9_000_001, MOST_TOLD + 1, 1, 1)], 2);
        let all: Vec<Birth> = (1..=600).map(|genome| birth(genome, genome / 2, genome - 1, genome % 7)).collect();
        check(&all, 3);
    }

    #[test]
    fn any_births_go_both_ways() {
        let rng = &mut rng_for(1, &[]);
        for _ in 0..20 {
            let spread = [10, 300, 70_000, 3_000_000][rng.below(4)];
            let mut genome = 4_000_000;
            let mut some = |_| {
                genome += if rng.below(50) == 0 { 3 } else { 1 };
                birth(genome, rng.below(spread) as u64, rng.below(spread) as u64, rng.below(40) as u64)
            };
            let births: Vec<Birth> = (0..300).map(&mut some).collect();
            check(&births, packed(&births).len());
        }
    }
}
