type node: scalarset(3); colour: enum { red, green };
     any: union { node, colour };
var n: node; u: any;
startstate begin undefine n; u := red; end;
rule "step" ismember(n, colour) ==> begin u := green; end;
