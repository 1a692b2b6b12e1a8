-- Owners that nobody has set yet: undefined equals undefined and nothing else. Counted as CMurphi counts it.
type
  node: scalarset(2);
  who: union { node, enum { home } };

var
  owner: node;
  last: who;
  n: 0..3;

startstate
begin
  undefine owner;
  undefine last;
  n := 0;
end;

ruleset i: node do
  rule "take" n < 3 ==>
  begin
    if owner = i then n := n + 1; else owner := i; end;
    last := i;
  end;
end;

invariant "owner is last" owner = last;
