type colour: enum { red, green, blue };
var c: colour;
startstate begin c := gren; end;
rule "idle" true ==> end;
