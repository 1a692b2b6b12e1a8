type node: scalarset(3);
var x: 0..3;
startstate begin for n := 0 to node do x := 1; end; end;
rule "idle" true ==> end;
