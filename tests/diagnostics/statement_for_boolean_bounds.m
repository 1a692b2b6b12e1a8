var x: 0..3;
startstate begin for i := false to true do x := 1; end; end;
rule "idle" true ==> end;
