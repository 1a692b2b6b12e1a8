-- The guard changes which bag of an array is meant.
-- unreduced: violated
var net: array [0..1] of multiset [2] of 1..3; x: 0..1; ph: 0..3; b: 0..3;
function flip(): boolean; begin x := 1; return true; end;
startstate begin ph := 0; b := 0; x := 0; end;
ruleset v: 1..2 do rule "add" ph < 2 & (multisetcount(k: net[0], net[0][k] = v) = 0) ==> multisetadd(v, net[0]); ph := ph + 1; end; end;
rule ph = 2 & (multisetcount(k: net[1], true) = 0) ==> multisetadd(3, net[1]); end;
choose i: net[x] do rule "go" ph = 2 & (multisetcount(k: net[1], true) = 1) & net[x][i] = 2 & flip() ==> b := net[x][i]; ph := 3; end; end;
