type colour: enum { red, green };
var c: colour;
startstate begin
  c := red;
  switch c case red: c := green; case 1: c := red; end;
end;
rule "idle" true ==> end;
