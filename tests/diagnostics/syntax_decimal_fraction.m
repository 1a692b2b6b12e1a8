const limit: 1.5;
var x: 0..3;
startstate begin x := 0; end;
rule "idle" true ==> end;
