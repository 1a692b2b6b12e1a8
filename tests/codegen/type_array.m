type cell: 0..3;
     grid: array [1..2] of array [boolean] of cell;
var g: grid;
startstate begin clear g; end;
ruleset i: 1..2; b: boolean do
  rule "add" g[i][b] < 3 ==> begin g[i][b] := g[i][b] + 1; end;
end;
