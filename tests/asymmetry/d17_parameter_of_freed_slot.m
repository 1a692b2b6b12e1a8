-- The same through a parameter.
-- unreduced: violated
-- twin: a[x] = 1 => a[x] = 2
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; m: multiset [1] of 0..2; g: array [p] of 0..2; b: boolean; ph: 0..2;
procedure take(var z: 0..2; x: p); begin multisetremovepred(k: m, true); g[x] := z; end;
startstate begin for i: p do a[i] := 0; g[i] := 2; end; b := true; ph := 0; multisetadd(1, m); end;
ruleset i: p do ruleset v: 1..2 do rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> a[i] := v; end; end; end;
ruleset x: p do choose k: m do rule "take" ph = 0 & a[x] = 1 & (forall i: p do a[i] != 0 end) ==> take(m[k], x); ph := 1; end; end; end;
rule "go" ph = 1 ==> for i: p do b := b & (g[i] = 1); end; ph := 2; end;
