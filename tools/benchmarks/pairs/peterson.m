-- Peterson's mutual exclusion algorithm for N processes, as in models/peterson.m but larger: one half of a
-- pair. The other half, peterson.pml, is the same in Promela: the same steps, and so the same states and as many
-- transitions.

const
  process_count: 5;

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
