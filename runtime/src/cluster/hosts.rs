//! Which processes there are, and which of them this one is.
//!
//! A list is a text file with a line `host:port` for each process, or `host:port*2` for one that
//! owns twice the share of the states. Empty lines and what follows `#` do not count.

use crate::refusal::Refusal;
use crate::text::place;
use std::path::Path;

/// Processes of one search, at most.
const MOST: usize = 1024;
/// Processes that one machine is asked to start, at most.
const MOST_LOCAL: usize = 64;
/// The largest share, relative to one of 1.
const MOST_SHARE: u32 = 100;
/// Variables in which the programs that start processes say which one this is.
const VARIABLES: [&str; 3] = ["SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "JOB_COMPLETION_INDEX"];

/// A process of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// `host:port`, where it listens.
    pub address: String,
    /// Its share of the states, relative to those of the others.
    pub share: u32,
}

/// What `--cluster` asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// This process starts the others, on this machine; their number in all.
    Local(usize),
    Hosts(Vec<Host>),
}

/// How many processes of this machine share its memory, if `--cluster` asks for this: those of
/// `local:N` do, and of a list nothing is known.
pub fn sharers(text: &str) -> u64 {
    let count = text.strip_prefix("local:").and_then(|number| number.parse().ok());
    count.filter(|count| (1..=MOST_LOCAL as u64).contains(count)).unwrap_or(1)
}

fn refuse(why: String, instead: &'static str) -> Refusal {
    Refusal::of("--cluster", why).instead(instead)
}

impl Plan {
    /// Reads `local:N`, or the list in a file.
    pub fn read(text: &str) -> Result<Plan, Refusal> {
        const LOCAL: &str = "local:2, or another number from 1 to 64";
        if let Some(number) = text.strip_prefix("local:") {
            return match number.parse() {
                Ok(count) if (1..=MOST_LOCAL).contains(&count) => Ok(Plan::Local(count)),
                _ => Err(refuse(format!("{text:?} is not a number of processes"), LOCAL)),
            };
        }
        let path = Path::new(text);
        let list = std::fs::read_to_string(path).map_err(|error| {
            let why = format!("the list of processes {} cannot be read: {error}", place(path));
            refuse(why, "local:2, or a file with a line host:port for each process")
        })?;
        let hosts = parse(&list).map_err(|(line, why)| {
            let why = format!("{}, line {line}: {why}", place(path));
            refuse(why, "a line host:port for each process, such as node1:7700, or node1:7700*2")
        })?;
        Ok(Plan::Hosts(hosts))
    }
}

/// The lines of a list. An error names its line.
fn parse(list: &str) -> Result<Vec<Host>, (usize, String)> {
    let mut hosts: Vec<Host> = Vec::new();
    for (number, line) in list.lines().enumerate() {
        let wrong = |why: String| (number + 1, why);
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let (address, share) = match line.split_once('*') {
            None => (line, Some(1)),
            Some((address, share)) => (address.trim(), share.trim().parse().ok()),
        };
        let share = share.filter(|share| (1..=MOST_SHARE).contains(share));
        let share = share.ok_or_else(|| wrong(format!("a share is a number from 1 to {MOST_SHARE}")))?;
        let port = address.rsplit_once(':').filter(|(host, _)| !host.is_empty());
        let port = port.and_then(|(_, port)| port.parse::<u16>().ok()).filter(|&port| port > 0);
        if port.is_none() {
            return Err(wrong(format!("{address:?} is not host:port")));
        }
        if hosts.iter().any(|host| host.address == address) {
            return Err(wrong(format!("{address} is there twice")));
        }
        if hosts.len() == MOST {
            return Err(wrong(format!("there are more than {MOST} processes")));
        }
        hosts.push(Host { address: address.to_owned(), share });
    }
    match hosts.is_empty() {
        true => Err((1, "the list names no process".to_owned())),
        false => Ok(hosts),
    }
}

/// The number of this process: what the user says, or else the program that started it.
pub fn number(
    typed: Option<usize>,
    count: usize,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<usize, Refusal> {
    const INSTEAD: &str = "--process K, where K counts the lines of the list from 0 on";
    let found = VARIABLES.iter().find_map(|name| Some((*name, variable(name)?)));
    let (source, number) = match (typed, found) {
        (Some(number), _) => ("--process", Some(number)),
        (None, Some((name, value))) => (name, value.trim().parse().ok()),
        (None, None) => {
            let why = "which process of the list this one is was not said";
            return Err(Refusal::of("--process", why).instead(INSTEAD));
        }
    };
    number.filter(|&number| number < count).ok_or_else(|| {
        let why = format!("that is no number of a process: the list has {count}, counted from 0 on");
        Refusal::of(source, why).instead(INSTEAD)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_addresses_and_shares() {
        let list = "# two machines\nnode1:7700\n\n[::1]:7701 * 3 # twice as large\n";
        let host = |address: &str, share| Host { address: address.to_owned(), share };
        assert_eq!(parse(list).unwrap(), [host("node1:7700", 1), host("[::1]:7701", 3)]);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (list, line, why) in [
            ("", 1, "names no process"),
            ("a:1\nb", 2, "\"b\" is not host:port"),
            ("a:0", 1, "is not host:port"),
            (":7", 1, "is not host:port"),
            ("a:1*0", 1, "a share is a number"),
            ("a:1*x", 1, "a share is a number"),
            ("a:1\n#\na:1", 3, "there twice"),
        ] {
            let (at, text) = parse(list).unwrap_err();
            assert!(at == line && text.contains(why), "{list:?}: line {at}: {text}");
        }
        assert!(Plan::read("local:0").is_err() && Plan::read("local:65").is_err());
        assert_eq!(Plan::read("local:3").unwrap(), Plan::Local(3));
        assert_eq!(["local:3", "local:0", "hosts.txt"].map(sharers), [3, 1, 1]);
    }

    #[test]
    fn the_number_comes_from_the_user_or_the_environment() {
        let slurm = |name: &str| (name == "SLURM_PROCID").then(|| "2".to_owned());
        let index = |name: &str| (name == "JOB_COMPLETION_INDEX").then(|| "1".to_owned());
        assert_eq!(number(None, 3, slurm).unwrap(), 2);
        assert_eq!(number(None, 3, index).unwrap(), 1);
        assert_eq!(number(Some(0), 3, slurm).unwrap(), 0);
        assert!(number(None, 2, slurm).unwrap_err().to_string().contains("SLURM_PROCID"));
        assert!(number(None, 2, |_| None).unwrap_err().to_string().contains("--process"));
    }
}
