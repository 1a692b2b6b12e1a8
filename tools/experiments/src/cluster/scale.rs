//! What more machines would gain, computed from what was measured on one: the formula of
//! `docs/internals/scale.md`.

use super::speed::Measured;

/// What a search costs, whatever the number of processes.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    pub states: f64,
    pub rules: f64,
    pub levels: f64,
    /// Seconds of a processor for a rule, with its successor looked up.
    pub rule: f64,
    /// Of all rules, those whose successor would belong elsewhere if no process owned any of its
    /// own successors.
    pub elsewhere: f64,
    /// Of these, two processes do not send again what they sent lately: this part, times two. A
    /// state is found again by the same process about as often as there are fewer processes.
    pub repeated: f64,
    /// Seconds of a processor for a state that is sent, at both ends together.
    pub send: f64,
    /// Bytes of a state on its way between two processes, what each doubling of their number adds,
    /// and the most: a state that has nothing in common with the one before it.
    pub bytes: f64,
    pub doubling: f64,
    pub most_bytes: f64,
}

/// Where it is searched.
#[derive(Clone, Copy, Debug)]
pub struct Machines {
    pub count: f64,
    /// Processors for the search on each.
    pub processors: f64,
    /// Bytes in a second, out of each and into each.
    pub bandwidth: f64,
    /// Seconds in which all agree that a level is over.
    pub agreement: f64,
}

/// What that gives.
#[derive(Clone, Copy, Debug)]
pub struct Predicted {
    pub seconds: f64,
    /// Parts of that: processors at work, or links if these take longer; and the ends of levels.
    pub work: f64,
    pub links: f64,
    pub ends: f64,
}

/// Bytes of an origin and of what says which words differ, about.
const HEAD: f64 = 6.0;

impl Costs {
    /// From a search of one process, and searches of two and perhaps more, on a machine with this
    /// number of processors; the time for the ends of levels is taken out of both.
    pub fn of(one: &Measured, several: &[&Measured], processors: f64, agreement: f64) -> Option<Costs> {
        let two = several.iter().find(|measured| measured.processes == 2)?;
        let (states, rules, levels) = (one.states as f64, one.rules as f64, one.levels as f64);
        let at_once = f64::from(two.processes).min(processors);
        let rule = (one.seconds / rules).max(1e-12);
        let send =
            ((two.seconds - levels * agreement) * at_once - rules * rule) / (two.states_sent as f64).max(1.0);
        let mean = |of: &dyn Fn(&Measured) -> f64| {
            several.iter().map(|measured| of(measured)).sum::<f64>() / several.len() as f64
        };
        let found = |measured: &Measured| (measured.states_sent + measured.states_repeated) as f64;
        let count = |measured: &Measured| f64::from(measured.processes);
        let elsewhere = mean(&|one| found(one) / (1.0 - 1.0 / count(one)) / rules);
        let repeated = mean(&|one| one.states_repeated as f64 / found(one).max(1.0) * count(one));
        let each = |measured: &Measured| measured.bytes_sent as f64 / (measured.states_sent as f64).max(1.0);
        let doublings = |measured: &Measured| (count(measured) / 2.0).log2();
        let (middle, bytes) = (mean(&doublings), mean(&each));
        let spread = mean(&|one| (doublings(one) - middle).powi(2));
        let together = mean(&|one| (doublings(one) - middle) * (each(one) - bytes));
        let doubling = if spread > 0.0 { (together / spread).max(0.0) } else { 0.0 };
        let state = one.bits_per_state as f64 / 8.0;
        Some(Costs {
            states,
            rules,
            levels,
            rule,
            elsewhere,
            repeated,
            send: send.max(0.0),
            bytes: bytes - doubling * middle,
            doubling,
            most_bytes: state * 9.0 / 8.0 + HEAD,
        })
    }

    /// States that this number of processes sends.
    pub fn sent(&self, processes: f64) -> f64 {
        let found = self.rules * self.elsewhere * (1.0 - 1.0 / processes);
        found * (1.0 - (self.repeated / processes).min(1.0))
    }

    /// Bytes of each of them.
    pub fn bytes(&self, processes: f64) -> f64 {
        let doublings = (processes / 2.0).log2().max(0.0);
        (self.bytes + self.doubling * doublings).min(self.most_bytes.max(self.bytes))
    }

