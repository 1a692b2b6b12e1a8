type node: scalarset(0);
var n: node;
startstate begin undefine n; end;
rule "idle" true ==> end;
