-- A parameter of one range type that is a global of another one.
-- unreduced: violated
-- twin: n != 1; => n != 2;
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3; n2: 0..2; c: array [p] of 0..2;
type tt: 0..2;
procedure g2(var s: tt); begin for i: p do c[i] := s; n2 := 1; end; end;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; n2 := 0; end;
ruleset i: p do ruleset v: 1..2 do rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> a[i] := v; end; end; end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==> begin ph := 1; g2(n2); for i: p do if a[i] = 1 then n := n + 1 + c[i]; end; end; end;
invariant "n" n != 1;
