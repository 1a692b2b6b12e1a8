type node: scalarset(3);
var owner: node;
startstate begin undefine owner; end;
rule "first" !isundefined(owner) & owner = 0 ==> begin undefine owner; end;
