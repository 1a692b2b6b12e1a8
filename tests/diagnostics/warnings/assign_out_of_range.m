var x: 0..3;
startstate begin x := 4; end;
rule "idle" true ==> end;
