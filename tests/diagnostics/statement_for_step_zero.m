var x: 0..3;
startstate begin for i := 0 to 3 by 0 do x := i; end; end;
rule "idle" true ==> end;
