//! Births of genomes in a compact form: when each genome was born, and of which parents. Births are most of the data of
//! a long run.
//!
//! A row of the table `births` contains up to [`MOST`] births with consecutive numbers. Each parent and each species is
//! one letter: the code of the letter is the number less the column's base, plus 2. The view `birth` in
//! `run_schema.sql` decodes them in plain SQL. With a hundred births in a generation, most letters take one byte.

use super::rows::BIRTHS;
use crate::database::Damaged;
use rusqlite::{Connection, OptionalExtension, Row};
use trainer::Birth;

/// The most births in a row. There are not more, because SQLite reads all letters before the one that it looks for.
pub(super) const MOST: usize = 256;
/// The first of the codes that are not characters (surrogates), which UTF-8 cannot encode.
const GAP: u64 = 0xd800;
/// The number of these codes.
const GAP_SIZE: u64 = 0x800;
/// The largest number that one letter can encode.
const MOST_TOLD: u64 = 0x10_ffff - GAP_SIZE - 1;

/// Some births with consecutive numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Block {
    first: u64,
    generation: u64,
    /// The smallest numbers of the first parents, the second parents and the species.
    bases: [u64; 3],
    /// For the first parents, the second parents and the species: one letter for each birth.
    letters: [String; 3],
}

/// Packs the births of one generation into blocks.
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

/// The number of births, from the first on, that fit into one block.
fn fitting(births: &[Birth]) -> usize {
    let mut bounds = columns(&births[0]).map(|value| (value, value));
    let fits = |(place, birth): &(usize, &Birth)| {
        for (value, (low, high)) in columns(birth).into_iter().zip(&mut bounds) {
            // 0 means that there is no parent. It has its own letter, whatever the base is.
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

    /// The generation of the births.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Unpacks all births.
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

/// The letter for a number. 0 is the letter with code 1; the base is the letter with code 2.
fn letter(value: u64, base: u64) -> char {
    let offset = if value == 0 { 1 } else { value - base + 2 };
    let code = if offset < GAP { offset } else { offset + GAP_SIZE };
    char::from_u32(code as u32).expect("numbers in a block are close enough for one letter each")
}

/// The number for a letter.
fn number(letter: char, base: u64) -> u64 {
    let code = u64::from(u32::from(letter));
    let offset = if code < GAP { code } else { code - GAP_SIZE };
    if offset < 2 { 0 } else { base.saturating_add(offset - 2) }
}

/// The block with the largest first number up to `genome`. It contains the birth of this genome if that was recorded.
pub(super) fn block_of(connection: &Connection, genome: u64) -> rusqlite::Result<Option<Block>> {
    let sql = "select * from births where first <= ? order by first desc limit 1";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row([genome.min(i64::MAX as u64) as i64], |row| match BIRTHS.is_intact(row)? {
        true => Block::read(row),
        false => Err(Damaged { what: BIRTHS.name_of(row) }.into()),
    });
    found.optional()
}

/// The number of the last genome whose birth is recorded; 0 if there is none.
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

    /// Packs births and reads them back, with this program and with the view in SQL.
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
    fn packed_births_are_read_back() {
        check(&[], 0);
        check(&[birth(1, 0, 0, 1)], 1);
        check(&[birth(1, 0, 0, 1), birth(2, 0, 0, 2), birth(4, 1, 2, 3)], 2);
        check(&[birth(100, 99, 99, 1), birth(101, 1, 0, 1), birth(102, 98, 57_345, 500)], 1);
        // Numbers that are too far apart for one base.
        check(&[birth(9_000_000, 1, 2, 1), birth(9_000_001, 8_999_999, 1, 1)], 2);
        check(&[birth(9_000_000, 1, 2, 1), birth(9_000_001, MOST_TOLD, 1, 1)], 1);
        check(&[birth(9_000_000, 1, 2, 1), birth(9_000_001, MOST_TOLD + 1, 1, 1)], 2);
        let all: Vec<Birth> = (1..=600).map(|genome| birth(genome, genome / 2, genome - 1, genome % 7)).collect();
        check(&all, 3);
    }

    #[test]
    fn random_births_are_read_back() {
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
