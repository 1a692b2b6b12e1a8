type node: scalarset(3);
var owner: node;
startstate begin undefine owner; end;
ruleset n: node do
  rule "take" isundefined(owner) ==> begin owner := n; end;
end;
