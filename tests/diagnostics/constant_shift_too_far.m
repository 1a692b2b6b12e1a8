const far: 1 << 64;
var x: 0..3;
startstate begin x := 1; end;
rule "idle" true ==> end;
