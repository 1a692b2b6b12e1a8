var x: 0..3;
startstate begin x + 1 := 2; end;
rule "idle" true ==> end;
