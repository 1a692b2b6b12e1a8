-- Slots of two multisets are compared, in a guard.
-- unreduced: violated
type p: scalarset(2); bag: multiset [2] of p;
var ma, mb: bag; x: 0..1; n: 0..3; ph: 0..4;
startstate begin x := 0; n := 0; ph := 0; end;
ruleset i: p do rule "add0" ph = 0 ==> multisetadd(i, ma); ph := 1; end; end;
ruleset i: p do rule "add0b" ph = 1 & multisetcount(k: ma, ma[k] = i) = 0 ==> multisetadd(i, ma); ph := 2; end; end;
ruleset i: p do rule "add1" ph = 2 ==> multisetadd(i, mb); ph := 3; end; end;
ruleset i: p do rule "add1b" ph = 3 & multisetcount(k: mb, mb[k] = i) = 0 ==> multisetadd(i, mb); ph := 4; end; end;
choose k: ma do
  choose j: mb do
    rule "go" ph = 4 & x = 0 & j = k ==> begin x := 1; n := (ma[k] = mb[j]) ? 2 : 0; end;
  end;
end;
invariant "n" n != 0 | x = 0;
