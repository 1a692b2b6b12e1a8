-- The value compared is not the value kept.
-- unreduced: violated
-- twin: n != -1 => n != -2
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of -3..2; ph: 0..1; n: -3..3;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; end;
ruleset i: p do
  ruleset v: 1..2 do
    rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> begin a[i] := v; end;
  end;
end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==>
begin
  ph := 1;
  for i: p do if a[i] > n then a[i] := a[i] - 3; n := a[i]; end; end;
end;
invariant "n" n != -1;
