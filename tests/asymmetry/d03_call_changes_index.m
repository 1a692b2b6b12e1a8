-- A sum in which a call changes the index of what is added to.
-- unreduced: violated
-- twin: n != 1; => n != 2;
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3; c: array [0..2] of 0..3;
function f(var t: 0..2; i: p): 0..0; begin t := a[i]; return 0; end;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; c[0] := 0; c[1] := 1; c[2] := 2; end;
ruleset i: p do ruleset v: 1..2 do rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> a[i] := v; end; end; end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==> var t: 0..2; begin ph := 1; for i: p do t := 0; c[t] := f(t, i) + c[t]; end; n := c[0]; end;
invariant "n" n != 1;
