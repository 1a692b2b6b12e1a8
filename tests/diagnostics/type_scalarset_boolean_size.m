type node: scalarset(true);
var n: node;
startstate begin undefine n; end;
rule "idle" true ==> end;
