var a: array [0..3] of 0..3;
startstate begin clear a; end;
invariant "few" multisetcount(i: a, a[i] = 1) < 2;
rule "idle" true ==> end;
