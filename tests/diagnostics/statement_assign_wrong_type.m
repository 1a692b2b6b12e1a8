var x: 0..3; b: boolean;
startstate begin x := true; b := 1; end;
rule "idle" true ==> end;
