-- Whether a maximum fails to grow depends on the order.
-- unreduced: violated
-- twin: -> b; => -> !b;
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3; b: boolean;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; b := false; end;
ruleset i: p do
  ruleset v: 1..2 do
    rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> begin a[i] := v; end;
  end;
end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==>
begin
  ph := 1;
  for i: p do if a[i] > n then n := a[i]; else b := true; end; end;
end;
invariant "b" ph = 1 -> b;
