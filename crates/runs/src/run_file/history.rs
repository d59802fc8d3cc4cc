//! Reads the history of a run from its file: reports, champions, games, species, births and genomes.

use super::births::{Block, block_of};
use super::generations::Order;
use super::rows::{BIRTHS, CHAMPION, GAME, GENERATION, GENOME, INHERITANCE, SPECIES, measured, named, whole};
use super::{RunFile, Times, unreadable};
use crate::Error;
use crate::database::broken;
use arena::Exam;
use evolution::Network;
use rusqlite::{OptionalExtension, Row};
use std::sync::Arc;
use trainer::{Birth, GenomeRecord, InheritanceReport, MEASURES, RecordedGame, Report, Source, SpeciesReport};

impl RunFile {
    /// The reports of all generations from this one on. A long run has many: see [`RunFile::each_report`].
    pub fn reports(&self, from: u64) -> Result<Vec<Report>, Error> {
        let mut reports = Vec::new();
        self.each_generation(from, u64::MAX, |row| {
            reports.push(report(row)?);
            Ok(())
        })?;
        Ok(reports)
    }

    /// Calls `hear` with the report of each generation, and with the training time up to then.
    pub fn each_report(&self, mut hear: impl FnMut(Report, Times)) -> Result<(), Error> {
        self.each_generation(1, u64::MAX, |row| {
            hear(report(row)?, times(row)?);
            Ok(())
        })
    }

    /// How long the run has been trained.
    pub fn times(&self) -> Result<Times, Error> {
        Ok(self.newest(|row| times(row).map(Some))?.unwrap_or_default())
    }

    /// The report of the last generation; `None` if none has been played.
    pub fn last_report(&self) -> Result<Option<Report>, Error> {
        self.newest(|row| report(row).map(Some))
    }

    fn newest<T>(&self, read: impl FnMut(&Row) -> rusqlite::Result<Option<T>>) -> Result<Option<T>, Error> {
        self.find_generation(1, u64::MAX, Order::Back, read)
    }

    /// The report of a generation; `None` if it has not been played.
    pub fn report(&self, generation: u64) -> Result<Option<Report>, Error> {
        match generation {
            0 => Ok(None),
            _ => self.find_generation(generation, generation, Order::Forward, |row| report(row).map(Some)),
        }
    }

    /// The newest exam of the run.
    pub fn last_exam(&self) -> Result<Option<Exam>, Error> {
        self.exam_until(u64::MAX)
    }

    /// The newest exam of the run, with the generation whose champion took it.
    pub fn last_examined(&self) -> Result<Option<(u64, Exam)>, Error> {
        self.newest(|row| exam(row)?.map(|exam| Ok((count(row, "generation")?, exam))).transpose())
    }

    /// The newest exam up to this generation.
    pub fn exam_until(&self, generation: u64) -> Result<Option<Exam>, Error> {
        self.find_generation(1, generation, Order::Back, exam)
    }

    /// The first generation whose champion played a perfect move in every position.
    pub fn first_solved(&self) -> Result<Option<u64>, Error> {
        self.first_solved_from(1)
    }

    /// The first generation from this one on whose champion played a perfect move in every position. All rows are read
    /// and checked; a condition in SQL would trust damaged rows and indexes.
    pub fn first_solved_from(&self, generation: u64) -> Result<Option<u64>, Error> {
        self.find_generation(generation, u64::MAX, Order::Forward, |row| {
            let solved: Option<bool> = named(row, "solved")?;
            Ok(if solved == Some(true) { Some(count(row, "generation")?) } else { None })
        })
    }

