var x: 0..3;
startstate begin x := 0; end;
rule "step" x < 3 ==> 0.5: x := x + 1; 0.5: x := 0; end;
