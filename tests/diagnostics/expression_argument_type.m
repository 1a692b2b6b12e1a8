type colour: enum { red, green };
var x: 0..3;
function code(c: colour): 0..3; begin return c = red ? 0 : 1; end;
startstate begin x := code(true); end;
rule "idle" true ==> end;
