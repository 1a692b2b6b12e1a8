//! Which nodes of a graph can reach themselves: Tarjan's strongly connected components, without
//! recursion.

/// A node whose successors are being followed.
struct Visit {
    node: usize,
    next: usize,
}

/// For each node, whether it lies on a cycle. `graph` lists the successors of each node.
pub(super) fn on_cycle(graph: &[Vec<usize>]) -> Vec<bool> {
    let mut result = vec![false; graph.len()];
    // The number of each visited node in the order of visiting, and the smallest that it reaches.
    let mut number: Vec<Option<usize>> = vec![None; graph.len()];
    let mut lowest = vec![0; graph.len()];
    let mut waiting: Vec<usize> = Vec::new();
    let mut is_waiting = vec![false; graph.len()];
    let mut count = 0;
    for start in 0..graph.len() {
        if number[start].is_some() {
            continue;
        }
        let mut path = vec![Visit { node: start, next: 0 }];
        while let Some(Visit { node, next }) = path.last_mut() {
            let node = *node;
            if *next == 0 && number[node].is_none() {
                number[node] = Some(count);
                lowest[node] = count;
                count += 1;
                waiting.push(node);
                is_waiting[node] = true;
            }
            if let Some(&successor) = graph[node].get(*next) {
                *next += 1;
                match number.get(successor).copied() {
                    // Not a node of this graph.
                    None => {}
                    Some(None) => path.push(Visit { node: successor, next: 0 }),
                    Some(Some(seen)) if is_waiting[successor] => lowest[node] = lowest[node].min(seen),
                    // Its cycle is complete already.
                    Some(Some(_)) => {}
                }
                continue;
            }
            path.pop();
            if let Some(Visit { node: before, .. }) = path.last() {
                lowest[*before] = lowest[*before].min(lowest[node]);
            }
            if number[node] == Some(lowest[node]) {
                let from = waiting.iter().rposition(|other| *other == node).unwrap_or(0);
                let alone = waiting.len() - from == 1;
                for member in waiting.drain(from..) {
                    is_waiting[member] = false;
                    result[member] = !alone || graph[member].contains(&member);
                }
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::on_cycle;

    #[test]
    fn cycles_and_what_leads_to_them() {
        // 0 → 1 ⇄ 2 → 3, 4 ↺, 5 → 9, which does not exist.
        let graph = [vec![1], vec![2], vec![1, 3], vec![], vec![4], vec![9, 3]];
        assert_eq!(on_cycle(&graph), [false, true, true, false, true, false]);
    }

    #[test]
    fn two_cycles_with_a_bridge() {
        let graph = [vec![1], vec![0, 2], vec![3], vec![4], vec![3, 5], vec![]];
        assert_eq!(on_cycle(&graph), [true, true, false, true, true, false]);
    }

    #[test]
    fn a_long_chain() {
        let graph: Vec<Vec<usize>> = (0..100_000).map(|node| vec![node + 1]).collect();
        assert!(on_cycle(&graph).iter().all(|recursive| !recursive));
    }
}
