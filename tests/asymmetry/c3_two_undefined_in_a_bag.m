-- Symmetric: one of two undefined values is read, whichever element of the bag comes first.
-- unreduced: violated
-- twin: m[i].f = 1 & m[i].g = 1 => m[i].g = 1 & m[i].f = 1
-- twin unreduced: violated
type r: record f: 0..1; g: 0..1; end;
var m: multiset [2] of r; ph: 0..2; n: 0..3;
startstate begin ph := 0; n := 0; end;
rule "first" ph = 0 ==> var x: r; begin x.f := 1; multisetadd(x, m); ph := 1; end;
rule "second" ph = 1 ==> var x: r; begin x.g := 1; multisetadd(x, m); ph := 2; end;
rule "go" ph = 2 ==> begin n := multisetcount(i: m, m[i].f = 1 & m[i].g = 1); end;
invariant "n" n = 0;
