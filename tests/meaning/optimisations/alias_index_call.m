-- The index of an alias is what a function returns, which in some states ends without `return`.
type
  id: 0..1;
  step: enum { A, B, C, D, E };
var
  pc: array [id] of step;
  x: id;
  arr: array [id] of 0..3;

function chosen(): id;
begin
  if x = 0 then return 1; end;
end;

startstate
begin
  pc[0] := E;
  pc[1] := E;
  arr[0] := 0;
  arr[1] := 0;
  x := 0;
end;

rule "begin" x = 0 ==> begin x := 1; end;

ruleset i: id do
  alias r: arr[chosen()] do
    rule "A" pc[i] = A ==> begin pc[i] := B; r := 1; end;
    rule "B" pc[i] = B ==> begin pc[i] := C; r := 2; end;
    rule "C" pc[i] = C ==> begin pc[i] := D; r := 3; end;
    rule "D" pc[i] = D ==> begin pc[i] := E; r := 0; x := 0; end;
  end;
end;
