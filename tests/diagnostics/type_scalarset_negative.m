const nodes: 2 - 5;
type node: scalarset(nodes);
var n: node;
startstate begin undefine n; end;
rule "idle" true ==> end;
