var bag: multiset [3] of 0..3; x: 0..3;
startstate begin undefine bag; x := 0; multisetadd(x, bag); end;
choose i: bag do
  rule "take" bag[i] < 2 ==> begin x := bag[i]; multisetremove(i, bag); end;
end;
rule "purge" multisetcount(i: bag, bag[i] = x) > 0 ==>
begin multisetremovepred(i: bag, bag[i] = x); end;
rule "no bag" x < 3 ==> begin x := x + 1; end;
