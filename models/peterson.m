-- Peterson's mutual exclusion algorithm for N processes (the "filter lock").
--
-- A process climbs through N - 1 levels. On each level it writes its name into
-- that level's `victim` register and waits until it is no longer the victim or
-- until nobody else has reached the level. Above the last level lies the
-- critical section.
--
-- Abstraction: memory is sequentially consistent. A write is one step, and so is
-- the test of the waiting condition over all other processes.
--
-- Property: at most one process is in its critical section.
--
-- The model scales: change process_count. Process names are a plain subrange, so
-- that nothing is symmetric; peterson_symmetric.m has the scalarset version.

const
  process_count: 4;

type
  process: 1..process_count;
  level: 0..process_count - 1;
  waiting_level: 1..process_count - 1;
  location: enum { outside, announcing, yielding, waiting, critical };

var
  at: array [process] of location;
  reached: array [process] of level;
  victim: array [waiting_level] of process;

startstate "everyone outside"
begin
  for p: process do
    at[p] := outside;
    reached[p] := 0;
  end;
  for l: waiting_level do
    victim[l] := 1;
  end;
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
