-- What is executed: arms of conditions, loops, functions, and what never is.

type id: 0..2;
var x: 0..5; a: array [id] of 0..2; seen: boolean;

function most(): 0..2;
var best: 0..2;
begin
  best := 0;
  for i: id do
    if a[i] > best then
      best := a[i];
    end;
  end;
  return best;
end;

startstate
begin
  x := 0;
  for i: id do a[i] := 0; end;
  seen := false;
end;

ruleset i: id do
  rule "grow"
    a[i] < 2
  ==>
  begin
    switch a[i]
    case 0:
      a[i] := 1;
    case 1:
      a[i] := 2;
    else
      error "not here";
    end;
    if most() = 2 then
      seen := true;
    elsif x = 5 then
      x := 0;
    end;
  end;
end;

rule "step"
  x < 4
==>
begin
  x := x + 1;
  if x > 4 then
    assert false;
  end;
end;

rule "never"
  x = 5
==>
begin
  x := 0;
end;

invariant "small" x < 5;
cover "all" forall i: id do a[i] = 2 end;
