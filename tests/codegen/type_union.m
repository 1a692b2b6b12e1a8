type node: scalarset(2);
     place: union { node, enum { home } };
var owner: place; last: node;
startstate begin owner := home; undefine last; end;
ruleset n: node do
  rule "take" owner = home ==> begin owner := n; end;
  rule "give" ismember(owner, node) & owner = n ==> begin last := owner; owner := home; end;
end;
