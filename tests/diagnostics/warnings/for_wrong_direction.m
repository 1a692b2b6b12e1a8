var x: 0..3;
startstate begin x := 0; for i := 3 to 0 by 1 do x := i; end; end;
rule "idle" true ==> end;
