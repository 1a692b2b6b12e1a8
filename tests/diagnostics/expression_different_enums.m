type colour: enum { red, green };
     size: enum { small, large };
var c: colour; s: size;
startstate begin c := red; s := small; end;
rule "same" c = s ==> begin c := green; end;
