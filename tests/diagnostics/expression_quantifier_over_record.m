type message: record kind: 0..3; end;
var m: message;
startstate begin clear m; end;
invariant "odd" forall i: message do true end;
rule "idle" true ==> end;
