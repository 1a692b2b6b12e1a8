var a: array [0..1] of 0..3; x: 0..3;
startstate begin clear a; x := a; end;
rule "idle" true ==> end;
