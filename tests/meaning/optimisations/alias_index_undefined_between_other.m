-- As `alias_index_undefined`, with the alias behind a parameter that the question does not mention.
type
  id: 0..1;
  step: enum { A, B, C, D, E };
var
  pc: array [id] of step;
  x: id;
  arr: array [id] of 0..3;

startstate
begin
  pc[0] := E;
  pc[1] := E;
  arr[0] := 0;
  arr[1] := 0;
  undefine x;
end;

rule "begin" pc[0] = E ==> begin pc[0] := A; x := 0; end;

ruleset v: 1..2 do
  alias r: arr[x] do
    ruleset i: id do
      rule "A" pc[i] = A ==> begin pc[i] := B; r := 1; end;
      rule "B" pc[i] = B ==> begin pc[i] := C; r := 2; end;
      rule "C" pc[i] = C ==> begin pc[i] := D; r := 3; end;
      rule "D" pc[i] = D ==> begin pc[i] := E; r := 0; undefine x; end;
    end;
  end;
end;
