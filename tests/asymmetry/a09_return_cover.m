-- A loop that is left before something is covered.
-- unreduced: verified
-- twin: if a[i] = 1 => if a[i] = 2
-- twin: cover a[i] = 2 => cover a[i] = 1
-- twin unreduced: verified
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3;
procedure q(); begin for i: p do if a[i] = 1 then return; end; cover a[i] = 2 "met"; end; end;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; end;
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
