var x: 3..0;
startstate begin x := 3; end;
rule "idle" true ==> end;
