-- The assertion before an addition is about another bag than the addition.
-- unreduced: violated
-- twin: n != 1; => n != 2;
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3; net: array [0..1] of multiset [2] of 0..1;
function f(var t: 0..1; i: p): 0..1; begin t := a[i] - 1; return 0; end;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; end;
ruleset i: p do ruleset v: 1..2 do rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> a[i] := v; end; end; end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==> var t: 0..1; begin ph := 1; for i: p do t := 0; assert multisetcount(k: net[t], true) < 1; multisetadd(f(t, i), net[t]); end; end;
invariant "n" n != 1;
