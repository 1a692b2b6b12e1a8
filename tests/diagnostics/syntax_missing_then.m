var x: 0..3;
startstate begin x := 0; end;
rule "step" true ==> begin if x = 0 x := 1; end; end;
