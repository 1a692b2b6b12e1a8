var x: 0..3;
startstate begin x := 0; for i := 3 to 0 do x := i; end; end;
rule "step" x < 3 ==> begin x := x + 1; end;
