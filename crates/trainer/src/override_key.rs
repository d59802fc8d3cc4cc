//! `--set KEY=VALUE`: changes one parameter of a table, given by its dotted path.

use crate::error::{nearest, nearest_few};

/// Splits an assignment into key and value.
pub(crate) fn split(assignment: &str) -> Result<(&str, toml::Value), String> {
    match assignment.split_once('=') {
        Some((path, text)) => Ok((path.trim(), parse_value(text.trim()))),
        None => Err("KEY=VALUE is needed, such as seed=7".into()),
    }
}

/// Overrides a key that the table of a game's setup already has.
pub fn apply(table: &mut toml::Table, assignment: &str) -> Result<(), String> {
    let (path, value) = split(assignment)?;
    if table.is_empty() {
        return Err(format!("unknown key `{path}`; this game has no setup keys"));
    }
    put(table, path, value)
}

/// Sets keys, and changes nothing else, so that comments stay. A key that is not there is added to its table. `None` if
/// its table is not there, or if the text is not TOML.
pub(crate) fn put_in_text<'a>(text: &str, values: impl Iterator<Item = (&'a str, &'a toml::Value)>) -> Option<String> {
    let mut document: toml_edit::DocumentMut = text.parse().ok()?;
    for (path, value) in values {
        let (tables, key) = path.rsplit_once('.').unwrap_or(("", path));
        let mut tables = tables.split('.').filter(|part| !part.is_empty());
        let table = tables.try_fold(document.as_item_mut(), |item, part| item.get_mut(part))?.as_table_like_mut()?;
        let mut value: toml_edit::Value = value.to_string().parse().ok()?;
        match table.get_mut(key) {
            Some(old) => {
                let old = old.as_value_mut()?;
                // Keep the spaces around the value and the comment behind it.
                *value.decor_mut() = old.decor().clone();
                *old = value;
            }
            None => {
                table.insert(key, toml_edit::Item::Value(value));
            }
        }
    }
    Some(document.to_string())
}

/// Sets a key that the table already has.
fn put(table: &mut toml::Table, path: &str, value: toml::Value) -> Result<(), String> {
    find(table, path)?;
    let mut parts = path.split('.');
    let first = parts.next().and_then(|part| table.get_mut(part));
    let old = parts.fold(first, |value, part| value?.get_mut(part));
    *old.expect("it was just found") = value;
    Ok(())
}

/// The value at a dotted path. The error says in one sentence why there is none.
pub fn find<'a>(table: &'a toml::Table, path: &str) -> Result<&'a toml::Value, String> {
    let mut parts = path.split('.');
    let first = parts.next().and_then(|part| table.get(part));
    match parts.fold(first, |value, part| value?.as_table()?.get(part)) {
        Some(toml::Value::Table(inner)) => {
            let keys: Vec<String> = inner.keys().map(|key| format!("{path}.{key}")).collect();
            Err(format!("`{path}` is a table; its keys are {}", keys.join(", ")))
        }
        Some(value) => Ok(value),
        None => Err(unknown(table, path)),
    }
}

/// The dotted paths of all values, in the order of the table.
pub fn paths(table: &toml::Table) -> Vec<String> {
    let mut known = Vec::new();
    collect("", table, &mut known);
    known
}

/// All values, in the order of their [paths].
pub fn values(table: &toml::Table) -> Vec<&toml::Value> {
    fn inner(value: &toml::Value) -> Vec<&toml::Value> {
        match value {
            toml::Value::Table(inner) => values(inner),
            value => vec![value],
        }
    }
    table.values().flat_map(inner).collect()
}

/// Parses a value as TOML; if it is not TOML, the value is the text itself.
pub fn parse_value(text: &str) -> toml::Value {
    let parsed = format!("value = {text}").parse::<toml::Table>().ok().filter(|table| table.len() == 1);
    parsed.and_then(|mut table| table.remove("value")).unwrap_or_else(|| toml::Value::String(text.to_string()))
}

/// A message lists all keys if there are no more than this.
const FEW: usize = 12;

fn unknown(table: &toml::Table, path: &str) -> String {
    let known = paths(table);
    // If the last part of a path is right, suggest the whole path.
    let last = |name: &str| name.rsplit('.').next().unwrap_or(name).to_string();
    let by_last = known.iter().find(|name| last(name) == last(path));
    // In a table that is there, only its own keys come into question.
    let inner = path.rsplit_once('.').filter(|(name, _)| table.get(*name).is_some_and(toml::Value::is_table));
    let in_question =
        |name: &&str| inner.is_none_or(|(inner, _)| name.strip_prefix(inner).is_some_and(|rest| rest.starts_with('.')));
    let names: Vec<&str> = known.iter().map(String::as_str).filter(in_question).collect();
    if let (Some((inner, _)), []) = (inner, &names[..]) {
        return format!("unknown key `{path}`; [{inner}] has no keys here");
    }
    match by_last.map(String::as_str).or_else(|| nearest(path, &names)) {
        Some(name) => format!("unknown key `{path}`; did you mean `{name}`?"),
        None if names.len() <= FEW => format!("unknown key `{path}`; there are {}", names.join(", ")),
        None => {
            let near: Vec<String> = nearest_few(path, &names).into_iter().map(|name| format!("`{name}`")).collect();
            format!("unknown key `{path}`; the nearest keys are {}", near.join(", "))
        }
    }
}

fn collect(prefix: &str, table: &toml::Table, known: &mut Vec<String>) {
    for (key, value) in table {
        let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match value {
            toml::Value::Table(inner) => collect(&path, inner, known),
            _ => known.push(path),
        }
    }
}