    /// The champion of a generation, with the generation's number. `None` means the last generation.
    pub fn champion(&self, generation: Option<u64>) -> Result<(u64, Arc<Network>), Error> {
        let read = |row: &Row| Ok((CHAMPION.number(row, "generation")?, CHAMPION.value::<Vec<u8>>(row, "network")?));
        let _moment = self.one_moment()?;
        let wanted = match generation {
            Some(generation) => Some(generation.min(i64::MAX as u64)),
            None => self.played()?,
        };
        let found = match wanted {
            Some(generation) => self.rows(CHAMPION, "where generation = ?", [generation as i64], read)?,
            None => self.rows(CHAMPION, "order by generation desc limit 1", [], read)?,
        };
        if let Some((generation, bytes)) = found.into_iter().next() {
            return Ok((generation, self.network(generation, &bytes)?));
        }
        let last = self.last_report()?.map_or(0, |report| report.generation);
        Err(Error::refused(match (generation, last) {
            (_, 0) => format!("the run `{}` has no champion yet: no generation has been played", self.name()),
            (Some(wanted), last) if wanted == 0 || wanted > last => {
                format!("the run `{}` has no generation {wanted}; it has 1 to {last}", self.name())
            }
            (wanted, last) => return Err(self.lost(&format!("the champion of generation {}", wanted.unwrap_or(last)))),
        }))
    }

    /// Calls `hear` with the generation and the stored bytes of each champion.
    pub(super) fn each_champion(&self, mut hear: impl FnMut(u64, &[u8])) -> Result<(), Error> {
        self.each_row(CHAMPION, "order by generation", [], |row| {
            hear(CHAMPION.number(row, "generation")?, row.get_ref(CHAMPION.place("network"))?.as_blob()?);
            Ok(())
        })
    }

    pub(super) fn network(&self, generation: u64, bytes: &[u8]) -> Result<Arc<Network>, Error> {
        let read: Result<Network, _> = postcard::from_bytes(bytes);
        read.map(Arc::new).map_err(|_| Error::Damaged {
            file: self.path.clone(),
            what: format!(
                "the champion of generation {generation} cannot be read: its bytes are not those of a network"
            ),
        })
    }

    /// The kept games of a generation. `None` means the last generation with kept games.
    pub fn games(&self, generation: Option<u64>) -> Result<Vec<RecordedGame>, Error> {
        let _moment = self.one_moment()?;
        let generation = match generation {
            Some(generation) => Some(generation.min(i64::MAX as u64)),
            None => self.nearest_games(u64::MAX, Order::Back)?,
        };
        let Some(generation) = generation else { return Ok(Vec::new()) };
        let games = self.rows(GAME, "where generation = ? order by number", [generation as i64], game)?;
        self.expect_kept("kept_games", "games", generation, games.len())?;
        Ok(games)
    }

    /// The nearest generation with kept games: this one, or the next one in the given order.
    fn nearest_games(&self, generation: u64, order: Order) -> Result<Option<u64>, Error> {
        if self.has_checksums() {
            return self.nearest_kept("kept_games", generation, order);
        }
        let query_end = match order {
            Order::Forward => "where generation >= ? order by generation limit 1",
            Order::Back => "where generation <= ? order by generation desc limit 1",
        };
        let found =
            self.rows(GAME, query_end, [generation.min(i64::MAX as u64) as i64], |row| GAME.number(row, "generation"))?;
        Ok(found.into_iter().next())
    }

    /// Three generations with kept games: the first, the last, and the last one up to `generation` (or else the first).
    /// Returns `None` if no games are kept.
    pub fn generations_with_games(&self, generation: u64) -> Result<Option<(u64, u64, u64)>, Error> {
        let _moment = self.one_moment()?;
        let first = self.nearest_games(1, Order::Forward)?;
        let Some((first, last)) = first.zip(self.nearest_games(u64::MAX, Order::Back)?) else { return Ok(None) };
        let nearest = self.nearest_games(generation, Order::Back)?;
        Ok(Some((first, last, nearest.unwrap_or(first))))
    }

    /// The species of a generation.
    pub fn species(&self, generation: u64) -> Result<Vec<SpeciesReport>, Error> {
        let _moment = self.one_moment()?;
        let wanted = "where generation = ? order by species";
        let found = self.rows(SPECIES, wanted, [generation.min(i64::MAX as u64) as i64], species)?;
        self.expect_kept("kept_species", "species", generation, found.len())?;
        Ok(found)
    }

    /// Calls `hear` with each species of each generation.
    pub fn each_species(&self, mut hear: impl FnMut(SpeciesReport)) -> Result<(), Error> {
        let _moment = self.one_moment()?;
        let mut count = 0;
        self.each_row(SPECIES, "order by generation, species", [], |row| {
            hear(species(row)?);
            count += 1;
            Ok(())
        })?;
        self.expect_all_kept("kept_species", "records of species", count)
    }

