-- A recursive function hands the value of the element on.
-- unreduced: violated
-- twin: n != 2 => n != 1
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3;
function rec(var t: 0..2; d: 0..1): 0..3; begin if d = 0 then return t; else return rec(t, d - 1); end; end;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; end;
ruleset i: p do
  ruleset v: 1..2 do
    rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> begin a[i] := v; end;
  end;
end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==>
var t: 0..2;
begin
  ph := 1;
  for i: p do t := a[i]; n := rec(t, 1); end;
end;
invariant "n" n != 2;
