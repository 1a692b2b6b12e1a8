-- The alias is bound before the guard moves its index.
var i: 0..1; a: array [0..1] of 0..3; done: boolean;
function f(): boolean; begin i := 1; return true; end;
startstate begin i := 0; a[0] := 0; a[1] := 0; done := false; end;
alias x: a[i] do rule "r" !done & f() ==> begin x := 2; done := true; end; end;
invariant a[1] = 0;
