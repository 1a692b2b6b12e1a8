//! Small changes to models: of bytes, of tokens, of lines, and between two models.

use crate::random::Random;
use crate::tokens::{VOCABULARY, split};

/// No input grows beyond this; the limit on time is stated for a text of this size.
pub const LARGEST: usize = 100_000;

/// A few changes to `base`, mostly one or two. `other` lends its parts.
pub fn mutate(base: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut input = base.to_vec();
    let most = if random.once_in(4) { 8 } else { 2 };
    for _ in 0..=random.below(most) {
        input = match random.below(10) {
            0 => flip_bytes(input, random),
            1 => splice(&input, other, random),
            2 | 3 => change_lines(&input, other, random),
            _ => change_tokens(&input, other, random),
        };
    }
    if random.once_in(20) {
        input = swell(&input, random);
    }
    input.truncate(LARGEST);
    input
}

fn flip_bytes(mut input: Vec<u8>, random: &mut Random) -> Vec<u8> {
    for _ in 0..=random.below(4) {
        let at = random.below(input.len());
        match random.below(4) {
            0 => input.insert(at, random.byte()),
            1 if at < input.len() => drop(input.remove(at)),
            _ => {
                if let Some(byte) = input.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
        }
    }
    input
}

/// The beginning of one and the end of the other.
fn splice(input: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let (head, tail) = (random.below(input.len() + 1), random.below(other.len() + 1));
    [input.get(..head).unwrap_or(input), other.get(tail..).unwrap_or(other)].concat()
}

fn change_tokens(input: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let (text, other) = (String::from_utf8_lossy(input), String::from_utf8_lossy(other));
    let mut tokens = split(&text);
    let others = split(&other);
    if tokens.is_empty() {
        return input.to_vec();
    }
    let at = random.below(tokens.len());
    let another = random.below(tokens.len());
    match random.below(8) {
        0 => drop(tokens.remove(at)),
        1 => tokens.insert(at, tokens[another]),
        2 => tokens.swap(at, another),
        3 => tokens[at] = random.pick(&others).copied().unwrap_or(" "),
        4 => {
            // A few tokens of another model, which often is a whole expression or type.
            let from = random.below(others.len());
            let part = others.get(from..others.len().min(from + 1 + random.below(12))).unwrap_or(&[]);
            tokens.splice(at..at, part.iter().copied());
        }
        5 => {
            let end = tokens.len().min(at + 1 + random.below(12));
            drop(tokens.drain(at..end));
        }
        6 => tokens[at] = tokens[another],
        _ => {
            let token = random.pick(VOCABULARY).copied().unwrap_or(" ");
            if random.once_in(2) { tokens[at] = token } else { tokens.insert(at, token) }
        }
    }
    tokens.concat().into_bytes()
}

fn change_lines(input: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = input.split_inclusive(|byte| *byte == b'\n').collect();
    let others: Vec<&[u8]> = other.split_inclusive(|byte| *byte == b'\n').collect();
    let at = random.below(lines.len());
    let another = random.below(lines.len());
    match random.below(4) {
        0 if !lines.is_empty() => drop(lines.remove(at)),
        1 if !lines.is_empty() => lines.swap(at, another),
        2 if !lines.is_empty() => lines.insert(at, lines[another]),
        _ => {
            let from = random.below(others.len());
            let part = others.get(from..others.len().min(from + 1 + random.below(6))).unwrap_or(&[]);
            lines.splice(at..at, part.iter().copied());
        }
    }
    lines.concat()
}

/// Repeats a few tokens until the input is large: whatever takes quadratic time shows it.
fn swell(input: &[u8], random: &mut Random) -> Vec<u8> {
    let text = String::from_utf8_lossy(input);
    let tokens = split(&text);
    let from = random.below(tokens.len());
    let longest = if random.once_in(2) { 4 } else { 60 };
    let to = tokens.len().min(from + 1 + random.below(longest));
    let part = tokens.get(from..to).unwrap_or(&[]).concat();
    if part.is_empty() {
        return input.to_vec();
    }
    let space = LARGEST.saturating_sub(text.len());
    let times = (space / part.len()).min(random.repetitions() * 8);
    let numbered = random.once_in(3);
    let mut result = tokens.get(..from).unwrap_or(&[]).concat();
    for time in 0..times {
        result.push_str(&part);
        if numbered {
            // Makes names of words at the end of the part, each a new one.
            result.push_str(&time.to_string());
        }
    }
    result.push_str(&tokens.get(from..).unwrap_or(&[]).concat());
    result.into_bytes()
}
