type node: scalarset(3);
var owner: node;
startstate begin owner := 1; end;
rule "idle" true ==> end;
