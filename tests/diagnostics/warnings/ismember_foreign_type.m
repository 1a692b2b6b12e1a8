type node: scalarset(3); block: scalarset(2); colour: enum { red, green };
     any: union { node, colour };
var u: any;
startstate begin u := red; end;
rule "step" ismember(u, block) ==> begin u := green; end;
