var x: 0..3;
startstate begin x := 0; end;
rule "step" x := 2 ==> begin x := x + 1; end;
