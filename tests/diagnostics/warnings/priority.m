var x: 0..3;
startstate begin x := 0; end;
rule 5 "step" x < 3 ==> begin x := x + 1; end;
rule "back" x = 3 ==> begin x := 0; end;
