-- As `alias_index_undefined`, with the question asked of a name of `pc[i]`, and the index behind another name.
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

ruleset i: id do
  alias p: pc[i]; z: x; r: arr[z] do
    rule "A" p = A ==> begin p := B; r := 1; end;
    rule "B" p = B ==> begin p := C; r := 2; end;
    rule "C" p = C ==> begin p := D; r := 3; end;
    rule "D" p = D ==> begin p := E; r := 0; undefine x; end;
  end;
end;
