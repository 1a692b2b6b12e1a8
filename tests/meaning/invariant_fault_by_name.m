-- What an invariant meets first, a flag that is down or one that was never set, depends on the names of the processes. The
-- error that is told is the one at the end of the trace, whatever names the state was stored with.
type process: scalarset(3);
var
  flag: array [process] of boolean;
  seen: array [process] of boolean;
startstate
begin
  for p: process do flag[p] := true; seen[p] := true; end;
end;
ruleset p: process; q: process do
  rule "lose two" p != q & seen[p] & seen[q] ==>
  begin
    undefine seen[p];
    undefine flag[q];
  end;
end;
ruleset p: process do
  invariant "both are up" seen[p] & flag[p];
end;
