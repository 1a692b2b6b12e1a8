-- For no pair is `a[j]` evaluated in the order of the text, and all of `a` is undefined. Asked for each `j` alone it would be an
-- error: then the order of the text decides.
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

invariant forall i: id do forall j: id do i = j | i + j = 1 | a[j] = 1 end end;
