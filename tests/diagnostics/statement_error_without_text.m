var x: 0..3;
startstate begin x := 0; error x; end;
rule "idle" true ==> end;
