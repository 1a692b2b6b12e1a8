type node: scalarset(3); bag: multiset [2] of node;
var net: array [node] of bag;
startstate begin undefine net; end;
ruleset n: node do
  choose i: net[n] do
    rule "deliver" begin multisetremove(i, net[net[n][i]]); end;
    rule "drop" begin multisetremove(i, net[n]); end;
  end;
end;
