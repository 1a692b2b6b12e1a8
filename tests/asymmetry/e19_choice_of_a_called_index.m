-- A choice from a bag whose index a function computes.
-- unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; m: array [0..1] of multiset [2] of p;
function f(i: p): 0..1; begin if ph = 1 then assume a[i] != 2; assert a[i] != 1; end; return 0; end;
startstate begin for i: p do a[i] := 0; end; ph := 0; for i: p do multisetadd(i, m[0]); end; end;
ruleset i: p do ruleset v: 1..2 do rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> a[i] := v; end; end; end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==> ph := 1; end;
ruleset i: p do choose x: m[f(i)] do invariant "n" ph < 2; end; end;
