-- What is removed from a bag depends on what was removed before.
-- unreduced: violated
-- twin: m[k] = 1) = 0 => m[k] = 2) = 0
-- twin unreduced: violated
var m: multiset [2] of 1..2; ph: 0..1; n: 0..3;
startstate begin ph := 0; n := 0; end;
ruleset v: 1..2 do
  rule "add" ph = 0 & multisetcount(k: m, m[k] = v) = 0 ==> begin multisetadd(v, m); end;
end;
rule "go" ph = 0 & multisetcount(k: m, true) = 2 ==>
begin
  ph := 1;
  multisetremovepred(k: m, multisetcount(j: m, true) > 1);
end;
invariant "m" ph = 1 -> multisetcount(k: m, m[k] = 1) = 0;
