-- An alias around an assumption calls a function with an assumption.
-- unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1;
function f(i: p): boolean; begin if ph = 1 then assume a[i] != 2; assert a[i] != 1; end; return true; end;
startstate begin for i: p do a[i] := 0; end; ph := 0; end;
ruleset i: p do ruleset v: 1..2 do rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> a[i] := v; end; end; end;
rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==> ph := 1; end;
ruleset i: p do alias k: f(i) do assume "n" k; end; end;
