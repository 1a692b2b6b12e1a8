-- A lock that whoever comes first takes. A process that waits is able to take it again and again,
-- but not all the time: weak fairness is too little for it, strong fairness is enough.

type process: 1..3;

var
  taken: boolean;
  place: array [process] of enum { outside, waiting, inside };

startstate
begin
  taken := false;
  for p: process do place[p] := outside; end;
end;

ruleset p: process do
  fair rule "ask" place[p] = outside ==> begin place[p] := waiting; end;

  strong fair rule "take" place[p] = waiting & !taken ==>
  begin
    taken := true;
    place[p] := inside;
  end;

  fair rule "release" place[p] = inside ==>
  begin
    taken := false;
    place[p] := outside;
  end;
end;

invariant "one inside" forall p: process; q: process do
  place[p] = inside & place[q] = inside -> p = q end;

ltl "nobody starves" forall p: process do place[p] = waiting ~> place[p] = inside end;
ltl "somebody comes in" [] <> exists p: process do place[p] = inside end;
