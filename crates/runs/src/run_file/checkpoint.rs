//! Reads the checkpoint of a run, from which training continues, and single champions of the past.

use super::RunFile;
use super::rows::POPULATION;
use crate::Error;
use evolution::Network;
use rusqlite::Row;
use std::sync::Arc;
use trainer::{Archive, Checkpoint};
use xxhash_rust::xxh3::Xxh3;

impl RunFile {
    /// Reads everything that is needed to continue the run. All champions are read and checked one after the other,
    /// because training may need any of them.
    pub fn checkpoint(&self) -> Result<Checkpoint, Error> {
        let read = |row: &Row| {
            let (played, signature) =
                (POPULATION.value::<i64>(row, "generation")?, POPULATION.value::<String>(row, "signature")?);
            let bytes = |column| POPULATION.value::<Vec<u8>>(row, column);
            Ok((played, signature, bytes("bytes")?, bytes("met")?))
        };
        let damaged = |what: String| Error::Damaged { file: self.path.clone(), what };
        let found = self.rows(POPULATION, "limit 1", [], read)?.into_iter().next();
        let (played, signature, population, met) =
            found.ok_or_else(|| damaged("the population is lost, so the run cannot be resumed".to_string()))?;
        if !self.has_checksums() && !self.fits_old_checksum(&population, &met)? {
            return Err(damaged("the population is damaged".to_string()));
        }
        let mut fingerprints = Vec::new();
        let mut lost = None;
        self.each_champion(|generation, bytes| {
            fingerprints.push(Network::fingerprint_of(bytes));
            if generation != fingerprints.len() as u64 {
                lost.get_or_insert(fingerprints.len() as u64);
            }
        })?;
        if (fingerprints.len() as i64) < played {
            lost.get_or_insert(fingerprints.len() as u64 + 1);
        }
        if let Some(lost) = lost {
            let what = format!("the champion of generation {lost} is lost, so the run cannot be resumed");
            return Err(damaged(what));
        }
        if fingerprints.len() as i64 != played {
            let champions = fingerprints.len();
            let what = format!("it has {champions} champions, but its population was saved after generation {played}");
            return Err(damaged(what));
        }
        let newest = if played == 0 { None } else { Some(self.champion(None)?.1) };
        let met = postcard::from_bytes(&met);
        let met = met.map_err(|_| damaged("the remembered games cannot be read".to_string()))?;
        let signature = u128::from_str_radix(&signature, 16);
        let signature = signature.map_err(|_| damaged("the signature is not a hexadecimal number".to_string()))?;
        let last = self.last_report()?;
        let reported = last.as_ref().map_or(0, |report| report.generation);
        if reported as i64 != played {
            let what = format!("the report of generation {played} is lost, so the run cannot be resumed");
            return Err(damaged(what));
        }
        // Births are recorded if genomes have numbers.
        if last.as_ref().is_some_and(|report| report.champion_genome.is_some()) {
            self.expect_last_births()?;
        }
        let (games, reused, evaluations) =
            last.map_or((0, 0, 0), |report| (report.games, report.reused, report.evaluations));
        Ok(Checkpoint { fingerprints, newest, population, met, games, reused, evaluations, signature })
    }

    /// Whether the checksum of the population and its remembered games is correct, in a file of format 4.
    pub(super) fn fits_old_checksum(&self, population: &[u8], met: &[u8]) -> Result<bool, Error> {
        let sql = "select checksum from main.population";
        let sum: i64 = self
            .connection
            .query_row(sql, [], |row| row.get(0))
            .map_err(|error| crate::database::broken(&self.path, error))?;
        let mut hasher = Xxh3::new();
        hasher.update(population);
        hasher.update(met);
        Ok(hasher.digest() as i64 == sum)
    }
}

impl Archive for RunFile {
    fn champion_at(&self, place: usize) -> Result<Arc<Network>, trainer::Error> {
        let found = self.champion(Some(place as u64 + 1));
        found.map(|(_, network)| network).map_err(|error| trainer::Error::Archive(Box::new(error)))
    }
}
