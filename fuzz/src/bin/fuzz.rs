//! `fuzz [--inputs N] [--seconds N] [--seed N] [TARGET…]`: damaged inputs for each target; what was tried and found, as a
//! table. `fuzz --one TARGET FILE` reads one input as a child would.

use gristmill_fuzz::allocator::Limited;
use gristmill_fuzz::mutate::Rng;
use gristmill_fuzz::run::{child, parent, target};
use gristmill_fuzz::targets::{TARGETS, Target};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[global_allocator]
static MEMORY: Limited = Limited::new();

fn named(name: &str) -> Result<&'static Target, String> {
    let known = || TARGETS.iter().map(|t| t.name).collect::<Vec<_>>().join(", ");
    target(name).ok_or_else(|| format!("`{name}` is not a target; the targets are: {}", known()))
}

fn number(text: Option<&String>) -> Result<u64, String> {
    let text = text.ok_or("a number is missing")?;
    text.parse().map_err(|_| format!("`{text}` is not a whole number"))
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match words.first().map(String::as_str) {
        Some("--child") => read_many(&words[1..]),
        Some("--one") => read_one(&words[1..]),
        _ => search(&words),
    };
    done.unwrap_or_else(|message| {
        eprintln!("fuzz: {message}");
        ExitCode::from(2)
    })
}

fn read_many(words: &[String]) -> Result<ExitCode, String> {
    let [name, seed, first, end, folder] = words else { return Err("--child takes five words".to_string()) };
    let [seed, first, end] = [number(Some(seed))?, number(Some(first))?, number(Some(end))?];
    child(named(name)?, seed, first, end, Path::new(folder)).map_err(|e| e.to_string())?;
    Ok(ExitCode::SUCCESS)
}

fn read_one(words: &[String]) -> Result<ExitCode, String> {
    let [name, file] = words else { return Err("--one takes a target and a file".to_string()) };
    let bytes = std::fs::read(file).map_err(|e| format!("{file}: {e}"))?;
    for way in 0..40 {
        (named(name)?.run)(&bytes, Path::new(file), &mut Rng::new(1, way));
    }
    Ok(ExitCode::SUCCESS)
}

fn search(words: &[String]) -> Result<ExitCode, String> {
    let (mut inputs, mut seconds, mut seed, mut targets) = (u64::MAX, None, 1, Vec::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--inputs" => inputs = number(words.next())?,
            "--seconds" => seconds = Some(number(words.next())?),
            "--seed" => seed = number(words.next())?,
            name => targets.push(named(name)?),
        }
    }
    if targets.is_empty() {
        targets = TARGETS.iter().collect();
    }
    // Without any limit, a minute for each.
    let seconds = seconds.unwrap_or(if inputs == u64::MAX { 60 } else { 1 << 32 });
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    println!("{:<16} {:>10} {:>10} {:>9}  found (seed {seed})", "target", "inputs", "a second", "seconds");
    let mut any = false;
    for target in targets {
        let start = Instant::now();
        let report = parent(&program, target, seed, inputs, Duration::from_secs(seconds)).map_err(|e| e.to_string())?;
        let took = start.elapsed().as_secs_f64();
        let found: Vec<String> = report.found.iter().map(|(how, count)| format!("{count} {how}")).collect();
        let found = if found.is_empty() { "nothing".to_string() } else { found.join(", ") };
        any |= !report.found.is_empty();
        println!(
            "{:<16} {:>10} {:>10.0} {took:>9.1}  {found}",
            target.name,
            report.inputs,
            report.inputs as f64 / took
        );
    }
    Ok(if any { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
