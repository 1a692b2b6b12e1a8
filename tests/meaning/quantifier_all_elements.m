-- A quantifier over a scalarset has no first element to stop at. In both start states one
-- element of `seen` is undefined and the other decides, so the guard goes wrong in both,
-- whatever the elements are called.
type node: scalarset(2);
var seen: array [node] of boolean; turn: boolean;
ruleset n: node do
  startstate "one has seen it"
  begin
    undefine seen;
    seen[n] := true;
    turn := false;
  end;
end;
rule "somebody has" exists n: node do seen[n] end ==> begin turn := !turn; end;
