type node: scalarset(3); bag: multiset [2] of node;
var sent: bag; kept: bag; both: record left: bag; right: bag; end;
startstate begin undefine sent; undefine kept; undefine both; end;
choose i: sent do
  rule "deliver" kept[i] = sent[i] ==> begin multisetremove(i, sent); end;
end;
choose i: both.left do
  rule "drop" begin multisetremove(i, both.right); end;
end;
