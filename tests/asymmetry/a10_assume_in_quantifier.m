-- An assumption in a function that a quantifier calls.
-- unreduced: violated
-- twin: assume a[i] != 2; => assume a[i] != 1;
-- twin: assert a[i] != 1; => assert a[i] != 2;
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3;
function f(i: p): boolean; begin assume a[i] != 2; assert a[i] != 1; return true; end;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; end;
ruleset i: p do
  ruleset v: 1..2 do
    rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> begin a[i] := v; end;
  end;
end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==>
begin
  ph := 1;
  if forall i: p do f(i) end then n := 1; end;
end;
invariant "n" n < 2;
