//! Which state of a full set gives way: `--replace oldest`.
//!
//! Each entry has a stamp of one byte: when it was last asked for, and how often it was asked for
//! long after it was new.
//!
//! ```text
//! bits 0 to 5: the tick in which it was stored or last found, modulo 64
//! bits 6, 7:   chances: how often it was found two ticks or more after that, up to three times
//! ```
//! **A tick** is a level, or several levels that together bring fewer new states than a 64th of the
//! entries. So in 64 ticks at least as many states come as there are entries, and a state that
//! nobody asks for is gone before its age would be wrong by 64; for the others, [`Clock::limit`] is
//! applied to all stamps every 16 ticks, which is a byte in four for each new state.
//!
//! **The victim** is the state of the highest age, where each chance makes a state age more slowly.
//! Transitions lead to near levels, so old states are asked for least; but those to which something
//! leads back from afar are asked for again and again, from level after level. Evicting one of
//! them costs most: all that can be reached from it is found anew. The weights were chosen by
//! experiment: see `docs/internals/bounded-memory.md`.

/// Ticks that a stamp distinguishes.
const TICKS: u8 = 64;
/// Ages beyond this are not distinguished, and all stamps are looked through every `EVERY` ticks;
/// together below `TICKS`.
const OLDEST: u8 = 40;
const EVERY: u8 = 16;
/// Ticks after its last look-up from which on a state that is found gets a chance.
const LATE: u8 = 2;
const MOST_CHANCES: u8 = 3;
/// A state ages `1 << SLOWER[chances]` times more slowly.
const SLOWER: [u32; 4] = [0, 3, 4, 5];

/// What time it is in a part of the cache.
#[derive(Debug)]
pub struct Clock {
    now: u8,
    /// New states since the last tick, and those that make a tick.
    since: u64,
    enough: u64,
    /// For every stamp how dispensable a state with it is.
    ranks: Box<[u16; 256]>,
}

impl Clock {
    /// A clock for a cache of `entries` entries.
    pub fn new(entries: u64) -> Self {
        let mut clock = Clock {
            now: 0,
            since: 0,
            enough: (entries / u64::from(TICKS)).max(1),
            ranks: Box::new([0; 256]),
        };
        clock.rank();
        clock
    }

    fn age(&self, stamp: u8) -> u8 {
        self.now.wrapping_sub(stamp) % TICKS
    }

    fn rank(&mut self) {
        for stamp in 0..=u8::MAX {
            let age = u16::from(self.age(stamp));
            self.ranks[usize::from(stamp)] = (age << SLOWER[3]) >> SLOWER[usize::from(stamp / TICKS)];
        }
    }

    /// The tick, and the new states since it began.
    pub fn time(&self) -> (u8, u64) {
        (self.now, self.since)
    }

    pub fn set(&mut self, now: u8, since: u64) {
        (self.now, self.since) = (now % TICKS, since);
        self.rank();
    }

    /// The stamp of a new state.
    #[inline(always)]
    pub fn new_stamp(&mut self) -> u8 {
        self.since += 1;
        self.now
    }

    /// The stamp of a state that was found again.
    #[inline(always)]
    pub fn renew(&self, stamp: u8) -> u8 {
        let chances = stamp / TICKS;
        let late = self.age(stamp) >= LATE && chances < MOST_CHANCES;
        (chances + u8::from(late)) * TICKS + self.now
    }

    /// The entry that can best be done without.
    #[inline(always)]
    pub fn victim(&self, stamps: &[u8]) -> usize {
        let (mut victim, mut most) = (0, 0);
        for (way, &stamp) in stamps.iter().enumerate() {
            let rank = self.ranks[usize::from(stamp)];
            if rank > most {
                (victim, most) = (way, rank);
            }
        }
        // Where all are as new as can be, it is one after the other.
        if most == 0 { self.since as usize % stamps.len().max(1) } else { victim }
    }

    /// A level is over. True: [`Clock::limit`] is to be applied to all stamps.
    pub fn end_level(&mut self) -> bool {
        if self.since < self.enough {
            return false;
        }
        self.since = 0;
        self.now = (self.now + 1) % TICKS;
        self.rank();
        self.now.is_multiple_of(EVERY)
    }

    /// A stamp that will not be taken for a new one.
    pub fn limit(&self, stamp: u8) -> u8 {
        if self.age(stamp) > OLDEST {
            stamp / TICKS * TICKS + (self.now + TICKS - OLDEST) % TICKS
        } else {
            stamp
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tick(clock: &mut Clock) -> bool {
        for _ in 0..clock.enough {
            clock.new_stamp();
        }
        clock.end_level()
    }

    #[test]
    fn the_oldest_gives_way_unless_it_was_asked_for_late() {
        let mut clock = Clock::new(640);
        let mut stamps: Vec<u8> = (0..8)
            .map(|_| {
                let stamp = clock.new_stamp();
                tick(&mut clock);
                stamp
            })
            .collect();
        assert_eq!(clock.victim(&stamps), 0);
        stamps[0] = clock.renew(stamps[0]);
        assert_eq!((clock.age(stamps[0]), stamps[0] / TICKS, clock.victim(&stamps)), (0, 1, 1));
        // It becomes old again, but not before something without a chance is eight times as old.
        for _ in 0..7 {
            tick(&mut clock);
            stamps[1] = clock.new_stamp();
            assert_eq!(clock.victim(&stamps), 2);
        }
        // Found at once is no sign of anything.
        let new = clock.new_stamp();
        assert_eq!(clock.renew(new), new);
        tick(&mut clock);
        assert_eq!(clock.renew(new) / TICKS, 0);
    }

    #[test]
    fn small_levels_are_one_tick() {
        let mut clock = Clock::new(6400);
        for _ in 0..99 {
            clock.new_stamp();
            clock.end_level();
        }
        assert_eq!(clock.now, 0);
        clock.new_stamp();
        clock.end_level();
        assert_eq!((clock.now, clock.since), (1, 0));
    }

    /// However much time goes by, an old stamp never looks new.
    #[test]
    fn old_stays_old() {
        let mut clock = Clock::new(64);
        let mut stamps: Vec<u8> = (0..4).map(|chances| chances * TICKS).collect();
        for ticks in 1u32..1000 {
            if tick(&mut clock) {
                stamps.iter_mut().for_each(|stamp| *stamp = clock.limit(*stamp));
            }
            for (chances, &stamp) in stamps.iter().enumerate() {
                assert_eq!(usize::from(stamp / TICKS), chances);
                let age = u32::from(clock.age(stamp));
                assert!(age == ticks || age >= u32::from(OLDEST), "{ticks}: {age}");
            }
        }
    }

    #[test]
    fn among_new_ones_it_is_one_after_the_other() {
        let mut clock = Clock::new(1 << 20);
        let stamps = [clock.new_stamp(); 16];
        let victims: std::collections::HashSet<usize> = (0..16)
            .map(|_| {
                clock.new_stamp();
                clock.victim(&stamps)
            })
            .collect();
        assert_eq!(victims.len(), 16);
    }
}
