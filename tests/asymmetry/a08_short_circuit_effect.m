-- A conjunction whose second part has an effect.
-- unreduced: violated
-- twin: c != 2 => c != 1
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3; b: boolean; c: 0..3;
function f(i: p): boolean; begin c := c + 1; return a[i] = 1; end;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; b := true; c := 0; end;
ruleset i: p do
  ruleset v: 1..2 do
    rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> begin a[i] := v; end;
  end;
end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==>
begin
  ph := 1;
  for i: p do b := b & f(i); end;
end;
invariant "c" c != 2;
