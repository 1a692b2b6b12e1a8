-- Whether a rule fails is part of what it does; so are what it prints and covers.
type node: 0..2;
var x: node; y: node; z: node;
startstate begin x := 0; y := 0; z := 0 end;
rule "x" x < 2 ==> begin x := x + 1 end;
rule "asserts" true ==> begin assert x < 2 "x is small"; y := 1 end;
rule "may fail" y = 1 ==> begin if x = 2 then error "too far" end end;
rule "prints and covers" true ==> begin put x; cover x = 1 end;
rule "apart" true ==> begin z := (z + 1) % 3 end;
