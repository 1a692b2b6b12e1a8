-- A lock that is given in the order of asking: who waits comes in, without any fairness, since the
-- others run out of steps. Processes are a scalarset, so the formula is decided for one of them, on
-- states in which the others are reduced by symmetry.

const
  processes: 4;
  overtakes: 0;  -- 1: who does not wait may take a lock that is free

type process: scalarset(processes);

var
  place: array [process] of enum { outside, waiting, inside };
  line: array [0..processes - 1] of process;
  length: 0..processes;

startstate
begin
  for p: process do place[p] := outside; end;
  undefine line;
  length := 0;
end;

procedure advance();
begin
  for k := 0 to processes - 2 do
    if isundefined(line[k + 1]) then undefine line[k]; else line[k] := line[k + 1]; end;
  end;
  undefine line[processes - 1];
  length := length - 1;
end;

ruleset p: process do
  rule "ask" place[p] = outside ==>
  begin
    place[p] := waiting;
    line[length] := p;
    length := length + 1;
  end;

  rule "take" place[p] = waiting & line[0] = p & forall q: process do place[q] != inside end ==>
  begin
    place[p] := inside;
    advance();
  end;

  rule "overtake" overtakes = 1 & place[p] = outside & forall q: process do place[q] != inside end ==>
  begin
    place[p] := inside;
  end;

  rule "leave" place[p] = inside ==>
  begin
    place[p] := outside;
  end;
end;

invariant "one inside" forall p: process; q: process do
  place[p] = inside & place[q] = inside -> p = q end;

ltl "nobody starves" forall p: process do place[p] = waiting ~> place[p] = inside end;
ltl "in order" forall p: process; q: process do
  [] (fired("ask", p) & place[q] = waiting -> (!fired("take", p)) weakuntil fired("take", q)) end;
ruleset p: process do liveness "can be alone" place[p] = inside & length = 0; end;
