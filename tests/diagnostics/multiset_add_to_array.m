var a: array [0..3] of 0..3;
startstate begin clear a; multisetadd(1, a); end;
rule "idle" true ==> end;
