type node: scalarset(3);
var sent: multiset [2] of node; first: node; table: array [0..1] of node; last: 0..1;
startstate begin undefine sent; undefine first; undefine table; last := 0; end;
choose i: sent do
  rule "the first one" i = 0 ==> begin first := sent[i]; end;
  rule "in order" i < 1 ==> begin first := table[i]; end;
  rule "remember" begin last := i; end;
end;