    /// Calls `hear` with the records of inheritance of each generation: how the networks did that came into it by
    /// mutation, crossover or other ways.
    pub fn each_inheritance(&self, mut hear: impl FnMut(InheritanceReport)) -> Result<(), Error> {
        let _moment = self.one_moment()?;
        let mut count = 0;
        self.each_row(INHERITANCE, "order by generation, way", [], |row| {
            hear(inheritance(row)?);
            count += 1;
            Ok(())
        })?;
        self.expect_all_kept("kept_ways", "records of inheritance", count)
    }

    /// The ancestors of a genome back to the first generation, always by the fitter parent. The first entry is the
    /// genome itself.
    pub fn ancestry(&self, genome: u64) -> Result<Vec<Birth>, Error> {
        let mut line: Vec<Birth> = Vec::new();
        let mut next = genome;
        while next != 0 {
            let Some(birth) = self.birth(next).map_err(|error| broken(&self.path, error))? else {
                self.expect_all_births(next)?;
                break;
            };
            // Parents have lower numbers. Anything else is damage, which must not lead to an endless loop.
            next = if birth.parents[0] < birth.genome { birth.parents[0] } else { 0 };
            line.push(birth);
        }
        Ok(line)
    }

    /// Returns an error if births of the run are lost. `genome` is the one whose birth was not found.
    fn expect_all_births(&self, genome: u64) -> Result<(), Error> {
        let _moment = self.one_moment()?;
        let (mut kept, mut found) = (0, 0);
        self.each_generation(1, u64::MAX, |row| {
            kept += named::<Option<i64>>(row, "kept_births")?.unwrap_or(0) as u64;
            Ok(())
        })?;
        if kept == 0 {
            return Ok(());
        }
        self.each_row(BIRTHS, "", [], |row| {
            found += Block::read(row)?.count();
            Ok(())
        })?;
        if found >= kept {
            return Ok(());
        }
        let what =
            format!("the birth of genome {genome} is lost: the file has {found} births, but {kept} were written");
        Err(self.damaged(what))
    }

    /// Returns an error if births of the last generation are lost. Without them, the births of the next generation
    /// cannot be distinguished from older ones.
    pub(super) fn expect_last_births(&self) -> Result<(), Error> {
        let Some((generation, kept)) = self.newest(|row| {
            let kept = named::<Option<i64>>(row, "kept_births")?.filter(|kept| *kept > 0);
            Ok(Some(count(row, "generation")?).zip(kept.map(|kept| kept as u64)))
        })?
        else {
            return Ok(());
        };
        let mut found = 0;
        self.find_row(BIRTHS, "order by first desc", [], |row| {
            let block = Block::read(row)?;
            let is_older = block.generation() < generation;
            found += if is_older { 0 } else { block.count() };
            Ok(is_older.then_some(()))
        })?;
        if found == kept {
            return Ok(());
        }
        let what =
            format!("generation {generation} has {found} births, but {kept} were written; the run cannot be resumed");
        Err(self.damaged(what))
    }

    fn birth(&self, genome: u64) -> rusqlite::Result<Option<Birth>> {
        if self.has_checksums() {
            let block = block_of(&self.connection, genome)?;
            return Ok(block.and_then(|block| block.births().into_iter().find(|birth| birth.genome == genome)));
        }
        let mut statement = self.connection.prepare_cached("select * from birth where genome = ?")?;
        let read = |row: &Row| {
            let parents = [whole(row, 2)?, whole(row, 3)?];
            Ok(Birth { genome: whole(row, 0)?, generation: whole(row, 1)?, parents, species: whole(row, 4)? })
        };
        statement.query_row([genome.min(i64::MAX as u64) as i64], read).optional()
    }

    /// All genomes of a generation as text; the list is empty if they were not kept.
    pub fn genomes(&self, generation: u64) -> Result<Vec<GenomeRecord>, Error> {
        let _moment = self.one_moment()?;
        let wanted = "where generation = ? order by place";
        let genomes = self.rows(GENOME, wanted, [generation.min(i64::MAX as u64) as i64], genome)?;
        self.expect_kept("kept_genomes", "genomes", generation, genomes.len())?;
        Ok(genomes)
    }
}

