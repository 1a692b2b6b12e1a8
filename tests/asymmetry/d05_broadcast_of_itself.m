-- Elements copied from one that the array itself names.
-- unreduced: violated
-- twin: n != 1; => n != 2;
-- twin unreduced: violated
type p: scalarset(3);
var b: array [p] of p; x: p; ph: 0..1; n: 0..3;
startstate begin ph := 0; n := 0; end;
ruleset i: p; j: p do rule ph = 0 & isundefined(b[i]) & i != j & (forall k: p do isundefined(b[k]) | b[k] != j end) ==> b[i] := j; end; end;
ruleset i: p do rule ph = 0 & isundefined(x) ==> x := i; end; end;
rule "go" ph = 0 & !isundefined(x) & (forall k: p do !isundefined(b[k]) end) ==>
begin
  ph := 1;
  for i: p do b[i] := b[b[x]]; end;
  for i: p do if b[i] = x then n := n + 1; end; end;
end;
invariant "n" n != 1;
