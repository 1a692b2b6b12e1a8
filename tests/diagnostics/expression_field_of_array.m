type message: record kind: 0..3; end;
var m: array [0..1] of message;
startstate begin clear m; end;
rule "step" m.kind = 0 ==> begin m[0].kind := 1; end;
