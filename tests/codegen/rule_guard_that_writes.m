var x: 0..3; asked: 0..3;
function ask(): boolean; begin asked := (asked + 1) % 4; return x < 3; end;
startstate begin x := 0; asked := 0; end;
rule "step" ask() ==> begin x := x + 1; end;
