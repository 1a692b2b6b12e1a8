type node: scalarset(3);
var busy: array [node] of boolean; row: array [0..3] of 0..3;
startstate begin clear busy; clear row; end;
ruleset n: node do
  rule "work" forall m: node do !busy[m] | m = n end ==> begin busy[n] := !busy[n]; end;
end;
invariant "sorted pairs" forall i := 0 to 2 by 2 do row[i] <= row[i + 1] end;
invariant "one at most" !exists m: node; n: node do m != n & busy[m] & busy[n] end;
