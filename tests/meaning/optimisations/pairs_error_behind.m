-- The twin of `pairs_error_first`: what fails stands behind what holds, and is never evaluated.
type
  id: 0..1;
  step: enum { A, B };
var
  pc: array [id] of step;
  a: array [id] of 0..1;
  y: 0..2;

startstate
begin
  for i: id do pc[i] := B; end;
  y := 2;
end;

rule "down" y > 0 ==> begin y := y - 1; end;
rule "up" y = 0 ==> begin y := 2; end;

invariant forall i: id do forall j: id do pc[i] != A | 6 / y > j end end;
