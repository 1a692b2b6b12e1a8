const big: 9223372036854775807 + 1;
var x: 0..3;
startstate begin x := 0; end;
rule "idle" true ==> end;
