-- States of any size: four counters, which all states come from, and copies of them up to the size
-- that is wanted. Values^4 states with four successors each; a byte for each cell.

const
  Bytes: 16;
  Values: 23;

type
  Cell: 0..Bytes-1;
  Counter: 0..3;

var
  cell: array [Cell] of 0..254;

startstate
begin
  for c: Cell do
    cell[c] := 0;
  end;
end;

ruleset counter: Counter do
  rule "count"
    true
  ==>
  begin
    cell[counter] := (cell[counter] + 1) % Values;
    for c: Cell do
      cell[c] := cell[c % 4];
    end;
  end;
end;

invariant "copies are alike"
  cell[Bytes-1] = cell[(Bytes-1) % 4];
