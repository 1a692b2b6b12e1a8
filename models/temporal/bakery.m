-- Lamport's bakery for two processes, with tickets that begin again when nobody has one.

const
  most: 3;
  in_order: 1;  -- 0: who comes first to the door enters
type
  process: 0..1;
  ticket: 0..most;

var
  number: array [process] of ticket;
  place: array [process] of enum { outside, waiting, inside };
  busy: array [process] of boolean;

startstate
begin
  for p: process do
    number[p] := 0;
    place[p] := outside;
    busy[p] := false;
  end;
end;

ruleset p: process do
  -- What a process does elsewhere, for ever if it likes.
  rule "work" place[p] = outside ==> begin busy[p] := !busy[p]; end;

  rule "draw" place[p] = outside & number[1 - p] < most ==>
  begin
    number[p] := number[1 - p] + 1;
    place[p] := waiting;
  end;

  fair rule "enter" place[p] = waiting
    & (in_order = 0 ? place[1 - p] != inside
      : number[1 - p] = 0 | number[p] < number[1 - p] | number[p] = number[1 - p] & p = 0) ==>
  begin
    place[p] := inside;
  end;

  fair rule "leave" place[p] = inside ==>
  begin
    number[p] := 0;
    place[p] := outside;
  end;
end;

invariant "one inside" place[0] != inside | place[1] != inside;

ltl "no starvation" forall p: process do [] (place[p] = waiting -> <> place[p] = inside) end;
ltl "in order" forall p: process do
  [] (fired("draw", p) & place[1 - p] = waiting ->
    next ((place[p] != inside) weakuntil (place[1 - p] = inside))) end;
