-- All are removed and others added; the slot has another name.
-- unreduced: violated
type p: scalarset(2); bag: multiset [2] of p;
var m: bag; x: 0..1; n: 0..3; ph: 0..4; y, w: p;
startstate begin x := 0; n := 0; ph := 0; end;
ruleset i: p do rule "add0" ph = 0 ==> multisetadd(i, m); ph := 1; y := i; end; end;
ruleset i: p do rule "add0b" ph = 1 & multisetcount(k: m, m[k] = i) = 0 ==> multisetadd(i, m); ph := 2; w := i; end; end;
choose k: m do
  alias kk: k do
    rule "go" ph = 2 & x = 0 & m[k] = y ==> begin x := 1; multisetremovepred(j: m, true); multisetadd(w, m); multisetadd(y, m); n := m[kk] = y ? 1 : 2; end;
  end;
end;
invariant "n" n != 2;
