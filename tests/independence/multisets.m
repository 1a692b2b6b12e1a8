-- A multiset has no parts: what happens to one element moves the others.
type colour: enum { red, green };
var bag: multiset [2] of colour; other: multiset [2] of colour; n: 0..2;
startstate begin n := 0 end;
rule "add" multisetcount(i: bag, true) < 2 ==> begin multisetadd(red, bag) end;
rule "add to the other" multisetcount(i: other, true) < 2 ==> begin multisetadd(green, other) end;
choose i: bag do
  rule "take" true ==> begin multisetremove(i, bag) end;
  rule "paint" bag[i] = red ==> begin bag[i] := green end;
end;
rule "count" true ==> begin n := multisetcount(i: other, other[i] = green) end;
rule "drop" true ==> begin multisetremovepred(i: other, true) end;
