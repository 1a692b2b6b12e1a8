-- The queue lock of Mellor-Crummey and Scott, with a hasty release.
--
-- Waiting processes form a linked list. Acquiring swaps the own node into `tail`
-- and then links behind the predecessor. Releasing hands the lock to the
-- successor, or resets `tail` if there is none.
--
-- The bug: a releasing process that is not the tail knows that somebody is behind
-- it, but does not wait until that process has linked itself, and follows a
-- pointer that is not set yet. The correct lock is models/mcs_lock.m.
--
-- Abstraction: a process name is also a pointer to the process's node, nil is
-- `undefined`, memory is sequentially consistent.
--
-- Properties: mutual exclusion (holds as far as it goes); no undefined pointer is
-- followed (violated).

const
  process_count: 3;

type
  process: scalarset(process_count);
  location: enum { outside, linking, spinning, critical, releasing };
  node: record
    next: process;
    blocked: boolean;
  end;

var
  at: array [process] of location;
  queue_node: array [process] of node;
  predecessor: array [process] of process;
  tail: process;

startstate "free lock"
begin
  undefine queue_node;
  undefine predecessor;
  undefine tail;
  for p: process do
    at[p] := outside;
    queue_node[p].blocked := false;
  end;
end;

ruleset p: process do

  rule "swap into the tail"
    at[p] = outside
  ==>
  begin
    if isundefined(tail) then
      at[p] := critical;
    else
      predecessor[p] := tail;
      queue_node[p].blocked := true;
      at[p] := linking;
    end;
    tail := p;
  end;

  rule "link behind the predecessor"
    at[p] = linking
  ==>
  begin
    queue_node[predecessor[p]].next := p;
    undefine predecessor[p];
    at[p] := spinning;
  end;

  rule "get the lock"
    at[p] = spinning & !queue_node[p].blocked
  ==>
  begin
    at[p] := critical;
  end;

  rule "leave the critical section"
    at[p] = critical
  ==>
  begin
    at[p] := releasing;
  end;

  rule "release"
    at[p] = releasing
  ==>
  begin
    if tail = p then
      undefine tail;
    else
      queue_node[queue_node[p].next].blocked := false;
      undefine queue_node[p].next;
    end;
    at[p] := outside;
  end;

end;

invariant "mutual exclusion"
  forall p: process do
    forall q: process do
      at[p] = critical & at[q] = critical -> p = q
    end
  end;
