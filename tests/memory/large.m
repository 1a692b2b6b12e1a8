-- States of 6 KB with 3,000 successors each: those of one state take as much as the whole limit.
const n: 3000;
var cell: array [1..n] of 0..500;

startstate begin for i := 1 to n do cell[i] := 0; end; end;

ruleset i: 1..n do
  rule "up" cell[i] < 500 ==> begin cell[i] := cell[i] + 1; end;
  rule "round" cell[i] = 500 ==> begin cell[i] := cell[i] - 500; end;
end;

invariant "low" cell[1] < 400;
