-- The slot of one bag is looked at in another, where it may be empty.
-- unreduced: violated
-- twin: n != 1; => n != 2;
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3; b: boolean; x, y: 0..1; net: array [0..1] of multiset [2] of 0..1;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; b := true; multisetadd(0, net[0]); x := 0; y := 1; end;
ruleset i: p do ruleset v: 1..2 do rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> a[i] := v; end; end; end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==> begin ph := 1; for i: p do b := b & (a[i] != 1 & multisetcount(k: net[x], net[y][k] = 1) = 0); end; end;
invariant "n" n != 1;
