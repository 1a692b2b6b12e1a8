var x: 0..3;
startstate begin x := 0; end;
cover "three" x;
rule "idle" true ==> end;
