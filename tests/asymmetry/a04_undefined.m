-- Whether an undefined value is met depends on the maximum so far.
-- unreduced: violated
-- twin: if a[i] = 1 => if a[i] = 2
-- twin: 0 + a[i] => 3 - a[i]
-- twin: then n := a[i] => then n := 3 - a[i]
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3; g: array [p] of 0..1;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; for i: p do g[i] := 1; end; end;
ruleset i: p do
  ruleset v: 1..2 do
    rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> begin a[i] := v; end;
  end;
end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==>
begin
  ph := 1;
  for i: p do if a[i] = 1 then undefine g[i]; else g[i] := 1; end; end;
  for i: p do if 0 + a[i] > n & g[i] > 0 then n := a[i]; end; end;
end;
invariant "n" n < 3;
