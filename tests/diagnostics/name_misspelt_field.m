type message: record source: 0..3; target: 0..3; end;
var m: message;
startstate begin clear m; m.surce := 1; end;
rule "idle" true ==> end;
