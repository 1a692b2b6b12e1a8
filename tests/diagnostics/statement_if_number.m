var x: 0..3;
startstate begin x := 0; if x then x := 1; end; end;
rule "idle" true ==> end;
