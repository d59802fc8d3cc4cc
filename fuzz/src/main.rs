//! Lets libFuzzer look for bytes that break a target of `crates/fuzzing`: the one that the variable `GAMETE_FUZZ` names.
//! Where it names none, all targets are listed, each with the length of its longest inputs. `fuzz/run` builds and starts it.

#![no_main]

use cap::Cap;
use fuzzing::{TARGETS, Target};
use libfuzzer_sys::fuzz_target;
use std::alloc::System;
use std::sync::LazyLock;

/// No input may take more memory: an allocation beyond it ends the program, and libFuzzer keeps the input.
const MOST_MEMORY: usize = 1 << 30;

#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, MOST_MEMORY);

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("GAMETE_FUZZ").unwrap_or_default();
    fuzzing::find(&name).unwrap_or_else(|| {
        TARGETS.iter().for_each(|target| println!("{} {}", target.name, target.most_bytes));
        std::process::exit(if name.is_empty() { 0 } else { 2 })
    })
});

fuzz_target!(init: { LazyLock::force(&TARGET); }, |bytes: &[u8]| (TARGET.check)(bytes));
