type node: scalarset(3);
var owner: node;
startstate begin clear owner; end;
rule "idle" true ==> end;
