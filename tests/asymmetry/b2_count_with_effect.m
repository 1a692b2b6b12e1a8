-- A condition on the elements of a bag has an effect.
-- unreduced: violated
-- twin: n != 2 => n != 1
-- twin unreduced: violated
var m: multiset [2] of 1..2; ph: 0..1; n: 0..3;
function takes(v: 1..2): boolean; begin n := v; return true; end;
startstate begin ph := 0; n := 0; end;
ruleset v: 1..2 do
  rule "add" ph = 0 & multisetcount(k: m, m[k] = v) = 0 ==> begin multisetadd(v, m); end;
end;
rule "go" ph = 0 & multisetcount(k: m, true) = 2 ==>
begin
  ph := 1;
  if multisetcount(k: m, takes(m[k])) > 5 then ph := 0; end;
end;
invariant "n" n != 2;
