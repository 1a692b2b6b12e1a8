type message: record kind: 0..3; end: boolean; end;
var m: message;
startstate begin clear m; end;
