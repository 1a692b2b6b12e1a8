-- An invariant for each slot, with an assumption inside.
-- unreduced: violated
var m: multiset [2] of 1..2; ph: 0..2;
function f(x: 1..2): boolean; begin assume x != 2; return x != 1; end;
startstate begin ph := 0; end;
ruleset v: 1..2 do rule "add" ph < 2 & (multisetcount(k: m, m[k] = v) = 0) ==> multisetadd(v, m); ph := ph + 1; end; end;
choose i: m do invariant "b" multisetcount(k: m, true) = 2 -> f(m[i]); end;
