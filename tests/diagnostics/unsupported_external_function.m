externfun twice(x: 0..3): 0..6 "twice.h";
var x: 0..6;
startstate begin x := twice(2); end;
rule "idle" true ==> end;
