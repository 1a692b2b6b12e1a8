//! The options of CMurphi's verifiers, as their users type them, turned into ours.

use crate::refusal::Refusal;
use std::ffi::OsString;

/// Rewrites the CMurphi forms among the arguments. `Err`: an option that this version does not
/// have.
pub fn rewrite(arguments: impl IntoIterator<Item = OsString>) -> Result<Vec<OsString>, Refusal> {
    let mut rewritten = Vec::new();
    let mut arguments = arguments.into_iter().peekable();
    // The program's own name.
    rewritten.extend(arguments.next());
    while let Some(argument) = arguments.next() {
        let Some(text) = argument.to_str() else {
            rewritten.push(argument);
            continue;
        };
        let new = match text {
            "-h" => "--help",
            "-l" => "--licence",
            "-s" => "--simulate",
            "-v" => "--verify",
            "-vbfs" => "--search=bfs",
            "-vdfs" => "--search=dfs",
            "-ndl" => "--no-deadlock",
            "-p" => "--verbose",
            "-pn" => "--progress=off",
            "-pr" => "--rule-statistics",
            "-tv" => "--violating-trace",
            "-td" => "--trace=diff",
            "-tf" => "--trace=full",
            "-tn" => "--trace=off",
            "-ta" => "--show-states",
            "-b" => "--packed",
            "-c" => "--compact",
            "-nosym" => "--symmetry=off",
            // CMurphi's first is exhaustive, the next two are meant to be canonical, and the last
            // only normalises.
            "-sym1" | "-sym2" | "-sym3" => "--symmetry=exact",
            "-sym4" => "--symmetry=fast",
            "-nomultiset" => "--no-multiset",
            "-d" => "--directory",
            _ => {
                match with_number(text, arguments.peek().and_then(|next| next.to_str()))? {
                    Some((new, took_next)) => {
                        if took_next {
                            arguments.next();
                        }
                        rewritten.push(new.into());
                    }
                    None => rewritten.push(argument),
                }
                continue;
            }
        };
        rewritten.push(new.into());
    }
    Ok(rewritten)
}

/// `-m200`, `-m 200` and the like. Says whether the number was the next argument.
pub(crate) fn with_number(text: &str, next: Option<&str>) -> Result<Option<(String, bool)>, Refusal> {
    refuse(text)?;
    if let Some(found) = permutation_limit(text, next)? {
        return Ok(Some(found));
    }
    if let Some(found) = stop_looping(text, next)? {
        return Ok(Some(found));
    }
    let forms: [(&str, &str, &str); 5] = [
        ("-b", "--bits=", ""),
        ("-loop", "--loop-limit=", ""),
        ("-m", "--memory=", "M"),
        ("-k", "--memory=", "K"),
        ("-p", "--progress=", ""),
    ];
    for (form, new, unit) in forms {
        let Some(rest) = text.strip_prefix(form) else { continue };
        let (number, took_next) = match (rest, next) {
            ("", Some(next)) if is_number(next) => (next, true),
            (rest, _) if is_number(rest) => (rest, false),
            // Other options begin like that: `-pn`, `-pr`.
            _ if form == "-p" || form == "-b" => continue,
            _ => {
                let long = if unit.is_empty() { "" } else { ", or write --memory 2G" };
                let why = format!("{form} needs a plain number, as in {form}200{long}");
                return Err(Refusal::of(text.to_owned(), why));
            }
        };
        return Ok(Some((format!("{new}{number}{unit}"), took_next)));
    }
    Ok(None)
}

/// `-maxc90`, in percent, and `-maxl500`; 0 is no limit, and the largest depth there is comes to
/// the same.
fn stop_looping(text: &str, next: Option<&str>) -> Result<Option<(String, bool)>, Refusal> {
    let (form, rest) = match (text.strip_prefix("-maxc"), text.strip_prefix("-maxl")) {
        (Some(rest), _) => ("-maxc", rest),
        (None, Some(rest)) => ("-maxl", rest),
        (None, None) => return Ok(None),
    };
    let (number, took_next) = match (rest, next) {
        ("", Some(next)) if is_number(next) => (next, true),
        (rest, _) if is_number(rest) => (rest, false),
        _ => {
            let why = format!("{form} needs a plain number, as in {form}90");
            return Err(Refusal::of(text.to_owned(), why));
        }
    };
    let option = match (form, number.parse::<u32>()) {
        ("-maxc", Ok(percent @ 0..=99)) => format!("--max-collisions=0.{percent:02}"),
        ("-maxc", _) => return Err(Refusal::of(text.to_owned(), "-maxc needs a number from 0 to 99")),
        (_, Ok(0)) => format!("--max-depth={}", u32::MAX),
        _ => format!("--max-depth={number}"),
    };
    Ok(Some((option, took_next)))
}

