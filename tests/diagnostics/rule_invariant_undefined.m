var x: 0..3;
startstate begin x := 0; end;
invariant "zero" undefined;
rule "idle" true ==> end;
