-- A difference that leaves its range in one order only.
-- unreduced: violated
-- twin: if a[i] = 1 => if a[i] = 2
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3; d: array [p] of -1..1;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; for i: p do d[i] := 0; end; end;
ruleset i: p do
  ruleset v: 1..2 do
    rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> begin a[i] := v; end;
  end;
end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==>
begin
  ph := 1;
  for i: p do if a[i] = 1 then d[i] := 1; else d[i] := -1; end; end;
  for i: p do n := n - d[i]; end;
end;
invariant "n" n = 0;
