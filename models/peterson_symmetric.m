-- Peterson's mutual exclusion algorithm for N processes, with interchangeable
-- processes.
--
-- The same algorithm as peterson.m, but process names form a scalarset, so that
-- a verifier may treat states that differ by a renaming of the processes as one.
-- The victim registers start undefined: no process may be singled out.
--
-- Abstraction: memory is sequentially consistent. A write is one step, and so is
-- the test of the waiting condition over all other processes.
--
-- Property: at most one process is in its critical section, and at most
-- N - l processes are above level l.

const
  process_count: 4;

type
  process: scalarset(process_count);
  level: 0..process_count - 1;
  process_total: 0..process_count;
  waiting_level: 1..process_count - 1;
  location: enum { outside, announcing, yielding, waiting, critical };

var
  at: array [process] of location;
  reached: array [process] of level;
  victim: array [waiting_level] of process;

-- How many processes have passed the test of level l.
function processes_above(l: level): process_total;
var
  total: process_total;
begin
  total := 0;
  for p: process do
    if reached[p] > l | (reached[p] = l & (at[p] = announcing | at[p] = critical)) then
      total := total + 1;
    end;
  end;
  return total;
end;

startstate "everyone outside"
begin
  for p: process do
    at[p] := outside;
    reached[p] := 0;
  end;
  undefine victim;
end;

ruleset p: process do

  rule "start to compete"
    at[p] = outside
  ==>
  begin
    at[p] := announcing;
  end;

  rule "announce the next level"
    at[p] = announcing
  ==>
  begin
    reached[p] := reached[p] + 1;
    at[p] := yielding;
  end;

  rule "become the victim of the level"
    at[p] = yielding
  ==>
  begin
    victim[reached[p]] := p;
    at[p] := waiting;
  end;

  rule "pass the level"
    at[p] = waiting
    & (victim[reached[p]] != p
      | forall q: process do q != p -> reached[q] < reached[p] end)
  ==>
  begin
    if reached[p] = process_count - 1 then
      at[p] := critical;
    else
      at[p] := announcing;
    end;
  end;

  rule "leave the critical section"
    at[p] = critical
  ==>
  begin
    reached[p] := 0;
    at[p] := outside;
  end;

end;

invariant "mutual exclusion"
  forall p: process do
    forall q: process do
      p != q -> !(at[p] = critical & at[q] = critical)
    end
  end;

invariant "every level holds someone back"
  forall l: waiting_level do
    processes_above(l) <= process_count - l
  end;
