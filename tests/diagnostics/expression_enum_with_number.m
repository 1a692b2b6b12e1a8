type colour: enum { red, green };
var c: colour;
startstate begin c := red; end;
rule "first" c = 0 ==> begin c := green; end;
