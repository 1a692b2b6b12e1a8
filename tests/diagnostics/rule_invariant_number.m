var x: 0..3;
startstate begin x := 0; end;
invariant "zero" x;
rule "idle" true ==> end;
