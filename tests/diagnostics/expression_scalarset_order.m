type node: scalarset(3);
var owner: node;
ruleset n: node do
  startstate begin owner := n; end;
  rule "older" n < owner ==> begin owner := n; end;
end;
