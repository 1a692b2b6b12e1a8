var x: 0..3;
startstate begin x := 0; end;
rule "step" isundefined(x + 1) ==> begin x := 1; end;
