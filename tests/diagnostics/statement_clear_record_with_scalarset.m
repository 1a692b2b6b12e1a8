type node: scalarset(3);
     message: record source: node; kind: 0..3; end;
var m: message;
startstate begin clear m; end;
rule "idle" true ==> end;
