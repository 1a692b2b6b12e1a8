var x: 0..3;
startstate begin x := 0; end;
rule "step" x ==> begin x := 1; end;
