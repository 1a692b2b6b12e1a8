var x: 0..3;
startstate begin x := 0; end;
rule "step" true ==> begin x := x = 3 ? 0 : x + 1; end;
