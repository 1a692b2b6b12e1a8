-- Elements copied from one that a local variable names, another in each iteration.
-- unreduced: violated
-- twin: n != 1; => n != 2;
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3; x: array [p] of p; b: array [p] of 0..2;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; end;
ruleset i: p do ruleset v: 1..2 do rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> a[i] := v; end; end; end;
ruleset i: p; j: p do rule ph = 0 & i != j & isundefined(x[i]) ==> x[i] := j; end; end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) & (forall i: p do !isundefined(x[i]) end) ==> var t: p; begin ph := 1; for i: p do b[i] := a[i]; end; for i: p do t := x[i]; b[i] := b[t]; end; for i: p do if a[i] = 1 then n := n + b[i]; end; end; end;
invariant "n" n != 1;
