-- Slots of two multisets of an array are compared.
-- unreduced: violated
type p: scalarset(2); bag: multiset [2] of 0..2;
var ms: array [p] of bag; ph: 0..4; n: 0..2;
startstate begin ph := 0; n := 0; undefine ms; end;
ruleset i: p do ruleset v: 0..2 do rule "add" multisetcount(k: ms[i], true) < 2 ==> multisetadd(v, ms[i]); end; end; end;
rule "go" n = 0 ==> for i: p do multisetremovepred(k: ms[i], ms[i][k] = 0); end; for i: p do for j: p do if i != j & multisetcount(k: ms[i], multisetcount(l: ms[j], k = l) > 0) = 0 & multisetcount(k: ms[i], true) > 0 & multisetcount(k: ms[j], true) > 0 then n := 2; end; end; end; end;
invariant "x" n = 0;
