type table: array [key] of boolean;
     key: 0..3;
var t: table;
startstate begin clear t; end;
rule "idle" true ==> end;
