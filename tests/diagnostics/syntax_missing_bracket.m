var a: array [0..3] of 0..3;
startstate begin clear a; end;
rule "step" a[0 < 3 ==> begin a[0] := 3; end;
