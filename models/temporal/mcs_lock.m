-- The queue lock of Mellor-Crummey and Scott (models/mcs_lock.m has it with names that can be
-- exchanged): whoever has come to the tail gets the lock, in the order of the queue.

const
  process_count: 3;
  swaps_back: 1;  -- 0: the tail is reset without looking whether somebody has come to it
type
  process: 1..process_count;
  pointer: 0..process_count;  -- 0: nobody

var
  at: array [process] of enum {
    outside, linking, spinning, critical, resetting, awaiting, handing_over
  };
  predecessor, successor: array [process] of pointer;
  blocked: array [process] of boolean;
  busy: array [process] of boolean;
  tail: pointer;

startstate
begin
  clear at;
  clear predecessor;
  clear successor;
  clear blocked;
  clear busy;
  tail := 0;
end;

ruleset p: process do
  -- What a process does elsewhere, for ever if it likes.
  rule "work" at[p] = outside ==> begin busy[p] := !busy[p]; end;

  -- Nobody has to come.
  rule "come" at[p] = outside ==>
  begin
    successor[p] := 0;
    if tail = 0 then
      at[p] := critical;
    else
      predecessor[p] := tail;
      blocked[p] := true;
      at[p] := linking;
    end;
    tail := p;
  end;

  fair rule "link" at[p] = linking ==>
  begin
    successor[predecessor[p]] := p;
    predecessor[p] := 0;
    at[p] := spinning;
  end;

  fair rule "enter" at[p] = spinning & !blocked[p] ==> begin at[p] := critical; end;

  fair rule "leave" at[p] = critical ==>
  begin
    at[p] := successor[p] = 0 ? resetting : handing_over;
  end;

  fair rule "reset the tail" at[p] = resetting ==>
  begin
    if tail = p | swaps_back = 0 then
      tail := 0;
      at[p] := outside;
    else
      at[p] := awaiting;
    end;
  end;

  fair rule "see the successor" at[p] = awaiting & successor[p] != 0 ==>
  begin
    at[p] := handing_over;
  end;

  fair rule "hand over" at[p] = handing_over ==>
  begin
    blocked[successor[p]] := false;
    at[p] := outside;
  end;
end;

ltl "one at a time"
  [] forall p: process; q: process do p = q | at[p] != critical | at[q] != critical end;
ltl "no starvation"
  forall p: process do (at[p] = linking | at[p] = spinning) ~> at[p] = critical end;
ltl "the lock becomes free" forall p: process do at[p] = critical ~> at[p] = outside end;
ltl "in the order of the queue"
  forall p: process; q: process do
    [] (at[q] = spinning & predecessor[p] = q -> (at[p] != critical weakuntil at[q] = critical)) end;
liveness "it can be quiet" tail = 0 & forall p: process do at[p] = outside end;