/// A row of the table `game`.
pub(super) fn game(row: &Row) -> rusqlite::Result<RecordedGame> {
    Ok(RecordedGame {
        generation: GAME.number(row, "generation")?,
        number: GAME.number(row, "number")?,
        first: GAME.number(row, "first")?,
        second: GAME.number(row, "second")?,
        start: GAME.value(row, "start")?,
        moves: GAME.value::<String>(row, "moves")?.split_whitespace().map(str::to_string).collect(),
        illegal: GAME.value(row, "illegal")?,
        outcome: GAME.value(row, "outcome")?,
    })
}

/// A row of the table `genome`.
pub(super) fn genome(row: &Row) -> rusqlite::Result<GenomeRecord> {
    Ok(GenomeRecord {
        place: GENOME.number(row, "place")?,
        genome: GENOME.number(row, "genome")?,
        species: GENOME.number(row, "species")?,
        score: GENOME.value(row, "score")?,
        text: GENOME.value(row, "text")?,
    })
}

/// A row of the table `inheritance`.
pub(super) fn inheritance(row: &Row) -> rusqlite::Result<InheritanceReport> {
    Ok(InheritanceReport {
        generation: INHERITANCE.number(row, "generation")?,
        way: INHERITANCE.value(row, "way")?,
        count: INHERITANCE.number(row, "count")?,
        improved: INHERITANCE.number(row, "improved")?,
        stayed: INHERITANCE.number(row, "stayed")?,
        change: INHERITANCE.value(row, "change")?,
    })
}

/// A row of the table `species`.
pub(super) fn species(row: &Row) -> rusqlite::Result<SpeciesReport> {
    Ok(SpeciesReport {
        generation: SPECIES.number(row, "generation")?,
        species: SPECIES.number(row, "species")?,
        born: SPECIES.number(row, "born")?,
        size: SPECIES.number(row, "size")?,
        best_score: SPECIES.value(row, "best_score")?,
        representative: SPECIES.number(row, "representative")?,
    })
}

/// A whole number of a row of the table `generation`.
fn count(row: &Row, column: &str) -> rusqlite::Result<u64> {
    GENERATION.number(row, column)
}

/// The exam of a row of the table `generation`.
pub(super) fn exam(row: &Row) -> rusqlite::Result<Option<Exam>> {
    let place = GENERATION.place("exam");
    let text = row.get_ref(place)?.as_str_or_null()?;
    text.map(serde_json::from_str).transpose().map_err(|error| unreadable(place, error))
}

/// The times of a row of the table `generation`.
pub(super) fn times(row: &Row) -> rusqlite::Result<Times> {
    Ok(Times { seconds: named(row, "seconds")?, cpu_seconds: named(row, "cpu_seconds")? })
}

/// A row of the table `generation`.
pub(super) fn report(row: &Row) -> rusqlite::Result<Report> {
    let layers: String = named(row, "champion_layers")?;
    let is_added = |measure: &&trainer::Measure| matches!(measure.source, Source::Added);
    let added = MEASURES.iter().filter(is_added).map(|measure| Ok((measure.key, measured(row, measure)?)));
    let added = added.filter_map(|found| found.map(|(key, value)| Some((key, value?))).transpose());
    Ok(Report {
        generation: count(row, "generation")?,
        best_score: named(row, "best_score")?,
        mean_score: named(row, "mean_score")?,
        past_share: named(row, "past_share")?,
        growth: named(row, "growth")?,
        exam: exam(row)?,
        grade_in_games: named(row, "grade_in_games")?,
        mean_turns: named(row, "mean_turns")?,
        mean_layers: named(row, "mean_layers")?,
        mean_nodes: named(row, "mean_nodes")?,
        champion_place: count(row, "champion_place")?,
        champion_layers: layers.split(',').filter_map(|size| size.parse().ok()).collect(),
        champion_hidden: count(row, "champion_hidden")?,
        champion_edges: count(row, "champion_edges")?,
        champion_genome: named::<Option<i64>>(row, "champion_genome")?.map(|genome| genome as u64),
        games: count(row, "games")?,
        reused: count(row, "reused")?,
        evaluations: count(row, "evaluations")?,
        signature: named(row, "signature")?,
        added: added.collect::<rusqlite::Result<_>>()?,
    })
}
