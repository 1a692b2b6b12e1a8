-- A quantifier over a type with elements goes through all of them, since they have no first one. Here the index is converted from one union to
-- another that lacks a member, which fails for that member, whatever was found for those before it.
type
  node: scalarset(2);
  kind: enum { Near, Far };
  other: enum { Outside };
  all: union { node, kind, other };
  some: union { node, kind };
var
  held: array [some] of 0..1;
  done: boolean;

startstate
begin
  for s: some do held[s] := 0; end;
  done := false;
end;

rule "ask" !done ==>
begin
  done := forall a: all do isundefined(held[a]) end;
  done := true;
end;
