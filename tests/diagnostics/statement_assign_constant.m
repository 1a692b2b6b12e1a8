const limit: 3;
var x: 0..limit;
startstate begin x := 0; limit := 2; end;
rule "idle" true ==> end;
