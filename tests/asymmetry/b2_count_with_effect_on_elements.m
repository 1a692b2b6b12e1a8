-- A condition on the elements of a bag of scalarset elements has an effect.
-- unreduced: violated
-- twin: n != 2 => n != 1
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3; m: multiset [2] of p;
function takes(i: p): boolean; begin n := a[i]; return true; end;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; end;
ruleset i: p do
  ruleset v: 1..2 do
    rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> begin a[i] := v; end;
  end;
end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==>
begin
  ph := 1;
  for i: p do multisetadd(i, m); end;
  if multisetcount(k: m, takes(m[k])) > 5 then ph := 0; end;
end;
invariant "n" n != 2;
