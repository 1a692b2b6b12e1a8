const limit: 3;
var x: 0..limit;
startstate begin x := 0; clear limit; end;
rule "idle" true ==> end;
