-- A slot is used under another name after it was filled again.
-- unreduced: violated
type p: scalarset(2); bag: multiset [2] of p;
var m: bag; x: 0..1; n: 0..3; ph: 0..4; y, w: p;
startstate begin x := 0; n := 0; ph := 0; end;
ruleset i: p do rule "add0" ph = 0 ==> multisetadd(i, m); ph := 1; y := i; end; end;
ruleset i: p do rule "add0b" ph = 1 & multisetcount(k: m, m[k] = i) = 0 ==> multisetadd(i, m); ph := 2; w := i; end; end;
choose k: m do
  alias kk: k do
    rule "go" ph = 2 & x = 0 & m[k] = y ==> begin x := 1; multisetremovepred(j: m, true); multisetadd(w, m); n := multisetcount(j: m, kk = j) + 1; end;
  end;
end;
invariant "n" n != 2;
