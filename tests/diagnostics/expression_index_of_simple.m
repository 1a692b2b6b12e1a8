var x: 0..3;
startstate begin x := 0; end;
rule "step" x[1] = 0 ==> begin x := 1; end;
