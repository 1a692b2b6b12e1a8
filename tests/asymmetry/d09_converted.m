-- Two values of different types that are the same number before they are converted.
-- unreduced: violated
-- twin: n != 1; => n != 2;
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3;
type A: enum { A1, A2 }; B: enum { B1, B2 }; U: union { A, B };
var u: U;
procedure sa(x: A); begin u := x; end;
procedure sb(x: B); begin u := x; end;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; u := A1; end;
ruleset i: p do ruleset v: 1..2 do rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> a[i] := v; end; end; end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==> begin ph := 1; for i: p do if a[i] = 1 then sa(A1); else sb(B1); end; end; n := u = A1 ? 1 : 2; end;
invariant "n" n != 1;
