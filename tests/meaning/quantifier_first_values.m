-- Numbers have an order: a quantifier over a subrange stops at the first value that decides.
type place: 1..2;
var seen: array [place] of boolean; turn: boolean;
startstate "the first has seen it"
begin
  undefine seen;
  seen[1] := true;
  turn := false;
end;
rule "somebody has" exists p: place do seen[p] end ==> begin turn := !turn; end;
