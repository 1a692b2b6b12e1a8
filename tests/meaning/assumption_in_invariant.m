-- An assumption that fails inside one invariant does not keep the next one from being checked.
var x: 0..5;
function f(y: 0..5): boolean; begin assume y < 2; return true; end;
startstate begin x := 0; end;
rule "r" x < 5 ==> begin x := x + 1; end;
invariant "a" f(x);
invariant "b" x != 4;
