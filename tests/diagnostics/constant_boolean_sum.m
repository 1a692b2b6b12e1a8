const yes: true + 1;
var x: 0..3;
startstate begin x := 0; end;
rule "idle" true ==> end;
