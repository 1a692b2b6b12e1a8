-- Two slots are emptied, and one of them is filled and read.
-- unreduced: verified
-- twin: m[i] = 1 & m[j] = 2 => m[i] = 2 & m[j] = 1
-- twin unreduced: violated
var m: multiset [2] of 1..3; b: 0..3;
startstate begin b := 0; multisetadd(1, m); multisetadd(2, m); end;
choose i: m do
  choose j: m do
    rule "change" b = 0 & m[i] = 1 & m[j] = 2 ==>
    begin
      multisetremove(i, m);
      multisetremove(j, m);
      multisetadd(3, m);
      b := m[i];
    end;
  end;
end;
invariant "b" b != 2;
