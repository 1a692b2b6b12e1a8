-- A slot that was emptied is read after another element was added.
-- unreduced: violated
var m: multiset [3] of 1..3; b: 0..3; left: 0..3;
startstate begin b := 0; left := 2; multisetadd(1, m); multisetadd(2, m); end;
choose i: m do
  rule "drop" left = 2 & m[i] = 1 ==> begin multisetremove(i, m); left := 1; end;
  rule "change" left = 1 ==> begin multisetremove(i, m); multisetadd(3, m); left := 0; b := m[i]; end;
end;
invariant "b" b != 2;
