type left: record a: 0..3; end;
     right: record b: 0..3; end;
var l: left; r: right;
startstate begin clear l; r := l; end;
rule "idle" true ==> end;
