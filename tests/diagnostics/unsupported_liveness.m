var x: 0..3;
startstate begin x := 0; end;
rule "step" true ==> begin x := (x + 1) % 4; end;
liveness "comes back" x = 0;
