type node: 0..3;
var x: node;
startstate begin x := node; end;
rule "idle" true ==> end;
