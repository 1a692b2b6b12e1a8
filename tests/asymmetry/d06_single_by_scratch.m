-- Only one iteration seems to come here, but what it is compared with changes.
-- unreduced: violated
-- twin: n != 1; => n != 2;
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3; c: array [0..2] of p;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; end;
ruleset i: p do ruleset v: 1..2 do rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> a[i] := v; end; end; end;
ruleset i: p do rule ph = 0 & a[i] != 0 & isundefined(c[a[i]]) ==> c[a[i]] := i; end; end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) & !isundefined(c[1]) & !isundefined(c[2]) ==> var t: 0..2; begin ph := 1; for i: p do t := a[i]; if i = c[t] then n := a[i]; end; end; end;
invariant "n" n != 1;
