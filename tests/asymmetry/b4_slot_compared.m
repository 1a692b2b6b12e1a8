-- A slot is compared after another element came into it.
-- unreduced: violated
var m: multiset [2] of 1..3; ph: 0..3; n: 0..2;
startstate begin ph := 0; n := 0; end;
ruleset v: 1..2 do rule "add" ph < 2 & (multisetcount(k: m, m[k] = v) = 0) ==> multisetadd(v, m); ph := ph + 1; end; end;
choose i: m do choose j: m do rule "go" ph = 2 & m[i] = 1 & m[j] = 2 ==> multisetremove(i, m); multisetremove(j, m); multisetadd(3, m); n := 1 + multisetcount(k: m, k = i); ph := 3; end; end; end;
invariant "n" n != 2;
