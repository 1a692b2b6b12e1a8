-- The last element wins, and which one is last is nobody's business.
type node: scalarset(3);
var wants: array [node] of boolean; owner: node;
startstate begin clear wants; undefine owner; end;
rule "choose" true ==>
begin
  for n: node do
    if wants[n] then owner := n; end;
  end;
end;
ruleset n: node do rule "want" !wants[n] ==> begin wants[n] := true; end; end;
