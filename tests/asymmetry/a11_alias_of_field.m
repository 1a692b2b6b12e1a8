-- A field of a local variable is read under the name of an alias.
-- unreduced: violated
-- twin: a[y] != 2 => a[y] != 1
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3; y: p;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; end;
ruleset i: p do
  ruleset v: 1..2 do
    rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> begin a[i] := v; end;
  end;
end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==>
var t: record f: p; end;
begin
  ph := 1;
  alias z: t.f do for i: p do t.f := i; end; y := z; end;
end;
invariant "y" ph = 1 -> a[y] != 2;
