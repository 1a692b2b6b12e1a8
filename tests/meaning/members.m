-- Unions, scalarsets and a priority: counted as CMurphi counts them.
type S: scalarset(2); E: enum { idle, busy }; F: enum { none }; U: union { S, E, F }; T: 0..2;
var u: array [S] of U; w: U; o: array [U] of T; s: S; c: T;
function nxt(t: T): T; begin return (t + 1) % 3; end;
startstate begin for i: S do u[i] := idle; end; w := none; for i: U do o[i] := 0; end; undefine s; c := 0; end;
ruleset i: S; j: S do
  rule "own" u[i] = idle & u[j] != i ==> begin u[i] := j; s := j; o[j] := nxt(o[j]); end;
  rule "busy" ismember(u[i], S) & u[i] = j ==> begin u[i] := busy; w := j; o[u[i]] := nxt(o[u[i]]); end;
  rule 2 "late" !isundefined(s) & s = i & w = j ==> begin undefine s; w := none; for k: S do u[k] := idle; end; end;
end;
ruleset i: U do rule "idle" w = i & c < 2 ==> begin c := c + 1; if w = idle then w := busy; elsif w = busy then w := none; else w := idle; end; end; end;
ruleset i: S do rule "rel" u[i] = busy & w = none ==> begin u[i] := idle; c := 0; w := none; end; end;
invariant forall i: S do !isundefined(u[i]) end;
