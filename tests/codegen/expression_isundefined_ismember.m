type node: scalarset(2);
     any: union { node, enum { nobody, everybody } };
var u: any;
startstate begin undefine u; end;
rule "set" isundefined(u) ==> begin u := nobody; end;
rule "toggle" !isundefined(u) & ismember(u, enum { nobody, everybody }) ==>
begin u := u = nobody ? everybody : nobody; end;
