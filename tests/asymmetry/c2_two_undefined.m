-- Symmetric: one of two undefined values is read, whichever element comes first.
-- unreduced: violated
-- twin: if a[i] = 1 => if a[i] = 2
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3; x: array [p] of 0..1; y: array [p] of 0..1;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; for i: p do x[i] := 0; y[i] := 0; end; end;
ruleset i: p do
  ruleset v: 1..2 do
    rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> begin a[i] := v; end;
  end;
end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==>
begin
  ph := 1;
  for i: p do if a[i] = 1 then undefine x[i]; y[i] := 1; else x[i] := 1; undefine y[i]; end; end;
  if forall i: p do x[i] = 1 & y[i] = 1 end then n := 1; end;
end;
invariant "n" n = 0;
