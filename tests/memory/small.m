-- Small states, many of them: four processes, which are alike, with counters.
const n: 4; most: 60;
type process: scalarset(n);
var
  count: array [process] of 0..most;
  total: 0..most;
startstate begin for i: process do count[i] := 0; end; total := 0; end;
ruleset i: process do
  rule "up" count[i] < most ==> begin count[i] := count[i] + 1; total := (total + 1) % most; end;
  rule "down" count[i] > 0 & total > 7 ==> begin count[i] := count[i] - 1; end;
end;
invariant "small" forall i: process do count[i] <= most end;
