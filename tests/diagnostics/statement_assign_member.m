type colour: enum { red, green };
var c: colour;
startstate begin c := red; red := green; end;
rule "idle" true ==> end;
