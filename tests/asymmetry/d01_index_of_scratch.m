-- A value whose index is a local variable that is another one in each iteration.
-- unreduced: violated
-- twin: n != 1; => n != 2;
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; end;
ruleset i: p do ruleset v: 1..2 do rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> a[i] := v; end; end; end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==> var t: p; begin ph := 1; for i: p do t := i; n := a[t]; end; end;
invariant "n" n != 1;
