-- As `quantifier_between_unions`, for `exists` in an invariant.
type
  node: scalarset(2);
  kind: enum { Near, Far };
  other: enum { Outside };
  all: union { node, kind, other };
  some: union { node, kind };
var
  held: array [some] of 0..1;

startstate begin end;

rule "write" isundefined(held[Near]) ==> begin held[Near] := 1; end;

invariant exists a: all do isundefined(held[a]) end;
