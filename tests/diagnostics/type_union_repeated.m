type node: scalarset(3);
     any: union { node, node };
var u: any;
startstate begin undefine u; end;
rule "idle" true ==> end;
