//! Values of options that are neither sizes nor choices.

use super::choices::ProgressChoice;
use crate::checkpoint::manifest::MOST_MINUTES;
use crate::hashing::signature::Bits;
use std::sync::OnceLock;
use std::thread::available_parallelism;

/// More threads than this are a mistake.
const MOST_THREADS: usize = 256;

pub fn parse_threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok().filter(|threads| (1..=MOST_THREADS).contains(threads));
    threads.ok_or_else(|| format!("a number from 1 to {MOST_THREADS}"))
}

pub fn parse_bits(text: &str) -> Result<Bits, String> {
    let bits = text.parse().ok().and_then(Bits::new);
    bits.ok_or_else(|| format!("a number from {} to {}", Bits::LEAST, Bits::MOST))
}

/// A number of states: 3000, 10M, 1e9.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let help = || "a number of at least 1, such as 3000, 10M or 1e9".to_owned();
    let (digits, unit) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 1e3),
        Some((at, 'm' | 'M')) => (&text[..at], 1e6),
        Some((at, 'g' | 'G')) => (&text[..at], 1e9),
        _ => (text, 1.0),
    };
    let number = digits.parse::<f64>().map_err(|_| help())? * unit;
    if (1.0..1e18).contains(&number) { Ok(number as u64) } else { Err(help()) }
}

pub fn parse_target(text: &str) -> Result<f64, String> {
    let target = text.parse().ok().filter(|target| *target > 0.0 && *target < 1.0);
    target.ok_or_else(|| "a probability above 0 and below 1, such as 0.001".to_owned())
}

pub fn parse_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| (0.0..=1.0).contains(rate));
    rate.ok_or_else(|| "a number from 0 to 1, such as 0.9; 0 is no limit".to_owned())
}

pub fn parse_minutes(text: &str) -> Result<f64, String> {
    let minutes = text.parse().ok().filter(|minutes| (0.0..=MOST_MINUTES).contains(minutes));
    minutes.ok_or_else(|| "a number of minutes, such as 30 or 0.5".to_owned())
}

pub fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| available_parallelism().map_or(1, |count| count.get().min(MOST_THREADS)))
}

pub fn parse_progress(text: &str) -> Result<ProgressChoice, String> {
    if text == "off" {
        return Ok(ProgressChoice::Off);
    }
    let power = text.parse::<u32>().ok().and_then(|power| 10u64.checked_pow(power));
    power.map(ProgressChoice::Every).ok_or_else(|| "a number from 0 to 19, or \"off\"".to_owned())
}
