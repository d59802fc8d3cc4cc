//! The form in which people keep whole games.

/// How a file of games is written: tags in brackets, then moves, then the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordForm {
    /// As chess players do: `1-0` when White, the first side, won.
    Pgn,
    /// As players of draughts do. `1-0` means in some files that the first side won, as the draft of PDN 2.0 has it for
    /// English draughts, in others that White did; we write it as the draft says.
    Pdn,
}

impl RecordForm {
    /// All forms.
    pub const ALL: [RecordForm; 2] = [RecordForm::Pgn, RecordForm::Pdn];

    /// The name of the form, as files of it end.
    pub fn name(self) -> &'static str {
        match self {
            RecordForm::Pgn => "pgn",
            RecordForm::Pdn => "pdn",
        }
    }

    /// What may stand behind the moves.
    pub fn results(self) -> &'static [&'static str] {
        match self {
            RecordForm::Pgn => &["1-0", "0-1", "1/2-1/2", "*"],
            RecordForm::Pdn => &["1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "*"],
        }
    }

    /// The number in the `GameType` tag, where the form has one; a file that ends in the form's name and says nothing
    /// is of this game. PDN's 21 is English draughts.
    pub fn game_type(self) -> Option<u32> {
        match self {
            RecordForm::Pgn => None,
            RecordForm::Pdn => Some(21),
        }
    }

    /// Whether files differ in whose number comes first in a result.
    pub fn results_differ(self) -> bool {
        match self {
            RecordForm::Pgn => false,
            RecordForm::Pdn => true,
        }
    }
}
