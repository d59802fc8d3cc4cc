//! Labs: many runs compared with each other.

mod comparison;
mod report;

pub use comparison::{Compared, Comparison, Group, Member, MemberState};
pub use report::{
    Band, Cell, GroupCurves, GroupTables, MeasureCurves, Readings, Table, WrittenReport, curves_of, tables_of,
    write_report, write_run_figures,
};
