-- The index of an alias fits its array, but computing it divides by zero once `y` is 0. The guards ask for other values of `pc[i]`
-- in that state.
type
  id: 0..1;
  step: enum { A, B, C, D, E };
var
  pc: array [id] of step;
  x: 0..2;
  y: 0..2;
  arr: array [id] of 0..3;

startstate
begin
  pc[0] := E;
  pc[1] := E;
  arr[0] := 0;
  arr[1] := 0;
  x := 1;
  y := 2;
end;

rule "begin" pc[0] = E ==> begin pc[0] := E; y := 0; end;

ruleset i: id do
  alias r: arr[x % y] do
    rule "A" pc[i] = A ==> begin pc[i] := B; r := 1; end;
    rule "B" pc[i] = B ==> begin pc[i] := C; r := 2; end;
    rule "C" pc[i] = C ==> begin pc[i] := D; r := 3; end;
    rule "D" pc[i] = D ==> begin pc[i] := E; r := 0; y := 2; end;
  end;
end;
