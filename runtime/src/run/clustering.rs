//! `--cluster`, from the command line to the connected processes and back to one exit code.

use super::announcement;
use super::preparation::Prepared;
use crate::cli::{Options, table};
use crate::cluster::hosts::{Plan, number};
use crate::cluster::join::{self, JoinError, Joined, Own, Role};
use crate::cluster::local::{self, Member};
use crate::cluster::secret::Secret;
use crate::contract::model::Model;
use crate::interruption::Interruption;
use crate::refusal::Refusal;
use crate::report::verdict::Exit;
use crate::search::saving::identity;
use crate::text::printable_lines;
use std::io::Write;

/// Which process of which list this one is, if there are several.
pub(super) fn role(options: &Options) -> Result<Option<Role>, Refusal> {
    let Some(list) = &options.cluster else { return Ok(None) };
    let plan = Plan::read(list)?;
    let (mut member, is_plain) = (None, options.plain);
    let number = match &plan {
        Plan::Hosts(hosts) => number(options.process, hosts.len(), |name| std::env::var(name).ok())?,
        Plan::Local(count) => {
            if options.process.is_some() {
                let why = "local:N numbers the processes that it starts itself";
                return Err(Refusal::of("--process", why).instead("leave it out, or a list of processes"));
            }
            if options.secret.is_some() {
                let why = "local:N draws a secret of its own";
                return Err(Refusal::of("--secret", why).instead("leave it out, or a list of processes"));
            }
            if !local::may_start() {
                let why = "only a verifier can start itself several times, and this is another program";
                return Err(Refusal::of("--cluster", why).instead("a list of processes"));
            }
            member = Member::from_environment().filter(|member| member.count == *count);
            member.as_ref().map_or(0, |member| member.number)
        }
    };
    let secret = options.secret.as_deref().map(Secret::read).transpose()?;
    // What is encrypted with a key that everybody knows is not encrypted.
    let is_plain = is_plain || secret.is_none() && matches!(plan, Plan::Hosts(_));
    Ok(Some(Role { plan, number, secret, is_plain, member }))
}

/// Connects this process with the others.
pub(super) fn join(
    model: &dyn Model,
    role: &Role,
    prepared: &Prepared,
    interrupted: &Interruption,
    err: &mut dyn Write,
) -> Result<Joined, JoinError> {
    let (description, settings) = (model.description(), &prepared.settings);
    let mut options = table::identity(settings);
    // All go on from the same checkpoint.
    let saved = prepared.safety.as_ref().map(|safety| safety.checkpoints.generation());
    let saved = saved.map(|generation| {
        generation
            .map_or("from the beginning".to_owned(), |generation| format!("from checkpoint {generation}"))
    });
    options.insert("--checkpoint".to_owned(), saved.unwrap_or_else(|| "none".to_owned()));
    // What ends a search is the same for all processes as well.
    let limit = |limit: Option<u64>| limit.map_or("none".to_owned(), |limit| limit.to_string());
    options.insert("--max-depth".to_owned(), limit(settings.max_depth.map(u64::from)));
    options.insert("--max-states".to_owned(), limit(settings.max_states));
    options.insert("--max-errors".to_owned(), limit(settings.max_errors));
    let own = Own {
        identity: identity(description, settings, &settings.codec(description), options),
        threads: settings.threads_in_use(),
        memory: settings.memory,
    };
    join::join(role, &own, &[announcement::PLACE, announcement::NONCE], interrupted, err)
}

/// Says why the processes did not come together.
pub(super) fn fail(error: &JoinError, err: &mut dyn Write) -> Exit {
    let (text, exit) = match error {
        JoinError::Refused(refusal) => (refusal.to_string(), Exit::Wrong),
        JoinError::Missing(why) => (format!("error: --cluster: {why}\n"), Exit::Inconclusive),
        JoinError::Interrupted => {
            ("error: --cluster: interrupted before all processes had come\n".to_owned(), Exit::Inconclusive)
        }
    };
    let _ = err.write_all(printable_lines(&text).as_bytes());
    exit
}

/// Ends the connections. All processes end with the exit code of process 0, unless one is lost.
pub(super) fn part(joined: &mut Joined, exit: Exit, err: &mut dyn Write) -> Exit {
    let hub = &joined.hub;
    let exit = match hub.me {
        0 => exit,
        _ => match hub.await_farewell() {
            Some(code) => Exit::of_code(code),
            None => {
                let why = hub.failure().unwrap_or_default();
                let _ = err.write_all(printable_lines(&format!("error: --cluster: {why}\n")).as_bytes());
                Exit::Inconclusive
            }
        },
    };
    hub.close(exit.code());
    joined.children.wait(hub.failure().is_some());
    exit
}
