var x: 0..3;
startstate begin x := true ? 1 : false; end;
rule "idle" true ==> end;
