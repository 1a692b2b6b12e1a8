-- A loop along the diagonal of a local array does not write all of it.
-- unreduced: violated
-- twin: n != 1; => n != 2;
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3; b: array [p] of 0..2;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; for i: p do b[i] := 0; end; end;
ruleset i: p do ruleset v: 1..2 do rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> a[i] := v; end; end; end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==> var t: array [0..1] of array [0..1] of 0..2; begin ph := 1; t[0][1] := 0; for i: p do for j: 0..1 do t[j][j] := 0; end; b[i] := t[0][1]; t[0][1] := a[i]; end; for i: p do n := n + b[i]; end; end;
invariant "n" n != 1;
