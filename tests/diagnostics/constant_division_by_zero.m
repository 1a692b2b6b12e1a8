const none: 0;
      share: 12 / none;
var x: 0..share;
startstate begin x := 0; end;
rule "idle" true ==> end;
