-- Lamport's bakery algorithm, with bounded tickets.
--
-- A process takes a ticket larger than every ticket it sees, while its `choosing`
-- flag is up, then lets everyone pass who holds a smaller ticket (or the same
-- ticket and a smaller name).
--
-- Abstraction: the real algorithm's tickets grow without bound. Here the roll of
-- tickets ends, and a process that finds it used up goes away and tries again, so
-- that the state space is finite. The maximum is read in one step, which hides
-- the scan of the other tickets, but the result is written in a later step, so
-- that two processes may still draw the same ticket.
--
-- Properties: mutual exclusion; whoever is in the critical section holds the
-- smallest (ticket, name) pair among those that have finished waiting for it.

const
  process_count: 3;
  last_ticket: 4;

type
  process: 1..process_count;
  ticket: 0..last_ticket;
  location: enum { outside, reading, writing, scanning, queueing, critical };

var
  at: array [process] of location;
  choosing: array [process] of boolean;
  number: array [process] of ticket;
  seen: array [process] of ticket;                    -- the maximum that was read
  position: array [process] of 1..process_count + 1;  -- whom p is looking at

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

-- Does p, holding its ticket, have to let q pass?
function goes_first(q: process; p: process): boolean;
begin
  return number[q] != 0
    & (number[q] < number[p] | (number[q] = number[p] & q < p));
end;

startstate "empty shop"
begin
  for p: process do
    at[p] := outside;
    choosing[p] := false;
    number[p] := 0;
    seen[p] := 0;
    position[p] := 1;
  end;
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
    at[p] = reading & largest_ticket() < last_ticket
  ==>
  begin
    seen[p] := largest_ticket();
    at[p] := writing;
  end;

  rule "find the tickets used up"
    at[p] = reading & largest_ticket() = last_ticket
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
    position[p] := 1;
    at[p] := scanning;
  end;

  rule "the process looked at has its ticket"
    at[p] = scanning & position[p] <= process_count & !choosing[position[p]]
  ==>
  begin
    at[p] := queueing;
  end;

  rule "the process looked at does not go first"
    at[p] = queueing & !goes_first(position[p], p)
  ==>
  begin
    position[p] := position[p] + 1;
    at[p] := scanning;
  end;

  rule "enter"
    at[p] = scanning & position[p] > process_count
  ==>
  begin
    position[p] := 1;
    at[p] := critical;
  end;

  rule "leave"
    at[p] = critical
  ==>
  begin
    number[p] := 0;
    at[p] := outside;
  end;

end;

invariant "mutual exclusion"
  forall p: process do
    forall q: process do
      p != q -> at[p] != critical | at[q] != critical
    end
  end;

invariant "the owner of the critical section goes first"
  forall p: process do
    forall q: process do
      at[p] = critical & (at[q] = scanning | at[q] = queueing) & position[q] > p
      -> !goes_first(q, p)
    end
  end;
