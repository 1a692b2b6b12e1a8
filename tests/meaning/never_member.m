-- A type that the union does not have.
type S: scalarset(2); E: enum { a, b }; G: enum { g }; U: union { S, E }; V: union { E, G };
var u: U; v: V;
startstate begin u := a; v := g; end;
rule "r" ismember(u, G) ==> begin u := v; end;
