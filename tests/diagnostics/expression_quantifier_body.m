var x: 0..3;
startstate begin x := 0; end;
invariant "sum" forall i: 0..3 do x + i end;
rule "idle" true ==> end;
