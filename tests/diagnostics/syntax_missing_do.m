var x: 0..3;
startstate begin x := 0; end;
rule "step" true ==> begin while x < 3 x := x + 1; end; end;
