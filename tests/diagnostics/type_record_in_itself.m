type list: record head: 0..3; tail: list; end;
var l: list;
startstate begin clear l; end;
rule "idle" true ==> end;
