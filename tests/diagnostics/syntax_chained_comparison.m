var x: 0..3;
startstate begin x := 0; end;
rule "step" 0 < x < 3 ==> begin x := x + 1; end;
