//! Makes an input smaller while it stays in trouble of the same kind: first lines, then tokens,
//! then bytes.

use crate::tokens::split;

/// The smallest input found with at most `attempts` trials. `fails` says whether an input still is
/// in trouble.
pub fn minimise(
    input: &[u8],
    mut attempts: usize,
    mut fails: impl FnMut(&[u8]) -> std::io::Result<bool>,
) -> std::io::Result<Vec<u8>> {
    let mut best = input.to_vec();
    loop {
        let before = best.len();
        for cut in [lines, tokens, bytes] {
            best = remove_parts(&cut(&best), &mut attempts, &mut fails)?;
        }
        if attempts == 0 || best.len() == before {
            return Ok(best);
        }
    }
}

fn lines(input: &[u8]) -> Vec<Vec<u8>> {
    input.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
}

fn tokens(input: &[u8]) -> Vec<Vec<u8>> {
    match std::str::from_utf8(input) {
        Ok(text) => split(text).into_iter().map(|token| token.as_bytes().to_vec()).collect(),
        Err(_) => bytes(input),
    }
}

fn bytes(input: &[u8]) -> Vec<Vec<u8>> {
    input.iter().map(|byte| vec![*byte]).collect()
}

/// Delta debugging: leaves out ever smaller runs of parts.
fn remove_parts(
    parts: &[Vec<u8>],
    attempts: &mut usize,
    fails: &mut impl FnMut(&[u8]) -> std::io::Result<bool>,
) -> std::io::Result<Vec<u8>> {
    let mut parts = parts.to_vec();
    let mut run = parts.len() / 2;
    while run > 0 {
        let mut from = 0;
        while from < parts.len() {
            if *attempts == 0 {
                return Ok(parts.concat());
            }
            *attempts -= 1;
            let to = parts.len().min(from + run);
            let candidate: Vec<Vec<u8>> = [&parts[..from], &parts[to..]].concat();
            if fails(&candidate.concat())? {
                parts = candidate;
            } else {
                from = to;
            }
        }
        run /= 2;
    }
    Ok(parts.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_matters_stays() {
        let input = b"var a: b;\nrule x ==> crash(12);\nend;\n".repeat(20);
        let fails = |input: &[u8]| Ok(String::from_utf8_lossy(input).contains("sh(1"));
        assert_eq!(minimise(&input, 10_000, fails).unwrap(), b"sh(1");
        assert_eq!(minimise(&input, 0, fails).unwrap(), input);
    }
}
