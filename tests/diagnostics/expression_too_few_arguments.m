var x: 0..3;
function sum(a, b: 0..3): 0..6; begin return a + b; end;
startstate begin x := sum(1); end;
rule "idle" true ==> end;
