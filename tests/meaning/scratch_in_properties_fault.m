-- What goes wrong while a property is evaluated on a copy of the state is an error as anywhere else.
type
  index: 0..1;

var
  a: array [index] of 0..3;
  total: 0..3;

function sum(): 0..6;
begin
  for i: index do
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
  rule "up" a[i] < 3 ==>
  begin
    a[i] := a[i] + 1;
  end;
end;

invariant "sum" sum() >= 0;
