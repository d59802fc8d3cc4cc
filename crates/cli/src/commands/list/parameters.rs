//! Prints the parameters of an experiment: the key, the value, the allowed values and the meaning of each.

use crate::{Failure, tables};
use serde_json::{Value, json};
use std::io::Write;
use trainer::{Kind, Parameter};

/// Prints one line for each parameter.
pub fn list(out: &mut impl Write, parameters: &[Parameter], json: bool) -> Result<(), Failure> {
    if json {
        for parameter in parameters {
            writeln!(out, "{}", json!(parameter))?;
        }
        return Ok(());
    }
    let rows: Vec<Vec<String>> = parameters
        .iter()
        .map(|parameter| vec![parameter.key.clone(), value(&parameter.value), allowed(parameter), about(parameter)])
        .collect();
    tables::print_wrapped(out, &rows)?;
    Ok(())
}

/// The value as in the file, but texts without their quotes.
fn value(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        _ => value.to_string(),
    }
}

/// The allowed values.
fn allowed(parameter: &Parameter) -> String {
    let bounds = match (parameter.min, parameter.max) {
        (Some(min), Some(max)) => format!("{min} to {max}"),
        (Some(min), None) => format!("from {min}"),
        (None, Some(max)) => format!("up to {max}"),
        (None, None) => "any".to_string(),
    };
    match parameter.kind {
        Kind::Whole | Kind::Number => bounds,
        Kind::Switch => "true or false".to_string(),
        Kind::Choice => "a choice".to_string(),
        Kind::Text => "a text".to_string(),
        Kind::Numbers if bounds == "any" => "a list".to_string(),
        Kind::Numbers => format!("each {bounds}"),
    }
}

/// The meaning, followed by the choices if there are any.
fn about(parameter: &Parameter) -> String {
    let choices: Vec<String> =
        parameter.choices.iter().map(|choice| format!("{}: {}", choice.name, choice.about)).collect();
    match choices.is_empty() {
        true => parameter.about.clone(),
        false => format!("{}. {}", parameter.about, choices.join(" | ")),
    }
}
