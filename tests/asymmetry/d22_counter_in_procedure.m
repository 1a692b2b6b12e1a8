-- The same in a procedure.
-- unreduced: violated
-- twin: n != 1; => n != 2;
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3; c: 0..3; b: array [p] of 0..3;
procedure f(i: p); var t: 0..3; begin for k: 0..0 do t := c; c := (c + 1) % 3; end; b[i] := t; end;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; c := 0; for i: p do b[i] := 0; end; end;
ruleset i: p do ruleset v: 1..2 do rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> a[i] := v; end; end; end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==> begin ph := 1; for i: p do f(i); end; for i: p do if a[i] = 1 then n := n + 1 + b[i]; end; end; end;
invariant "n" n != 1;
