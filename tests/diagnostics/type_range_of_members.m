type colour: enum { red, green, blue };
     warm: red..green;
var c: warm;
startstate begin clear c; end;
rule "idle" true ==> end;
