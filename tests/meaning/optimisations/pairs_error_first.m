-- What stands first in a disjunction is evaluated first: the division fails once `y` is 0, although what stands behind it holds
-- in every state and could be asked once for each `i`.
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

invariant forall i: id do forall j: id do 6 / y > j | pc[i] != A end end;
