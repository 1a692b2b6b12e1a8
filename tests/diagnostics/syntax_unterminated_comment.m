var x: 0..3;
startstate begin x := 0; end;
/* The step is left out for now.
rule "step" x < 3 ==> begin x := x + 1; end;
