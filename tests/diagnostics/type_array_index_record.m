type pair: record left, right: 0..1; end;
var a: array [pair] of boolean;
startstate begin clear a; end;
rule "idle" true ==> end;
