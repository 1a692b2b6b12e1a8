type node: scalarset(3);
var x: 0..3;
startstate begin x := 0; end;
rule "step" ismember(x, node) ==> begin x := 1; end;
