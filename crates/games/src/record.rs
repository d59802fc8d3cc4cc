//! The file formats in which people keep whole games.

/// A file format for games: tags in brackets, then moves, then the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordForm {
    /// The format of chess players: `1-0` means that White, the first side, won.
    Pgn,
    /// The format of draughts players. In some files `1-0` means that the first side won, as the draft of PDN 2.0
    /// defines it for English draughts; in others it means that White won. We write it as the draft defines it.
    Pdn,
}

impl RecordForm {
    /// All formats.
    pub const ALL: [RecordForm; 2] = [RecordForm::Pgn, RecordForm::Pdn];

    /// The name of the format, which is also the file name extension.
    pub fn name(self) -> &'static str {
        match self {
            RecordForm::Pgn => "pgn",
            RecordForm::Pdn => "pdn",
        }
    }

    /// The results that may follow the moves.
    pub fn results(self) -> &'static [&'static str] {
        match self {
            RecordForm::Pgn => &["1-0", "0-1", "1/2-1/2", "*"],
            RecordForm::Pdn => &["1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "*"],
        }
    }

    /// The number in the `GameType` tag, or `None` if the format has no such tag. A file with the format's extension
    /// and no tag counts as this game. In PDN, 21 is English draughts.
    pub fn game_type(self) -> Option<u32> {
        match self {
            RecordForm::Pgn => None,
            RecordForm::Pdn => Some(21),
        }
    }

    /// Whether files of this format disagree on which side's number comes first in a result.
    pub fn results_differ(self) -> bool {
        match self {
            RecordForm::Pgn => false,
            RecordForm::Pdn => true,
        }
    }
}
