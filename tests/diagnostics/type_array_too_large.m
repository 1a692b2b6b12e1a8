var a: array [0..4000000000] of array [0..4000000000] of boolean;
startstate begin clear a; end;
rule "idle" true ==> end;
