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
    /// Rules whose successor would be sent if no process owned any of its own successors, and none
    /// was sent lately: with more processes, fewer are.
    pub sent: f64,
    /// Seconds of a processor for a state that is sent, at both ends together.
    pub send: f64,
    /// Bytes of a state on its way.
    pub bytes: f64,
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

impl Costs {
    /// From a search of one process and one of `two.processes` on this number of processors. The
    /// time at the ends of levels is taken out of both.
    pub fn of(one: &Measured, two: &Measured, processors: f64, agreement: f64) -> Costs {
        let (states, rules, levels) = (one.states as f64, one.rules as f64, one.levels as f64);
        let elsewhere = 1.0 - 1.0 / f64::from(two.processes);
        let at_once = f64::from(two.processes).min(processors);
        let rule = (one.seconds / rules).max(1e-12);
        let sent = two.states_sent as f64;
        let send = ((two.seconds - levels * agreement) * at_once - rules * rule) / sent.max(1.0);
        let bytes = two.bytes_sent as f64 / sent.max(1.0);
        let found_elsewhere = sent + two.states_repeated as f64;
        let all = found_elsewhere / elsewhere / rules;
        Costs { states, rules, levels, rule, sent: all, send: send.max(0.0), bytes }
    }

    /// The time of a search with shares of equal size.
    pub fn predict(&self, on: Machines) -> Predicted {
        let Machines { count, processors, bandwidth, agreement } = on;
        let sent = self.rules * self.sent * (1.0 - 1.0 / count);
        let work = (self.rules * self.rule + sent * self.send) / (count * processors);
        let links = sent * self.bytes / (count * bandwidth);
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

    fn measured(processes: u32, seconds: f64, sent: u64) -> Measured {
        Measured {
            processes,
            seconds,
            states: 1_000_000,
            rules: 4_000_000,
            levels: 10,
            memory: 0,
            states_sent: sent,
            states_repeated: 0,
            bytes_sent: sent * 20,
        }
    }

    /// What was measured comes out again, and more machines come to a limit.
    #[test]
    fn the_formula_gives_back_what_it_was_made_from() {
        let (one, two) = (measured(1, 8.0, 0), measured(2, 5.0, 1_000_000));
        let costs = Costs::of(&one, &two, 2.0, 0.01);
        assert!((costs.rule - 2e-6).abs() < 1e-12 && (costs.send - 1.8e-6).abs() < 1e-9, "{costs:?}");
        assert!((costs.predict_local(1.0, 2.0, 1e12, 0.01).seconds - 8.0).abs() < 1e-9);
        assert!((costs.predict_local(2.0, 2.0, 1e12, 0.01).seconds - 5.0).abs() < 1e-9);
        // Half of all rules would be sent, so half of 4 million times 20 bytes, at 1 MB a second.
        let slow = costs.predict_local(2.0, 2.0, 1e6, 0.01);
        assert!((slow.links - 20.0).abs() < 1e-9 && slow.seconds > 20.0, "{slow:?}");
        let many = Machines { count: 1e6, processors: 1.0, bandwidth: 1e9, agreement: 0.01 };
        assert!((costs.predict(many).seconds - 0.1).abs() < 1e-3);
    }
}
