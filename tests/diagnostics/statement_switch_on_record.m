type message: record kind: 0..3; end;
var m: message;
startstate begin clear m; switch m case 0: clear m; end; end;
rule "idle" true ==> end;
