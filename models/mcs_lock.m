-- The queue lock of Mellor-Crummey and Scott.
--
-- Waiting processes form a linked list. Each process spins on a flag in its own
-- queue node; `tail` points to the node of the last process. Acquiring swaps the
-- own node into `tail` and, if there was a predecessor, links behind it.
-- Releasing hands over to the successor, or resets `tail` by compare-and-swap.
--
-- Abstraction: each process owns one node, so that a process name is also a
-- pointer to its node; nil is `undefined`. Swap, compare-and-swap, reads and
-- writes of shared memory are single steps on sequentially consistent memory.
--
-- Properties: mutual exclusion; the lock goes to processes in the order in which
-- they swapped themselves in; a free lock has no tail.

const
  process_count: 4;

type
  process: scalarset(process_count);
  queue_length: 0..process_count;
  location: enum {
    outside,
    swapping,  -- about to swap itself into the tail
    linking,   -- about to tell the predecessor
    spinning,  -- waits for its own flag
    critical,
    checking_successor,  -- releasing: has anyone linked behind?
    resetting_tail,      -- releasing: compare-and-swap of the tail
    awaiting_successor,  -- releasing: somebody swapped in but has not linked yet
    handing_over         -- releasing: clears the successor's flag
  };
  node: record
    next: process;  -- undefined: nobody linked yet
    blocked: boolean;
  end;

var
  at: array [process] of location;
  queue_node: array [process] of node;
  predecessor: array [process] of process;  -- a local variable of each process
  tail: process;                            -- undefined: the lock is free

  -- For the property only: how many processes are ahead in the queue.
  ahead: array [process] of queue_length;
  queued: queue_length;

startstate "free lock"
begin
  undefine queue_node;
  undefine predecessor;
  undefine tail;
  for p: process do
    at[p] := outside;
    queue_node[p].blocked := false;
    ahead[p] := 0;
  end;
  queued := 0;
end;

ruleset p: process do
  alias mine: queue_node[p] do

    rule "prepare the own node"
      at[p] = outside
    ==>
    begin
      undefine mine.next;
      at[p] := swapping;
    end;

    rule "swap into the tail"
      at[p] = swapping
    ==>
    begin
      if isundefined(tail) then
        at[p] := critical;
      else
        predecessor[p] := tail;
        mine.blocked := true;
        at[p] := linking;
      end;
      tail := p;
      ahead[p] := queued;
      queued := queued + 1;
    end;

    rule "link behind the predecessor"
      at[p] = linking
    ==>
    begin
      queue_node[predecessor[p]].next := p;
      at[p] := spinning;
    end;

    rule "see the flag cleared"
      at[p] = spinning & !mine.blocked
    ==>
    begin
      undefine predecessor[p];
      at[p] := critical;
    end;

    rule "leave the critical section"
      at[p] = critical
    ==>
    begin
      at[p] := checking_successor;
    end;

    rule "check for a successor"
      at[p] = checking_successor
    ==>
    begin
      at[p] := isundefined(mine.next) ? resetting_tail : handing_over;
    end;

    rule "compare and swap the tail"
      at[p] = resetting_tail
    ==>
    begin
      if tail = p then
        undefine tail;
        queued := queued - 1;
        at[p] := outside;
      else
        at[p] := awaiting_successor;
      end;
    end;

    rule "the successor has linked"
      at[p] = awaiting_successor & !isundefined(mine.next)
    ==>
    begin
      at[p] := handing_over;
    end;

    rule "hand the lock over"
      at[p] = handing_over
    ==>
    begin
      queue_node[mine.next].blocked := false;
      undefine mine.next;
      queued := queued - 1;
      for q: process do
        if ahead[q] > 0 then
          ahead[q] := ahead[q] - 1;
        end;
      end;
      at[p] := outside;
    end;

  end;
end;

invariant "mutual exclusion"
  forall p: process do
    forall q: process do
      at[p] = critical & at[q] = critical -> p = q
    end
  end;

invariant "first come, first served"
  forall p: process do
    at[p] = critical -> ahead[p] = 0
  end;

invariant "a lock without tail has no owner and no queue"
  isundefined(tail) -> queued = 0;
