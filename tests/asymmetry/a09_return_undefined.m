-- A loop that is left before an undefined value is read.
-- unreduced: violated
-- twin: a[i] = 1 => a[i] = 2
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3; x: array [p] of 0..1;
procedure q(); var y: 0..1; begin for i: p do if a[i] = 1 then return; end; y := x[i] + 0; end; end;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; for i: p do undefine x[i]; end; end;
ruleset i: p do
  ruleset v: 1..2 do
    rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> begin a[i] := v; end;
  end;
end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==>
begin
  ph := 1;
  q();
end;
invariant "n" n = 0;
