-- The guard removes one and adds another.
-- unreduced: violated
var m: multiset [2] of 1..3; ph: 0..3; b: 0..3;
function swap(x: 1..3): boolean; begin if x != 2 then return false; end; multisetremovepred(k: m, true); multisetadd(3, m); return true; end;
startstate begin ph := 0; b := 0; end;
ruleset v: 1..2 do rule "add" ph < 2 & (multisetcount(k: m, m[k] = v) = 0) ==> multisetadd(v, m); ph := ph + 1; end; end;
choose i: m do rule "go" ph = 2 & swap(m[i]) ==> b := m[i]; ph := 3; end; end;
