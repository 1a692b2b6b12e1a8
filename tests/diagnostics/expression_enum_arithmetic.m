type colour: enum { red, green, blue };
var c: colour;
startstate begin c := red; end;
rule "next" c != blue ==> begin c := c + 1; end;
