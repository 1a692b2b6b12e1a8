-- Rules that ask the same of places that may be undefined, by `=` and behind `!=`; invariants over pairs. Counted as CMurphi counts it.
type
  id: 0..2;
  node: scalarset(2);
  phase: union { node, enum { a, b, c, d } };

var
  at: array [id] of phase;
  k: array [id] of 0..3;
  owner: node;
  moves: 0..1;

startstate
begin
  undefine at;
  for i: id do k[i] := 0; end;
  undefine owner;
  moves := 0;
end;

ruleset i: id do
  rule "begin" isundefined(at[i]) & at[i] != a & k[i] = 0 ==> begin at[i] := a; end;
  rule "a" at[i] = a ==> begin at[i] := b; end;
  rule "b" at[i] = b ==> begin at[i] := c; end;
  rule "c" at[i] = c ==> begin at[i] := d; end;
  rule "d" at[i] = d & moves < 1 ==> begin undefine at[i]; moves := moves + 1; end;

  rule "0" at[i] != b & k[i] = 0 & moves > 0 ==> begin k[i] := 1; end;
  rule "1" at[i] != b & k[i] = 1 ==> begin k[i] := 2; end;
  rule "2" at[i] != b & k[i] = 2 ==> begin k[i] := 3; end;
  rule "3" at[i] != b & k[i] = 3 ==> begin k[i] := 0; end;
end;

ruleset i: id; j: node do
  rule "take" owner != j & at[i] = d ==> begin owner := j; at[i] := j; end;
  rule "give" owner = j & at[i] = owner ==> begin undefine owner; at[i] := d; end;
end;

invariant "pairs"
  forall i: id do forall j: id do i = j | at[i] != owner | at[j] != owner | isundefined(owner) | moves < 1 | at[i] = at[j] end end;
invariant "owner"
  isundefined(owner) | exists i: id do at[i] = owner end | moves > 0 | owner = owner;
