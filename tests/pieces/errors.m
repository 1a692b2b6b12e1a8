-- Errors in guards and bodies of several rules of one state, a deadlock, and properties that are wrong.
const n: 4; wide: 1900;
type small: 0..2;
var
  cell: array [0..n - 1] of small;
  ballast: array [1..wide] of 0..1099511627776;

startstate begin for i := 0 to n - 1 do cell[i] := 0; end; for i := 1 to wide do ballast[i] := 0; end; end;

ruleset i: 0..n - 1 do
  rule "up" cell[i] < 2 ==> begin cell[i] := cell[i] + 1; end;
  rule "too far" cell[0] = 2 & cell[i] = 1 ==> begin cell[i] := cell[i] + 2; end;
  rule "index" cell[1] = 2 & cell[cell[i] + 2] = 7 ==> begin cell[i] := 0; end;
end;

invariant "not all" exists i: 0..n - 1 do cell[i] != 2 end;
