-- Elements by the rulesets' parameters.
type node: 0..2; colour: enum { red, green };
var a: array [node] of node; grid: array [node] of array [colour] of boolean; total: node;
startstate
begin
  for n: node do a[n] := 0; for c: colour do grid[n][c] := false end end;
  total := 0;
end;
ruleset i: node do
  rule "up" a[i] < 2 ==> begin a[i] := a[i] + 1 end;
  rule "count" a[i] = 2 & total < 2 ==> begin total := total + 1; a[i] := 0 end;
end;
ruleset i: node; c: colour do
  rule "flip" true ==> begin grid[i][c] := !grid[i][c] end;
end;
ruleset j: node do
  rule "column" grid[j][green] ==> begin grid[j][green] := false; a[j] := 1 end;
end;
