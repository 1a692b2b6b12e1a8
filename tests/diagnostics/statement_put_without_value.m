var x: 0..3;
startstate begin x := 0; put; end;
rule "idle" true ==> end;
