var x: 0..3; y: 0..3;
strtstate begin x := 0; y := 1; end;
rule "step" x < 3 ==> begin x := x + 1; end;
