type node: scalarset(3);
var owner: node;
ruleset n: node do
  startstate begin owner := n; end;
  rule "pass" owner = n ==> begin owner := n + 1; end;
end;
