-- Mutual exclusion for two processes by Peterson's algorithm, with what is asked of it: whoever
-- waits comes in, if processes that can go on do. Nobody has to ask.

const
  looks_at_turn: 1;  -- 0: who sees that the other one wants to enter waits, whoever's turn it is
type
  process: 0..1;

var
  wants: array [process] of boolean;
  turn: process;
  place: array [process] of enum { outside, waiting, inside };
  busy: array [process] of boolean;

startstate
begin
  for p: process do
    wants[p] := false;
    place[p] := outside;
    busy[p] := false;
  end;
  turn := 0;
end;

ruleset p: process do
  -- What a process does elsewhere, for ever if it likes.
  rule "work" place[p] = outside ==> begin busy[p] := !busy[p]; end;

  rule "ask" place[p] = outside ==>
  begin
    wants[p] := true;
    turn := 1 - p;
    place[p] := waiting;
  end;

  fair rule "enter" place[p] = waiting & (!wants[1 - p] | looks_at_turn = 1 & turn = p) ==>
  begin
    place[p] := inside;
  end;

  fair rule "leave" place[p] = inside ==>
  begin
    wants[p] := false;
    place[p] := outside;
  end;

  ltl "who waits comes in" place[p] = waiting ~> place[p] = inside;
  ltl "who waits leaves" place[p] = waiting ~> fired("leave", p);
  ltl "first waiting, then inside" (place[p] != inside) weakuntil (place[p] = waiting);
  liveness "can come in" place[p] = inside;
end;

reject "both inside" place[0] = inside & place[1] = inside;
