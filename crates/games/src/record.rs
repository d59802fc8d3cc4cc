//! The form in which people keep whole games.

/// How a file of games is written: tags in brackets, then moves, then the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordForm {
    /// As chess players do: the first side is White.
    Pgn,
}

impl RecordForm {
    /// The name of the form, as files of it end.
    pub fn name(self) -> &'static str {
        match self {
            RecordForm::Pgn => "pgn",
        }
    }
}
