-- An invariant that is evaluated on a copy of the state fails as any other does: also after one before it has written, and for
-- the second of its instances alone.
type
  index: 0..2;

var
  a: array [index] of 0..3;
  total: 0..9;

function sum(from: index): 0..9;
begin
  for i := from to 2 do
    total := total + a[i];
  end;
  return total;
end;

startstate
begin
  for i: index do
    a[i] := 0;
  end;
  total := 0;
end;

ruleset i: index do
  rule "up" a[i] < 2 ==>
  begin
    a[i] := a[i] + 1;
  end;
end;

invariant "sum" sum(0) + 1 > 0;

ruleset i: index do
  invariant "each" i = 1 -> sum(i) < 4;
end;
