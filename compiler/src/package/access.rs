//! May the build cache be trusted? A user who can write to it decides what mcc runs, so it must
//! belong to the user, and nobody else may write to it or put another directory in its place. The
//! rules are those of `ssh` for its own files.
//!
//! The path is looked at after symbolic links are resolved. The cache itself must belong to the
//! user who runs mcc and be writable by nobody else. Each directory above it must belong to that
//! user or to root and be writable by nobody else, unless it is sticky, as `/tmp` is: there others
//! can add names, and replace none. A group that has the user's name and no other member, as many
//! systems give to each user, is nobody else.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::failure::Failure;

/// Why a directory is not trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exposure {
    /// It belongs to the user of this number.
    Foreign(u32),
    /// Its group or everybody may write to it.
    Writable,
}

/// Creates the directory, for the user alone, where it is not there yet; returns its real path if
/// nobody else can change what is in it.
pub fn private_directory(path: &Path) -> Result<PathBuf, Failure> {
    let unusable = |error: io::Error| match error.kind() {
        io::ErrorKind::StorageFull => Failure::DiskFull,
        _ => Failure::CacheUnusable { path: path.into(), error },
    };
    // Nothing is created where it would be refused.
    if let Some(existing) = path.ancestors().find(|above| above.exists()) {
        check(&existing.canonicalize().map_err(unusable)?, existing == path)?;
    }
    create(path).map_err(unusable)?;
    let real = path.canonicalize().map_err(unusable)?;
    check(&real, true)?;
    Ok(real)
}

