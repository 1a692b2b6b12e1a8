type colour: enum { red, green };
     light: enum { green, amber };
var c: colour;
startstate begin c := red; end;
rule "idle" true ==> end;