    /// The time of a search with shares of equal size.
    pub fn predict(&self, on: Machines) -> Predicted {
        let Machines { count, processors, bandwidth, agreement } = on;
        let sent = self.sent(count);
        let work = (self.rules * self.rule + sent * self.send) / (count * processors);
        let links = sent * self.bytes(count) / (count * bandwidth);
        let ends = if count > 1.0 { self.levels * agreement } else { 0.0 };
        Predicted { seconds: work.max(links) + ends, work, links, ends }
    }

    /// The time of that number of processes of one thread on one machine, whose links all have this
    /// bandwidth together.
    pub fn predict_local(
        &self,
        processes: f64,
        processors: f64,
        bandwidth: f64,
        agreement: f64,
    ) -> Predicted {
        let at_once = processes.min(processors);
        let on = Machines {
            count: processes,
            processors: at_once / processes,
            bandwidth: bandwidth / processes,
            agreement,
        };
        self.predict(on)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A million states of 16 bytes with four rules each.
    fn measured(processes: u32, seconds: f64, sent: u64, repeated: u64, bytes: u64) -> Measured {
        Measured {
            processes,
            seconds,
            states: 1_000_000,
            rules: 4_000_000,
            levels: 10,
            memory: 0,
            bits_per_state: 128,
            states_sent: sent,
            states_repeated: repeated,
            bytes_sent: sent * bytes,
        }
    }

    /// What was measured comes out again, and more machines come to a limit.
    #[test]
    fn the_formula_gives_back_what_it_was_made_from() {
        let (one, two) = (measured(1, 8.0, 0, 0, 0), measured(2, 5.0, 1_000_000, 1_000_000, 10));
        let costs = Costs::of(&one, &[&two], 2.0, 0.01).unwrap();
        assert!((costs.rule - 2e-6).abs() < 1e-12 && (costs.send - 1.8e-6).abs() < 1e-9, "{costs:?}");
        assert!((costs.predict_local(1.0, 2.0, 1e12, 0.01).seconds - 8.0).abs() < 1e-9);
        assert!((costs.predict_local(2.0, 2.0, 1e12, 0.01).seconds - 5.0).abs() < 1e-9);
        // All rules lead elsewhere in half of the cases, and a half of that was sent lately; with
        // four processes three quarters, and a quarter.
        assert!((costs.sent(2.0) - 1e6).abs() < 1.0 && (costs.sent(4.0) - 2.25e6).abs() < 1.0);
        assert_eq!((costs.bytes(2.0), costs.bytes(128.0)), (10.0, 10.0));
        let slow = costs.predict_local(2.0, 2.0, 1e6, 0.01);
        assert!((slow.links - 10.0).abs() < 1e-9 && slow.seconds > 10.0, "{slow:?}");
        let many = Machines { count: 1e6, processors: 1.0, bandwidth: 1e9, agreement: 0.01 };
        assert!((costs.predict(many).seconds - 0.1).abs() < 1e-3);
        assert!(Costs::of(&one, &[], 2.0, 0.01).is_none());
    }

    /// Bytes grow with each doubling, up to those of a state that has nothing in common.
    #[test]
    fn what_several_numbers_of_processes_send_is_fitted() {
        let one = measured(1, 8.0, 0, 0, 0);
        let several = [
            measured(2, 5.0, 1_000_000, 1_000_000, 10),
            measured(4, 5.0, 2_250_000, 750_000, 12),
            measured(8, 5.0, 3_062_500, 437_500, 14),
        ];
        let several: Vec<&Measured> = several.iter().collect();
        let costs = Costs::of(&one, &several, 2.0, 0.01).unwrap();
        assert!((costs.elsewhere - 1.0).abs() < 1e-9 && (costs.repeated - 1.0).abs() < 1e-9, "{costs:?}");
        for measured in several {
            let processes = f64::from(measured.processes);
            assert!((costs.sent(processes) - measured.states_sent as f64).abs() < 1.0, "{costs:?}");
            let bytes = measured.bytes_sent as f64 / measured.states_sent as f64;
            assert!((costs.bytes(processes) - bytes).abs() < 1e-9, "{costs:?}");
        }
        assert!((costs.bytes(32.0) - 18.0).abs() < 1e-9);
        assert!((costs.bytes(1e9) - (18.0 + HEAD)).abs() < 1e-9);
    }
}