/// Creates a directory, and those above it, for the user alone.
#[cfg(unix)]
pub fn create(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

/// Creates a directory, and those above it.
#[cfg(not(unix))]
pub fn create(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Looks at a real path and at all directories above it; the last is the cache itself if `is_cache`
/// says so.
fn check(real: &Path, is_cache: bool) -> Result<(), Failure> {
    for (distance, directory) in real.ancestors().enumerate() {
        let exposure = exposure(directory, is_cache && distance == 0)
            .map_err(|error| Failure::CacheUnusable { path: directory.into(), error })?;
        if let Some(exposure) = exposure {
            return Err(Failure::CacheExposed { cache: real.into(), directory: directory.into(), exposure });
        }
    }
    Ok(())
}

#[cfg(unix)]
fn exposure(directory: &Path, is_cache: bool) -> io::Result<Option<Exposure>> {
    use std::os::unix::fs::MetadataExt;
    let about = fs::metadata(directory)?;
    let user = nix::unistd::geteuid();
    let (owner, mode) = (about.uid(), about.mode());
    let trusted = owner == user.as_raw() || !is_cache && (owner == 0 || Some(owner) == unmapped_user());
    let sticky = !is_cache && mode & 0o1000 != 0;
    Ok(if !trusted {
        Some(Exposure::Foreign(owner))
    } else if (mode & 0o002 != 0 || mode & 0o020 != 0 && !is_own_group(user, about.gid())) && !sticky {
        Some(Exposure::Writable)
    } else {
        None
    })
}

/// Whether a group is that of the user alone. Root has none: its group has members on some systems
/// that are not listed.
#[cfg(unix)]
fn is_own_group(user: nix::unistd::Uid, group: u32) -> bool {
    use nix::unistd::{Gid, Group, User};
    let (Ok(Some(user)), Ok(Some(group))) = (User::from_uid(user), Group::from_gid(Gid::from_raw(group)))
    else {
        return false;
    };
    !user.uid.is_root()
        && user.gid == group.gid
        && user.name == group.name
        && group.mem.iter().all(|member| *member == user.name)
}

/// Other systems keep what is in a user's profile from other users.
#[cfg(not(unix))]
fn exposure(_: &Path, _: bool) -> io::Result<Option<Exposure>> {
    Ok(None)
}

/// Inside a user namespace, such as a container without root, the owner of all that belongs to
/// users who are not part of it, above all to the real root. Nobody inside can act as that user.
#[cfg(unix)]
fn unmapped_user() -> Option<u32> {
    let map = fs::read_to_string("/proc/self/uid_map").ok()?;
    let all_users = map.split_whitespace().eq(["0", "0", "4294967295"]);
    let number = fs::read_to_string("/proc/sys/kernel/overflowuid").ok()?;
    number.trim().parse().ok().filter(|_| !all_users)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    fn set(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    fn exposed(path: &Path) -> (PathBuf, Exposure) {
        match private_directory(path).unwrap_err() {
            Failure::CacheExposed { directory, exposure, .. } => (directory, exposure),
            other => panic!("{other}"),
        }
    }

    #[test]
    fn what_is_created_is_for_the_user_alone() {
        let root = tempfile::tempdir().unwrap();
        let cache = root.path().join("one/two/cache");
        let real = private_directory(&cache).unwrap();
        assert_eq!(real, cache.canonicalize().unwrap());
        for path in ["one", "one/two", "one/two/cache"] {
            assert_eq!(mode(&root.path().join(path)), 0o700, "{path}");
        }
        private_directory(&cache).unwrap();
    }

    #[test]
    fn what_others_may_write_to_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let above = root.path().canonicalize().unwrap().join("above");
        let cache = above.join("cache");
        private_directory(&cache).unwrap();
        // The group of another user than root may be the user's own.
        let by_group = |bits: u32| bits & 0o002 != 0 || nix::unistd::geteuid().is_root();
        for bits in [0o777, 0o770, 0o702, 0o1777].into_iter().filter(|bits| by_group(*bits)) {
            set(&cache, bits);
            assert_eq!(exposed(&cache), (cache.clone(), Exposure::Writable), "{bits:o}");
        }
        set(&cache, 0o755);
        private_directory(&cache).unwrap();
        for bits in [0o777, 0o775].into_iter().filter(|bits| by_group(*bits)) {
            set(&above, bits);
            assert_eq!(exposed(&cache), (above.clone(), Exposure::Writable), "{bits:o}");
            // Also if it is not there yet: then it is not created.
            assert_eq!(exposed(&above.join("other")), (above.clone(), Exposure::Writable), "{bits:o}");
            assert!(!above.join("other").exists());
        }
        set(&above, 0o1777);
        private_directory(&cache).unwrap();
    }

    #[test]
    fn a_group_of_ones_own_is_nobody_else() {
        use nix::unistd::{Gid, Group, Uid, User};
        assert!(!is_own_group(Uid::from_raw(0), 0));
        // Whichever users this system has: those with a group of their own name and number, and no
        // others.
        for number in [1, 2, 33, 65534, 1000] {
            let (Ok(Some(user)), Ok(Some(group))) =
                (User::from_uid(Uid::from_raw(number)), Group::from_gid(Gid::from_raw(number)))
            else {
                assert!(!is_own_group(Uid::from_raw(number), number));
                continue;
            };
            let own = user.gid == group.gid && user.name == group.name && group.mem.is_empty();
            assert_eq!(is_own_group(user.uid, number), own, "{}", user.name);
            assert!(!is_own_group(user.uid, 0));
        }
    }

    #[test]
    fn a_link_is_judged_by_where_it_leads() {
        let root = tempfile::tempdir().unwrap();
        let real = root.path().canonicalize().unwrap().join("real");
        private_directory(&real).unwrap();
        let link = root.path().join("link");
        symlink(&real, &link).unwrap();
        assert_eq!(private_directory(&link).unwrap(), real);
        set(&real, 0o777);
        assert_eq!(exposed(&link), (real.clone(), Exposure::Writable));
        set(&real, 0o700);
    }

    #[test]
    fn what_belongs_to_others_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let cache = root.path().canonicalize().unwrap().join("cache");
        private_directory(&cache).unwrap();
        // Only root can give a directory away; as another user, take one that is root's.
        match std::os::unix::fs::chown(&cache, Some(12345), None) {
            Ok(()) => assert_eq!(exposed(&cache), (cache, Exposure::Foreign(12345))),
            Err(_) => assert_eq!(exposed(Path::new("/")), (PathBuf::from("/"), Exposure::Foreign(0))),
        }
    }
}
