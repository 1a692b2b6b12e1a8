type message: record kind: 0..3; kind: boolean; end;
var m: message;
startstate begin clear m; end;
rule "idle" true ==> end;
