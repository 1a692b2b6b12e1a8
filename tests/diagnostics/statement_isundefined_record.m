type message: record kind: 0..3; end;
var m: message;
startstate begin clear m; end;
rule "step" isundefined(m) ==> begin m.kind := 1; end;
