-- Dekker's mutual exclusion algorithm for two processes, the first correct
-- solution of the problem with reads and writes alone.
--
-- A process raises its flag; if the other flag is up too, the process whose turn
-- it is not takes its own flag down until the turn changes.
--
-- Abstraction: memory is sequentially consistent and every access of a shared
-- variable is a step of its own.
--
-- Properties: the two processes are never in their critical sections together; a
-- flag is up exactly while its owner competes; no deadlock.

type
  process: 0..1;
  location: enum {
    thinking,     -- outside
    raising,      -- about to raise the flag
    looking,      -- reads the other flag
    asking,       -- both flags are up: reads the turn
    lowering,     -- it is the other's turn: about to take the flag down
    standing_by,  -- waits for the turn
    critical,
    passing_turn,  -- leaving: gives the turn away
    leaving        -- leaving: takes the flag down
  };

var
  at: array [process] of location;
  flag: array [process] of boolean;
  turn: process;

function other(p: process): process;
begin
  return 1 - p;
end;

ruleset first: process do
  startstate "both think"
  begin
    for p: process do
      at[p] := thinking;
      flag[p] := false;
    end;
    turn := first;
  end;
end;

ruleset p: process do

  rule "want to enter"
    at[p] = thinking
  ==>
  begin
    at[p] := raising;
  end;

  rule "raise the flag"
    at[p] = raising
  ==>
  begin
    flag[p] := true;
    at[p] := looking;
  end;

  rule "look at the other flag"
    at[p] = looking
  ==>
  begin
    at[p] := flag[other(p)] ? asking : critical;
  end;

  rule "whose turn is it"
    at[p] = asking
  ==>
  begin
    if turn = p then
      at[p] := looking;
    else
      at[p] := lowering;
    end;
  end;

  rule "take the flag down"
    at[p] = lowering
  ==>
  begin
    flag[p] := false;
    at[p] := standing_by;
  end;

  rule "the turn has come"
    at[p] = standing_by & turn = p
  ==>
  begin
    at[p] := raising;
  end;

  rule "finish the critical section"
    at[p] = critical
  ==>
  begin
    at[p] := passing_turn;
  end;

  rule "give the turn away"
    at[p] = passing_turn
  ==>
  begin
    turn := other(p);
    at[p] := leaving;
  end;

  rule "leave"
    at[p] = leaving
  ==>
  begin
    flag[p] := false;
    at[p] := thinking;
  end;

end;

invariant "mutual exclusion"
  !(at[0] = critical & at[1] = critical);

ruleset p: process do
  invariant "the flag is up exactly from raising it to taking it down"
    flag[p] = (at[p] = looking | at[p] = asking | at[p] = lowering
      | at[p] = critical | at[p] = passing_turn | at[p] = leaving);
end;
