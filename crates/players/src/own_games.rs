//! Makes games that are defined in other crates known to players.

use crate::annotation::Annotate;
use crate::crosstable::PlayCrosstable;
use crate::endgames::{ListEndings, ProbeEnding};
use crate::engine::{MakeEngine, VariantFile};
use crate::examination::{CountSuites, FindQuestions, TakeExam};
use crate::ladder::{IsSolved, LadderText, MeasuringPlies};
use crate::live::SetUpGame;
use crate::match_play::PlayMatch;
use crate::perft::CountMoves;
use crate::records::{FormOfRecords, ReplayRecord, WriteRecord};
use crate::stepped::StepThrough;
use games::Game;

/// Registers a game of another crate in this crate and in all crates that it uses.
pub fn register<G: Game>() {
    trainer::register::<G>();
    Annotate::add_game::<G>();
    PlayCrosstable::add_game::<G>();
    ListEndings::add_game::<G>();
    ProbeEnding::add_game::<G>();
    CountSuites::add_game::<G>();
    FindQuestions::add_game::<G>();
    TakeExam::add_game::<G>();
    SetUpGame::add_game::<G>();
    PlayMatch::add_game::<G>();
    CountMoves::add_game::<G>();
    FormOfRecords::add_game::<G>();
    ReplayRecord::add_game::<G>();
    WriteRecord::add_game::<G>();
    StepThrough::add_game::<G>();
    MakeEngine::add_game::<G>();
    VariantFile::add_game::<G>();
    LadderText::add_game::<G>();
    IsSolved::add_game::<G>();
    MeasuringPlies::add_game::<G>();
}
