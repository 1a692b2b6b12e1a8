-- The guard of a rule in `choose` is not evaluated while the multiset is empty, nor in an empty ruleset.
var
  divisor: 0..1;
  bag: multiset [1] of boolean;

startstate
begin
  divisor := 0;
end;

choose i: bag do
  rule "in a choice" 1 / divisor = 1 ==> begin end;
end;

ruleset i := 1 to 0 do
  rule "in no ruleset" 1 / divisor = 1 ==> begin end;
end;

rule
begin
  divisor := 1 - divisor;
end;
