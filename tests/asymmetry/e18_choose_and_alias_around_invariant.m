-- An alias inside a choice calls a function with an assumption.
-- unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; m: multiset [2] of p;
function f(i: p): boolean; begin if ph = 1 then assume a[i] != 1; assert a[i] != 2; end; return true; end;
startstate begin for i: p do a[i] := 0; end; ph := 0; for i: p do multisetadd(i, m); end; end;
ruleset i: p do ruleset v: 1..2 do rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> a[i] := v; end; end; end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==> ph := 1; end;
choose x: m do alias k: f(m[x]) do invariant "n" k; end; end;