/// `-permlimit 10` gives up after ten permutations, so states of one orbit may stay apart; 0 is no
/// limit.
fn permutation_limit(text: &str, next: Option<&str>) -> Result<Option<(String, bool)>, Refusal> {
    let Some(rest) = text.strip_prefix("-permlimit") else {
        return Ok(None);
    };
    let (number, took_next) = match (rest, next) {
        ("", Some(next)) if is_number(next) => (next, true),
        (rest, _) if is_number(rest) => (rest, false),
        _ => {
            let why = "-permlimit needs a plain number, as in -permlimit 10";
            return Err(Refusal::of(text.to_owned(), why));
        }
    };
    let exact = number.bytes().all(|digit| digit == b'0');
    Ok(Some((format!("--symmetry={}", if exact { "exact" } else { "fast" }), took_next)))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// CMurphi's options that mean something that this version cannot do.
fn refuse(text: &str) -> Result<(), Refusal> {
    let starts = |form: &str| text.strip_prefix(form).is_some_and(|rest| rest.is_empty() || is_number(rest));
    if starts("-sym") {
        let why = "there are -sym1 to -sym4; --symmetry says it in words";
        Err(Refusal::of(text.to_owned(), why))
    } else if text == "-cache" || starts("-cache") {
        let why = "a cache is asked for with its size, as in --cache 200M";
        Err(Refusal::of(text.to_owned(), why))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(line: &str) -> Result<String, Refusal> {
        let words = format!("verifier {line}");
        let arguments = rewrite(words.split_whitespace().map(OsString::from))?;
        let texts: Vec<_> = arguments.iter().skip(1).map(|argument| argument.to_string_lossy()).collect();
        Ok(texts.join(" "))
    }

    #[test]
    fn every_form() {
        let cases = [
            ("-h -l -s -v", "--help --licence --simulate --verify"),
            ("-vbfs -vdfs -ndl", "--search=bfs --search=dfs --no-deadlock"),
            ("-m200 -m 300 -k500 -k 7", "--memory=200M --memory=300M --memory=500K --memory=7K"),
            ("-loop5000 -loop 3", "--loop-limit=5000 --loop-limit=3"),
            ("-p -p4 -pn -pr", "--verbose --progress=4 --progress=off --rule-statistics"),
            ("-tv -td -tf -ta -tn", "--violating-trace --trace=diff --trace=full --show-states --trace=off"),
            ("-b -nosym -d /tmp", "--packed --symmetry=off --directory /tmp"),
            ("-sym1 -permlimit 0", "--symmetry=exact --symmetry=exact"),
            ("-sym4 -permlimit10 -nomultiset", "--symmetry=fast --symmetry=fast --no-multiset"),
            ("--memory 2G --max-depth 3", "--memory 2G --max-depth 3"),
            ("-c -b40 -b -b 24", "--compact --bits=40 --packed --packed 24"),
            ("-x -px -bx", "-x -px -bx"),
            ("-maxc90 -maxc 5 -maxc0", "--max-collisions=0.90 --max-collisions=0.05 --max-collisions=0.00"),
            ("-maxl500 -maxl 0", "--max-depth=500 --max-depth=4294967295"),
        ];
        for (line, expected) in cases {
            assert_eq!(rewritten(line).as_deref(), Ok(expected), "{line}");
        }
    }

    #[test]
    fn what_is_missing_is_refused() {
        for line in [
            "-cache",
            "-cache 100",
            "-sym5",
            "-permlimit",
            "-permlimitx",
            "-m",
            "-k",
            "-loop",
            "-mx",
            "-m2G",
            "-k 2M",
            "-maxc",
            "-maxc100",
            "-maxl",
            "-maxlx",
        ] {
            assert!(rewritten(line).is_err(), "{line}");
        }
        assert!(rewritten("-cache").is_err_and(|refusal| refusal.to_string().contains("--cache 200M")));
    }
}
