-- A removal that looks at the slots of another bag of the array.
-- unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3; c, d: array [p] of 0..1; net: array [0..1] of multiset [2] of 0..1;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; for i: p do c[i] := 0; d[i] := 0; end; multisetadd(1, net[0]); multisetadd(0, net[1]); end;
ruleset i: p do ruleset v: 1..2 do rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> a[i] := v; end; end; end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==> begin ph := 1; for i: p do c[i] := a[i] - 1; d[i] := 2 - a[i]; end; for i: p do multisetremovepred(k: net[c[i]], net[d[i]][k] = 1); end; end;
invariant "n" n != 1;
