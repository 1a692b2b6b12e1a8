-- Lamport's bakery algorithm on a machine with small integers.
--
-- A process takes a ticket larger than every ticket in use, waits for those with
-- smaller tickets, enters its critical section and throws the ticket away.
--
-- The bug: as long as somebody holds a ticket the numbers grow, and they leave
-- the range of the ticket register. models/bakery.m shows one cure.
--
-- Abstraction: the largest ticket is read and one more is written in one step.
--
-- Properties: mutual exclusion (holds); tickets fit their register (violated).

const
  process_count: 2;
  last_ticket: 7;

type
  process: 1..process_count;
  ticket: 0..last_ticket;
  location: enum { outside, choosing, queueing, critical };

var
  at: array [process] of location;
  number: array [process] of ticket;

function largest_ticket(): ticket;
var
  largest: ticket;
begin
  largest := 0;
  for p: process do
    if number[p] > largest then
      largest := number[p];
    end;
  end;
  return largest;
end;

startstate "empty shop"
begin
  for p: process do
    at[p] := outside;
    number[p] := 0;
  end;
end;

ruleset p: process do

  rule "come in"
    at[p] = outside
  ==>
  begin
    at[p] := choosing;
  end;

  rule "draw a ticket"
    at[p] = choosing
  ==>
  begin
    number[p] := largest_ticket() + 1;
    at[p] := queueing;
  end;

  rule "be served"
    at[p] = queueing
    & forall q: process do
      q = p | number[q] = 0 | number[p] < number[q]
    end
  ==>
  begin
    at[p] := critical;
  end;

  rule "go out"
    at[p] = critical
  ==>
  begin
    number[p] := 0;
    at[p] := outside;
  end;

end;

invariant "mutual exclusion"
  !(at[1] = critical & at[2] = critical);
