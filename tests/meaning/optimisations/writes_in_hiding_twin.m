-- The twin of `writes_in_hiding`: the last of the states is violated.
type
  id: 0..1;
var
  a: array [id] of 0..2;
  n: 0..4;

function bump(): boolean;
begin
  n := n + 1;
  return n > 4;
end;

procedure fill(var place: 0..2);
begin
  if place < 2 then place := place + 1; end;
end;

procedure through(var place: 0..2);
begin
  alias other: place do fill(other); end;
end;

startstate begin for i: id do a[i] := 0; end; n := 0; end;

rule "condition" n = 0 ==> begin if bump() then return; end; end;
rule "bound" n = 1 ==> begin for k := 0 to (bump() ? 1 : 0) do end; end;
rule "index" n = 2 ==> var t: array [boolean] of 0..1; begin t[bump()] := 1; end;
rule "printed" n = 3 ==> begin put bump(); end;
ruleset i: id do
  rule "reference" n = 4 & a[i] = 0 ==> begin fill(a[i]); end;
  rule "alias" n = 4 & a[i] = 1 ==> begin alias r: a[i] do through(r); end; end;
  alias r: a[i] do
    rule "outer alias" n = 4 & r = 2 ==> var t: 0..2; begin t := 1; if t = 2 then t := 0; else clear r; end; end;
    rule "own storage" n = 4 ==> var t: 0..2; begin t := r; fill(t); end;
  end;
end;

invariant !(a[0] = 2 & a[1] = 1);
