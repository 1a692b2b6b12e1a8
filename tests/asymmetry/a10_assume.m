-- An assumption that ends the loop before an assertion.
-- unreduced: violated
-- twin: a[i] != 2; => a[i] != 9;
-- twin: a[i] != 1; => a[i] != 2;
-- twin: a[i] != 9; => a[i] != 1;
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; end;
ruleset i: p do
  ruleset v: 1..2 do
    rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> begin a[i] := v; end;
  end;
end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==>
begin
  ph := 1;
  for i: p do assume a[i] != 2; assert a[i] != 1; end;
end;
invariant "n" n = 0;
