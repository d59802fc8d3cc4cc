//! Makes a short run long by copying its generations, to see how pages and commands handle long runs.
//!
//! `cargo run --release --example long_run -- runs/short.db 100000` makes 100,000 generations. They were not really
//! played, so the file is good only for such tests.

#![allow(clippy::disallowed_methods)]

use rusqlite::{Connection, params};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(file), Some(generations)) = (words.next(), words.next()) else {
        return Err("give a run's file, and the number of generations that it should have".into());
    };
    let generations: i64 = generations.parse()?;
    let connection = Connection::open(&file)?;
    let mut known: i64 = connection.query_row("select max(generation) from generation", [], |row| row.get(0))?;
    connection.execute_batch("begin")?;
    // Double the number of generations each time.
    while known < generations {
        for table in ["generation", "champion", "species"] {
            let statement = connection.prepare(&format!("select * from {table} limit 0"))?;
            let later =
                |name: &str| if name == "generation" { "generation + ?1".to_string() } else { name.to_string() };
            let values: Vec<String> = statement.column_names().map(later).collect();
            let sql =
                format!("insert into {table} select {} from {table} where generation + ?1 <= ?2", values.join(", "));
            connection.execute(&sql, params![known, generations])?;
        }
        known = generations.min(2 * known);
    }
    connection.execute("update population set generation = ?", [generations])?;
    connection.execute_batch("commit")?;
    drop(connection);
    runs::seal_run(file.as_ref())?;
    Ok(())
}
