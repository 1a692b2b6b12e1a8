-- Lamport's bakery algorithm with bounded tickets, as in models/bakery.m but larger: one half of a pair. The other
-- half, bakery.pml, is the same in Promela: the same steps, and so the same states and as many transitions.
--
-- Property: at most one process is in its critical section.

const
  process_count: 4;
  last_ticket: 6;

type
  process: 0..process_count - 1;
  ticket: 0..last_ticket;
  location: enum { outside, reading, writing, scanning, queueing, critical };

var
  at: array [process] of location;
  choosing: array [process] of boolean;
  number: array [process] of ticket;
  seen: array [process] of ticket;                -- the maximum that was read
  position: array [process] of 0..process_count;  -- whom p is looking at
  inside: 0..process_count;

startstate "empty shop"
begin
  for p: process do
    at[p] := outside;
    choosing[p] := false;
    number[p] := 0;
    seen[p] := 0;
    position[p] := 0;
  end;
  inside := 0;
end;

ruleset p: process do

  rule "begin to choose"
    at[p] = outside
  ==>
  begin
    choosing[p] := true;
    at[p] := reading;
  end;

  rule "read the largest ticket"
    at[p] = reading & forall q: process do number[q] != last_ticket end
  ==>
  begin
    for q: process do
      if number[q] > seen[p] then
        seen[p] := number[q];
      end;
    end;
    at[p] := writing;
  end;

  rule "find the tickets used up"
    at[p] = reading & exists q: process do number[q] = last_ticket end
  ==>
  begin
    choosing[p] := false;
    at[p] := outside;
  end;

  rule "write the own ticket"
    at[p] = writing
  ==>
  begin
    number[p] := 1 + seen[p];
    seen[p] := 0;
    choosing[p] := false;
    at[p] := scanning;
  end;

  rule "the process looked at has its ticket"
    at[p] = scanning & position[p] != process_count & !choosing[position[p]]
  ==>
  begin
    at[p] := queueing;
  end;

  rule "the process looked at does not go first"
    at[p] = queueing
    & (number[position[p]] = 0
      | number[position[p]] > number[p]
      | (number[position[p]] = number[p] & position[p] >= p))
  ==>
  begin
    position[p] := position[p] + 1;
    at[p] := scanning;
  end;

  rule "enter"
    at[p] = scanning & position[p] = process_count
  ==>
  begin
    position[p] := 0;
    at[p] := critical;
    inside := inside + 1;
    assert inside = 1 "mutual exclusion";
  end;

  rule "leave"
    at[p] = critical
  ==>
  begin
    number[p] := 0;
    at[p] := outside;
    inside := inside - 1;
  end;

end;
