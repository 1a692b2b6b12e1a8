type node: scalarset(3);
     block: scalarset(3);
var owner: node;
ruleset b: block do
  startstate begin owner := b; end;
end;
rule "idle" true ==> end;
