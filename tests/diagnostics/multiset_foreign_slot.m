var one: multiset [3] of 0..3; two: multiset [3] of boolean;
startstate begin clear one; clear two; end;
choose i: one do
  rule "move" two[i] ==> begin multisetremove(i, one); end;
end;
