-- What is removed from a bag of elements depends on what was removed before.
-- unreduced: violated
-- twin: = 2) = 0 => = 1) = 0
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3; b: multiset [2] of p;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; end;
ruleset i: p do
  ruleset v: 1..2 do
    rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> begin a[i] := v; end;
  end;
end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==>
begin
  ph := 1;
  for i: p do multisetadd(i, b); end;
  multisetremovepred(k: b, multisetcount(j: b, true) > 1);
end;
invariant "b" ph = 1 -> multisetcount(j: b, a[b[j]] = 2) = 0;
