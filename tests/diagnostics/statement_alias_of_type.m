type node: 0..3;
var x: node;
startstate begin alias n: node do x := 0; end; end;
rule "idle" true ==> end;
