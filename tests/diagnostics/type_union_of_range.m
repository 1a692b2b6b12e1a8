type node: scalarset(3);
     any: union { node, 0..3 };
var u: any;
startstate begin undefine u; end;
rule "idle" true ==> end;
