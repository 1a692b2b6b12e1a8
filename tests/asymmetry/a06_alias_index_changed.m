-- An alias whose index has changed is no sum.
-- unreduced: violated
-- twin: c[i] != 2 => c[i] != 1
-- twin unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; n: 0..3; c: array [p] of 0..9; f: array [p] of p;
startstate begin for i: p do a[i] := 0; end; ph := 0; n := 0; for i: p do c[i] := 0; undefine f[i]; end; end;
ruleset i: p do
  ruleset v: 1..2 do
    rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> begin a[i] := v; end;
  end;
end;
ruleset i: p do ruleset j: p do rule "link" ph = 0 & isundefined(f[i]) & i != j ==> begin f[i] := j; end; end; end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) & (forall i: p do !isundefined(f[i]) end) ==>
var t: p;
begin
  ph := 1;
  for i: p do t := i; alias z: c[t] do t := f[i]; z := c[t] + 1; end; end;
end;
invariant "c" ph = 1 -> forall i: p do a[i] = 1 -> c[i] != 2 end;
